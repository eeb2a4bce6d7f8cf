// What is behind a hover, as a list to choose from: each sentence, and below it
// its facts, of which a place is shown while it is chosen.

import type { Range } from 'vscode-languageclient';
import type { Explanation } from './protocol';
import { columnOf } from './textColumns';

export interface EvidenceItem {
  label: string;
  /** "9:3", as the command line has it; empty for what has no place. */
  place: string;
  range?: Range;
  isSentence: boolean;
}

export function evidenceItems(explanations: readonly Explanation[], lineAt: (line: number) => string): EvidenceItem[] {
  const items: EvidenceItem[] = [];
  for (const { sentence, evidence, remedies } of explanations) {
    items.push({ label: sentence, place: '', isSentence: true });
    for (const remedy of remedies) items.push({ label: `→ ${remedy}`, place: '', isSentence: false });
    for (const { text, range } of evidence) {
      const place = range ? `${range.start.line + 1}:${columnOf(lineAt(range.start.line), range.start.character)}` : '';
      items.push({ label: text, place, isSentence: false, ...(range ? { range } : {}) });
    }
  }
  return items;
}
