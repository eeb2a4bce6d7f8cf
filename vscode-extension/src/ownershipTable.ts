// The ownership table: what each block's deallocs find each memref to be, in the
// words of the server's picture.

import type { Picture, Trace } from './protocol';

const words: Record<string, string> = { borrowed: 'borrowed' };

export interface OwnershipRow {
  value: number;
  name: string;
  block: number;
  blockName: string;
  state: string;
  why: string;
}

export function ownershipRows(picture: Picture, trace: Trace): OwnershipRow[] {
  const rows: OwnershipRow[] = [];
  for (const node of picture.nodes) {
    const own = (node.rows ?? []).filter((row) => row.kind === 'ownership').flatMap((row) => row.chips);
    for (const { value, meaning, condition, tooltip } of own) {
      // That there are more than are shown.
      if (value === undefined || node.block === undefined) continue;
      const name = `%${trace.values?.[value]?.name ?? '?'}`;
      const state = condition ? `owned if ${condition}` : (words[meaning] ?? meaning);
      rows.push({ value, name, block: node.block, blockName: node.title, state, why: tooltip ?? '' });
    }
  }
  return rows.sort((a, b) => a.value - b.value || a.block - b.block);
}
