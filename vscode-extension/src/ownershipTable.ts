// The ownership table: what each block's deallocs find each memref to be, in the
// words of the server's picture.

import type { Picture, Trace } from './protocol';

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
    const own = node.bottom.filter((row) => row.label === 'ownership').flatMap((row) => row.chips);
    for (const chip of own) {
      const name = `%${trace.values?.[chip.value]?.name ?? '?'}`;
      // A chip says "sign name", or "sign name if condition".
      const condition = chip.meaning === 'owned if' ? chip.text.slice(chip.text.indexOf(`${name} if `) + name.length + 4) : '';
      const state = condition ? `owned if ${condition}` : chip.meaning;
      rows.push({ value: chip.value, name, block: node.block, blockName: node.title, state, why: chip.tooltip });
    }
  }
  return rows.sort((a, b) => a.value - b.value || a.block - b.block);
}
