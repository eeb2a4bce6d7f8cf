// Places of a trace in the editor: which value, op or block is at a position,
// and where each of them is. Offsets of a trace count bytes of UTF-8; the text
// of the one function is padded so that its lines are those of the document.

import type { ByteRange, StageInfo, Trace, TraceFunction, TraceTensorCost, TraceValue } from './protocol';
import { tensorCopies } from './stageUri';

export interface Place {
  line: number;
  character: number;
}

export interface Span {
  start: Place;
  end: Place;
}

/** What is selected; ids are those of the trace and of its picture. */
export interface Selection {
  block?: number;
  op?: number;
  value?: number;
  /** What was allocated for the value, where that is a tensor. */
  memref?: number;
}

const encoder = new TextEncoder();

function sizeOf(range: ByteRange): number {
  return range[1] - range[0];
}

export class TraceIndex {
  private readonly lineStarts: number[] = [0];
  private readonly bytes: Uint8Array;
  readonly function: TraceFunction | undefined;

  constructor(readonly trace: Trace, functionName: string) {
    this.bytes = encoder.encode(trace.source.text ?? '');
    this.bytes.forEach((byte, at) => {
      if (byte === 10) this.lineStarts.push(at + 1);
    });
    this.function = trace.functions?.find((one) => one.name === functionName);
  }

  stages(): StageInfo[] {
    const all = this.trace.chunks?.[0]?.stages ?? [];
    const copies = this.trace.bufferizations?.some((run) => run.copiesText) ? [{ number: tensorCopies, name: 'tensor-copies', changed: true }] : [];
    return [...copies, ...all.map(({ number = 0, name = '', changed = false }) => ({ number, name, changed }))];
  }

  /** UTF-16, as VS Code counts. */
  placeOf(offset: number): Place {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.bytes.subarray(this.lineStarts[low], offset);
    return { line: low, character: new TextDecoder().decode(before).length };
  }

  offsetOf(place: Place): number {
    const start = this.lineStarts[place.line];
    if (start === undefined) return this.bytes.length;
    const end = this.lineStarts[place.line + 1] ?? this.bytes.length;
    const line = new TextDecoder().decode(this.bytes.subarray(start, end));
    return start + encoder.encode(line.slice(0, place.character)).length;
  }

  spanOf(range: ByteRange | undefined): Span | undefined {
    if (!range || sizeOf(range) === 0 || !this.isInside(range)) return undefined;
    return { start: this.placeOf(range[0]), end: this.placeOf(range[1]) };
  }

  /** The declarations behind the function are not where the document has them. */
  private isInside(range: ByteRange): boolean {
    const own = this.function?.range;
    return !!own && own[0] <= range[0] && range[1] <= own[1];
  }

  spanOfSelection(picked: Selection): Span | undefined {
    const { trace } = this;
    if (picked.value !== undefined) {
      const value = trace.values?.[picked.value];
      const found = this.spanOf(value?.range) ?? (value?.op === undefined ? undefined : this.spanOf(trace.ops?.[value.op]?.nameRange));
      if (found) return found;
    }
    if (picked.op !== undefined) return this.spanOf(trace.ops?.[picked.op]?.nameRange);
    if (picked.block === undefined) return undefined;
    const block = trace.blocks?.[picked.block];
    return this.spanOf(block?.nameRange) ?? this.spanOf(block?.range);
  }

  /** The value, the innermost op and the innermost block around a position. */
  selectionAt(place: Place): Selection {
    const offset = this.offsetOf(place);
    const holds = (range: ByteRange | undefined): range is ByteRange =>
      !!range && sizeOf(range) > 0 && range[0] <= offset && offset <= range[1];
    const found: Selection = {};
    const value = this.trace.values?.find((one) => holds(one.range) || one.uses?.some(holds));
    if (value) {
      found.value = value.id;
      const memref = this.memrefOf(value.id);
      if (memref !== undefined) found.memref = memref;
    }
    const smallest = <T extends { id: number; range?: ByteRange }>(all: T[] | undefined): number | undefined => {
      let best: T | undefined;
      for (const one of all ?? [])
        if (holds(one.range) && (!best?.range || sizeOf(one.range) <= sizeOf(best.range))) best = one;
      return best?.id;
    };
    const block = smallest(this.trace.blocks?.filter((one) => one.function !== undefined));
    if (block !== undefined) found.block = block;
    const op = smallest(this.trace.ops?.filter((one) => !one.generated && one.id !== 0));
    if (op !== undefined) found.op = op;
    return found;
  }

  /** The memref that one-shot-bufferize allocated for the tensor's buffer. */
  memrefOf(tensor: number): number | undefined {
    for (const run of this.trace.bufferizations ?? []) {
      const same = new Map(run.buffers?.map((one) => [one.value, one.same ?? one.value]));
      const bufferOf = (value: number) => same.get(value) ?? value;
      for (const cost of run.costs ?? []) {
        if (cost.isCopy || cost.now === undefined) continue;
        const held = cost.origin === 'opResult' ? cost.value : this.onlyTensorOf(cost);
        if (held !== undefined && bufferOf(held) === bufferOf(tensor)) return this.resultsOf(cost.now)[0]?.id;
      }
    }
    return undefined;
  }

  /** The result of an op whose operand got a buffer of its own. */
  private onlyTensorOf(cost: TraceTensorCost): number | undefined {
    const isOfOperand = cost.op !== undefined && ['operand', 'newBuffer', 'result'].includes(cost.origin ?? '');
    const tensors = isOfOperand ? this.resultsOf(cost.op).filter((one) => one.type?.includes('tensor<')) : [];
    return tensors.length === 1 ? tensors[0]?.id : undefined;
  }

  private resultsOf(op: number | undefined): TraceValue[] {
    return this.trace.values?.filter((one) => one.op !== undefined && one.op === op) ?? [];
  }

  /** The user's memrefs of this function, in program order. */
  memrefs(): { id: number; name: string; type: string; place: Place }[] {
    return (this.trace.values ?? []).flatMap((value) => {
      const span = value.isMemref && !value.generated ? this.spanOf(value.range) : undefined;
      return span ? [{ id: value.id, name: `%${value.name ?? ''}`, type: value.type ?? '', place: span.start }] : [];
    });
  }
}

const functionLine = /^\s*[\w.]*func[\w.]*\s+(?:public |private |nested )?@("(?:[^"\\]|\\.)*"|[\w$.-]+)/;

/** Name of the function that the line belongs to: the nearest one above. */
export function functionAt(lines: readonly string[], line: number): string | undefined {
  for (let at = Math.min(line, lines.length - 1); at >= 0; --at) {
    const text = lines[at] ?? '';
    if (at !== line && /^\s*\/\/ -----/.test(text)) break;
    const name = functionLine.exec(text)?.[1];
    if (name) return name.startsWith('"') ? name.slice(1, -1) : name;
  }
  return undefined;
}
