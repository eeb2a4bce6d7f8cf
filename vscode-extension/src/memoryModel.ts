// What the Memory view shows, without a page: of the steps that share a column of
// pixels the one with the most bytes, so that no zoom hides the peak, and who is
// alive there.

import type { FunctionMemory, MemoryBuffer } from './protocol';

/** Steps in sight, from the left edge to the right one. */
export interface Window {
  from: number;
  to: number;
}

/** Moved and made smaller, so that it lies within so many steps. */
export function within({ from, to }: Window, steps: number): Window {
  const all = Math.max(steps, 1);
  const wide = Math.min(Math.max(to - from, Math.min(4, all)), all);
  const left = Math.min(Math.max(from, 0), all - wide);
  return { from: left, to: left + wide };
}

/** Larger or smaller, where the step `at` stays where it is. */
export function zoomed({ from, to }: Window, factor: number, at: number): Window {
  return { from: at - (at - from) / factor, to: at + (to - at) / factor };
}

/** The first step with the most bytes, by column. */
export function stepsOfColumns(bytes: readonly number[], { from, to }: Window, columns: number): number[] {
  const each = (to - from) / columns;
  const found: number[] = [];
  for (let column = 0; column < columns; ++column) {
    const left = Math.max(0, from + each * column);
    const begin = Math.min(Math.floor(left), Math.max(0, bytes.length - 1));
    const end = Math.max(begin + 1, Math.min(Math.ceil(left + each), bytes.length));
    let best = begin;
    for (let step = begin + 1; step < end; ++step) if ((bytes[step] ?? 0) > (bytes[best] ?? 0)) best = step;
    found.push(best);
  }
  return found;
}

export const isIdle = (buffer: MemoryBuffer, step: number): boolean => buffer.lastUse < step;

/** The largest first. */
export function aliveAt(memory: FunctionMemory, step: number): MemoryBuffer[] {
  return memory.buffers
    .filter((one) => one.bytes > 0 && one.begin <= step && step <= one.end)
    .sort((a, b) => b.bytes - a.bytes);
}

/** "1.5 KiB", as every command tells it. */
export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let unit = 0;
  let shown = bytes;
  while (shown >= 1024 && unit + 1 < units.length) {
    shown /= 1024;
    ++unit;
  }
  return `${unit ? Number(shown.toFixed(1)) : shown} ${units[unit] ?? ''}`;
}

/** "98:5"; "behind 98:5" where the op has no place of its own. */
export function placeOf(memory: FunctionMemory, step: number): string {
  if (memory.places[step]) return memory.places[step];
  for (let before = step; before >= 0; --before) if (memory.places[before]) return `behind ${memory.places[before]}`;
  return `step ${step}`;
}

export function verdictOf(memory: FunctionMemory): string {
  if (!memory.buffers.length) return memory.gaps.length || memory.unknownSizes.length ? 'no buffer of a known size' : 'allocates nothing on the heap';
  const peak = `${memory.peakIsLowerBound ? 'at least ' : ''}${bytesText(memory.peakBytes)}`;
  const capacity = memory.capacityBytes === null ? '' : memory.overflowBytes > 0 ? `, ${bytesText(memory.overflowBytes)} more than its ${bytesText(memory.capacityBytes)}` : `, of its ${bytesText(memory.capacityBytes)}`;
  return `peak ${peak} at ${placeOf(memory, memory.peakStep)}${capacity}`;
}

/** What the figures leave open. */
export function doubtsOf(memory: FunctionMemory): string[] {
  return [
    ...(memory.aCall ? [`a call: ${memory.aCall}`] : []),
    ...(memory.growth ? [`growth: ${memory.growth}`] : []),
    ...memory.fits,
    ...memory.needlessOverlaps.map((one) => `needless overlap, ${bytesText(one.bytes)}: ${one.words}`),
    ...memory.gaps.map((gap) => `may be more: ${gap}`),
    ...memory.unknownSizes.map((name) => `size not known: ${name}`),
    ...(memory.hasBranches ? ['lives are in the order of the text: the function has branches'] : []),
  ];
}

/** One buffer at a step, in the cells of the list. */
export function rowOf(buffer: MemoryBuffer, step: number): string[] {
  const use = isIdle(buffer, step) ? buffer.whenIdle : buffer.whileUsed;
  return [bytesText(buffer.bytes), buffer.name, buffer.at, use, buffer.ended, buffer.why];
}
