// Which lines a memref is owned, possibly owned or borrowed on, as the server's
// picture says it of each block: from where the block has the value on.

import type { Picture, PictureChip, TraceBlock } from './protocol';
import type { TraceIndex } from './traceIndex';

export type OwnershipState = 'owned' | 'possiblyOwned' | 'borrowed';

export interface OwnershipRange {
  state: OwnershipState;
  /** First and last line. */
  lines: [number, number];
  why: string;
}

const states: Record<string, OwnershipState> = { owned: 'owned', 'owned-if': 'possiblyOwned', unknown: 'possiblyOwned', borrowed: 'borrowed' };

/** A block may have several nodes; the last has its end. */
function chipsOf(picture: Picture, value: number): Map<number, PictureChip> {
  const found = new Map<number, PictureChip>();
  for (const node of picture.nodes)
    for (const row of node.rows ?? [])
      for (const chip of row.chips) if (row.kind === 'ownership' && node.block !== undefined && chip.value === value && states[chip.meaning]) found.set(node.block, chip);
  return found;
}

export function ownershipRanges(picture: Picture, index: TraceIndex, value: number): OwnershipRange[] {
  const { trace } = index;
  const chips = chipsOf(picture, value);
  const own = trace.values?.[value];
  const byLine = new Map<number, PictureChip>();
  const sizeOf = ({ range }: TraceBlock) => (range ? range[1] - range[0] : 0);
  const blocks = (trace.blocks ?? []).filter((block) => block.function !== undefined && chips.has(block.id));
  // What an inner block says goes before what the block around it says.
  for (const block of blocks.sort((a, b) => sizeOf(b) - sizeOf(a))) {
    const span = index.spanOf(block.range);
    const chip = chips.get(block.id);
    if (!span || !chip) continue;
    const definition = own?.block === block.id ? index.spanOf(own.range)?.start.line : undefined;
    const isFirst = block.arguments?.includes(value);
    const first = definition === undefined ? span.start.line : isFirst ? Math.min(definition, span.start.line) : Math.max(definition, span.start.line);
    // A range that ends at the start of a line does not have that line.
    const last = span.end.character === 0 && span.end.line > first ? span.end.line - 1 : span.end.line;
    for (let line = first; line <= last; ++line) byLine.set(line, chip);
  }
  const made: OwnershipRange[] = [];
  for (const [line, chip] of [...byLine].sort((a, b) => a[0] - b[0])) {
    const state = states[chip.meaning] ?? 'borrowed';
    const before = made.at(-1);
    if (before && before.state === state && before.why === (chip.tooltip ?? '') && before.lines[1] === line - 1) before.lines[1] = line;
    else made.push({ state, lines: [line, line], why: chip.tooltip ?? '' });
  }
  return made;
}
