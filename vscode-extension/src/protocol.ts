// The server's own requests, as lsp/PROTOCOL.md describes them; a test holds
// the list of methods to that document and to the server's sources.

import type { Position, Range } from 'vscode-languageclient';
import type { Report } from './overview';

/** The `experimental.memrefLens.protocol` that this client speaks. */
export const protocolVersion = 1;

export const method = {
  trace: 'memrefLens/trace',
  stages: 'memrefLens/stages',
  stageText: 'memrefLens/stageText',
  cfg: 'memrefLens/cfg',
  events: 'memrefLens/events',
  eventsAt: 'memrefLens/eventsAt',
  eventPlace: 'memrefLens/eventPlace',
  explain: 'memrefLens/explain',
  memory: 'memrefLens/memory',
  causes: 'memrefLens/causes',
  status: 'memrefLens/status',
} as const;

/** What every request names: a document, and a function of it or a place in it. */
export interface Asked {
  textDocument: { uri: string };
  function?: string;
  position?: Position;
}

/** Every answer names the version of the document that it is of. */
export interface Answer {
  version: number;
}

export interface TraceAnswer extends Answer {
  trace: Trace;
}

export interface StageInfo {
  number: number;
  name: string;
  changed: boolean;
}

export interface StagesAnswer extends Answer {
  stages: StageInfo[];
}

export interface StageTextParams extends Asked {
  stage: number | string;
}

export interface StageTextAnswer extends Answer {
  stage: number;
  name: string;
  /** The last stage that this function reached. */
  lastStage: number;
  text: string;
}

export interface CfgParams extends Asked {
  /** -1 or absent: the program as written, with the decisions. */
  stage?: number;
  format?: 'svg' | 'dot' | 'data';
  theme?: 'light' | 'dark';
  detail?: 'ops' | 'blocks';
}

export interface CfgAnswer extends Answer {
  svg?: string;
  note?: string;
  picture?: Picture;
}

/** The parts of a picture that are read here. */
export interface Picture {
  nodes: { block?: number; title: string; rows?: PictureRow[] }[];
}

export interface PictureRow {
  kind: string;
  chips: PictureChip[];
}

export interface PictureChip {
  meaning: string;
  /** The i1 under which it is so. */
  condition?: string;
  tooltip?: string;
  value?: number;
}

export interface Decision {
  event: number;
  stage: number;
  kind: string;
  sentence: string;
  block?: number;
  range?: Range;
}

export interface EventsAnswer extends Answer {
  /** Of `eventsAt`: what is there. */
  about?: string;
  events: Decision[];
}

export interface Explanation {
  sentence: string;
  evidence: { text: string; range?: Range }[];
  remedies: string[];
}

export interface ExplainAnswer extends Answer {
  explanations: Explanation[];
}

/** One buffer; its steps are ops of the function in the order of the text. */
export interface MemoryBuffer {
  name: string;
  bytes: number;
  at: string;
  begin: number;
  lastUse: number;
  end: number;
  /** "in use until linalg.add (98:5)", "idle since linalg.add (98:5)". */
  whileUsed: string;
  whenIdle: string;
  ended: string;
  why: string;
}

/** The parts of `memref-lens memory --format=json` that are read here. */
export interface FunctionMemory {
  function: string;
  /** The function, and where it has memory in several spaces the space. */
  title: string;
  /** What a call pays; empty for nothing. */
  aCall: string;
  /** What grows with the square of a number, or worse; empty for nothing. */
  growth: string;
  /** Whether the space is enough, and what would make it so. */
  fits: string[];
  /** Two that are alive together at the peak, and never needed together. */
  needlessOverlaps: { bytes: number; words: string }[];
  /** Bytes at the peak that the space does not hold. */
  overflowBytes: number;
  capacityBytes: number | null;
  peakBytes: number;
  peakStep: number;
  peakIsLowerBound: boolean;
  gaps: string[];
  unknownSizes: string[];
  hasBranches: boolean;
  peakAfterLastUseBytes: number;
  peakNeededBytes: number;
  /** By step: line and column, or nothing. */
  places: string[];
  /** By step, in bytes. */
  liveOnAnyPath: number[];
  liveAfterLastUse: number[];
  needed: number[];
  buffers: MemoryBuffer[];
}

export interface MemoryAnswer extends Answer {
  memory: { functions: FunctionMemory[] };
}

/** What check says of a document's file. */
export interface CausesAnswer extends Answer {
  state: 'tested' | 'waits' | 'runs' | 'failed' | 'unsaved' | 'nothing' | 'off';
  problem: string;
  isOfThisText: boolean;
  report?: { files: Report[] };
}

/** With `analysis: true`; the parts that are read here. */
export interface StatusAnswer {
  analysisDocuments?: { uri: string; version: number; reported: boolean }[];
}

/** The parts of a trace that are read here; docs/trace.schema.json has all.
 *  The JSON leaves out what is zero, empty or false. */
export interface Trace {
  schemaVersion: number;
  source: { path?: string; text?: string };
  chunks?: { stages?: Partial<StageInfo>[] }[];
  bufferizations?: TraceBufferization[];
  functions?: TraceFunction[];
  blocks?: TraceBlock[];
  ops?: TraceOp[];
  values?: TraceValue[];
}

export type ByteRange = [number, number];

export interface TraceFunction {
  id: number;
  name: string;
  status?: string;
  range?: ByteRange;
  nameRange?: ByteRange;
  blocks?: number[];
}

export interface TraceBlock {
  id: number;
  name: string;
  function?: number;
  range?: ByteRange;
  nameRange?: ByteRange;
  arguments?: number[];
}

export interface TraceOp {
  id: number;
  name: string;
  block?: number;
  generated?: boolean;
  range?: ByteRange;
  nameRange?: ByteRange;
}

/** One run of one-shot-bufferize. */
export interface TraceBufferization {
  copiesText?: string;
  buffers?: { value: number; same?: number }[];
  costs?: TraceTensorCost[];
}

/** An allocation or a copy that it made; `now` is its op in the end. */
export interface TraceTensorCost {
  isCopy?: boolean;
  origin?: string;
  op?: number;
  value?: number;
  now?: number;
}

export interface TraceValue {
  id: number;
  name?: string;
  type?: string;
  isMemref?: boolean;
  generated?: boolean;
  block?: number;
  op?: number;
  range?: ByteRange;
  uses?: ByteRange[];
}
