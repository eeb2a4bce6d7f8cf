// The link at the end of a hover: what is behind it, in a list. While an entry is
// chosen the editor shows its place; left without a choice, it is where it was.

import * as vscode from 'vscode';
import type { Server } from './client';
import { evidenceItems, type EvidenceItem } from './evidenceItems';
import { method, type ExplainAnswer } from './protocol';

type Choice = vscode.QuickPickItem & { of: EvidenceItem };

export async function showEvidence(server: Server, uri: unknown, line: unknown, character: unknown): Promise<void> {
  if (typeof uri !== 'string' || typeof line !== 'number' || typeof character !== 'number') return;
  const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === vscode.Uri.parse(uri).toString());
  if (!document) return;
  const answer = await server.ask<ExplainAnswer>(method.explain, { textDocument: { uri: document.uri.toString() }, position: { line, character } });
  if (!answer?.explanations.length || answer.version !== document.version) {
    vscode.window.setStatusBarMessage('memref-lens: nothing is known of this place any more', 4000);
    return;
  }
  const items = evidenceItems(answer.explanations, (at) => (at < document.lineCount ? document.lineAt(at).text : ''));
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: true });
  const before = editor.selection;
  const show = (choice: Choice | undefined) => {
    const range = choice?.of.range;
    if (!range) return;
    const start = new vscode.Position(range.start.line, range.start.character);
    editor.selection = new vscode.Selection(start, new vscode.Position(range.end.line, range.end.character));
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  };
  const list = vscode.window.createQuickPick<Choice>();
  list.title = 'memref-lens: evidence';
  list.matchOnDescription = true;
  list.items = items.map((of) => ({ label: `${of.isSentence ? '' : '    '}${withoutIcons(of.label)}`, description: of.place, of }));
  let isChosen = false;
  list.onDidChangeActive(([choice]) => show(choice));
  list.onDidAccept(() => {
    isChosen = true;
    show(list.activeItems[0]);
    list.hide();
  });
  list.onDidHide(() => {
    if (!isChosen) editor.selection = before;
    list.dispose();
  });
  list.show();
}

/** A name may look like an icon, `$(bug)`. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
