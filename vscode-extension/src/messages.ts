// What the extension and its views say to each other.

import type { OwnershipRow } from './ownershipTable';
import type { FunctionMemory } from './protocol';
import type { Selection } from './traceIndex';

export interface ShowMessage {
  type: 'show';
  title: string;
  svg: string;
  note: string;
  /** -1: the program as written. */
  stage: number;
  stages: { number: number; label: string }[];
  rows: OwnershipRow[];
  /** Same function as before: zoom and selection stay. */
  keepsView: boolean;
}

export type ToView =
  | ShowMessage
  | { type: 'select'; selection: Selection; why: string[] }
  | { type: 'step'; at: number; of: number; event: number; sentence: string; selection: Selection }
  | { type: 'empty'; text: string };

export type FromView =
  | { type: 'ready' }
  | { type: 'pick'; selection: Selection; why: string }
  | { type: 'stage'; stage: number }
  | { type: 'step'; delta: number }
  | { type: 'export'; format: 'svg' | 'png'; data: string };

export type ToMemoryView = { type: 'memory'; spaces: FunctionMemory[] } | { type: 'empty'; text: string };

/** A place as the memory has it: "12:5". */
export type FromMemoryView = { type: 'ready' } | { type: 'go'; place: string };
