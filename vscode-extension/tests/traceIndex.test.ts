import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Trace } from '../src/protocol';
import { functionAt, TraceIndex } from '../src/traceIndex';

const text = '\n\nfunc.func @f(%ä: memref<4xf32>) { // 𝔘\n  %b = memref.alloc()\n  return\n}\n';
const bytes = (part: string, from = 0): [number, number] => {
  const at = Buffer.from(text).indexOf(part, from);
  return [at, at + Buffer.byteLength(part)];
};
const end = Buffer.byteLength(text) - 1;

const trace: Trace = {
  schemaVersion: 1,
  source: { text },
  chunks: [{ stages: [{ name: 'input', changed: true }, { name: 'cse', number: 1 }] }],
  functions: [{ id: 0, name: 'f', range: [2, end], nameRange: bytes('@f') }],
  blocks: [{ id: 0, name: '^bb0', range: [2, end] }, { id: 1, name: '^bb0', function: 0, range: [bytes('%b')[0], end] }],
  ops: [
    { id: 0, name: 'builtin.module' },
    { id: 1, name: 'func.func', range: [2, end], nameRange: bytes('func.func') },
    { id: 2, name: 'memref.alloc', range: bytes('%b = memref.alloc()'), nameRange: bytes('memref.alloc') },
  ],
  values: [
    { id: 0, name: 'ä', isMemref: true, block: 1, range: bytes('%ä') },
    { id: 1, name: 'b', isMemref: true, block: 1, op: 2, range: bytes('%b') },
    { id: 2, name: 'true', generated: true },
    { id: 3, name: 'own_b', generated: true },
  ],
};
const index = new TraceIndex(trace, 'f');

test('bytes are counted in UTF-8, places in UTF-16', () => {
  assert.deepEqual(index.placeOf(bytes(':')[0]), { line: 2, character: 15 });
  assert.deepEqual(index.placeOf(bytes('𝔘')[1]), { line: 2, character: 39 });
  for (let at = 0; at < 3; ++at) assert.equal(index.offsetOf(index.placeOf(bytes(':')[0] + at)), bytes(':')[0] + at);
});

test('the value, its op and its block are at its name', () => {
  assert.deepEqual(index.selectionAt(index.placeOf(bytes('%b')[0])), { value: 1, op: 2, block: 1 });
  assert.deepEqual(index.selectionAt(index.placeOf(bytes('memref.alloc')[0] + 3)), { op: 2, block: 1 });
});

test('a selection has a place, a generated value none', () => {
  assert.deepEqual(index.spanOfSelection({ value: 1 })?.start, { line: 3, character: 2 });
  assert.deepEqual(index.spanOfSelection({ op: 2 })?.start, { line: 3, character: 7 });
  assert.equal(index.spanOfSelection({ value: 3 }), undefined);
  assert.deepEqual(index.spanOfSelection({ value: 3, block: 1 })?.start, { line: 3, character: 2 });
});

test('what is declared behind the function has no place', () => {
  assert.equal(index.spanOf([end, end + 1]), undefined);
});

test('memrefs are those with a name in the text', () => {
  assert.deepEqual(index.memrefs().map((one) => one.name), ['%ä', '%b']);
});

test('a line belongs to the nearest function above', () => {
  const lines = ['func.func @a() {', '  return', '}', 'func.func private @"b c"(', '  %x: i1) {', '// -----', '%y', 'gpu.func @k() kernel {', '}'];
  assert.deepEqual(lines.map((_, at) => functionAt(lines, at)), ['a', 'a', 'a', 'b c', 'b c', 'b c', undefined, 'k', 'k']);
});

test('the stages are those of the trace, with what its JSON leaves out', () => {
  const stages = [{ number: 0, name: 'input', changed: true }, { number: 1, name: 'cse', changed: false }];
  assert.deepEqual(index.stages(), stages);
  // Where bufferization ran, its copies on tensors stand in front.
  const bufferized = (bufferizations: { copiesText?: string }[]) => new TraceIndex({ ...trace, bufferizations }, 'f').stages();
  assert.deepEqual(bufferized([{ copiesText: 'module {}' }]), [{ number: -2, name: 'tensor-copies', changed: true }, ...stages]);
  assert.deepEqual(bufferized([{}]), stages);
});

test('a tensor has the memref that was allocated for its buffer', () => {
  const text = 'func.func @f() {\n  %e = tensor.empty() : tensor<4xf32>\n  %f = linalg.fill\n  %g = linalg.exp\n}\n';
  const rangeOf = (name: string): [number, number] => [text.indexOf(name), text.indexOf(name) + name.length];
  const tensors = new TraceIndex({
    schemaVersion: 1,
    source: { text },
    functions: [{ id: 0, name: 'f', range: [0, text.length] }],
    ops: [10, 11, 12, 13, 14].map((id) => ({ id, name: 'op' })),
    values: [
      { id: 0, name: 'e', op: 10, type: 'tensor<4xf32>', range: rangeOf('%e') },
      { id: 1, name: 'f', op: 11, type: 'tensor<4xf32>', range: rangeOf('%f') },
      { id: 2, name: 'g', op: 12, type: 'tensor<4xf32>', range: rangeOf('%g') },
      { id: 3, name: 'e_buf', op: 13, isMemref: true, generated: true },
      { id: 4, name: 'g_buf', op: 14, isMemref: true, generated: true },
    ],
    bufferizations: [{
      buffers: [{ value: 0, same: 0 }, { value: 1, same: 0 }, { value: 2, same: 2 }],
      costs: [
        { origin: 'opResult', op: 10, value: 0, now: 13 },
        { isCopy: true, origin: 'operand', op: 12, value: 1, now: 15 },
        { origin: 'operand', op: 12, value: 1, now: 14 },
      ],
    }],
  }, 'f');
  assert.deepEqual([0, 1, 2, 3].map((value) => tensors.memrefOf(value)), [3, 3, 4, undefined]);
  const picked = tensors.selectionAt(tensors.placeOf(text.indexOf('%f') + 1));
  assert.deepEqual([picked.value, picked.memref], [1, 3]);
});
