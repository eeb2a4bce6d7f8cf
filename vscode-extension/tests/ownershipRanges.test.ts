import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownershipRanges } from '../src/ownershipRanges';
import type { Picture, Trace } from '../src/protocol';
import { TraceIndex } from '../src/traceIndex';

const text = ['func @f(%in) {', '  %a = alloc', '  loop {', '    use %a', '  }', '  return', '^b(%c):', '  use %c', '}', ''].join('\n');
const from = (part: string, to: string): [number, number] => [text.indexOf(part), text.indexOf(to) + to.length];
const whole: [number, number] = [0, text.length - 1];

const trace: Trace = {
  schemaVersion: 1,
  source: { text },
  functions: [{ id: 0, name: 'f', range: whole }],
  blocks: [
    { id: 0, name: 'module', range: whole },
    { id: 1, name: '^bb0', function: 0, range: from('%a =', 'return'), arguments: [0] },
    { id: 2, name: '^bb0', function: 0, range: from('use %a', 'use %a') },
    { id: 3, name: '^b', function: 0, range: from('^b', 'use %c'), arguments: [2] },
  ],
  values: [
    { id: 0, name: 'in', block: 1, range: from('%in', '%in') },
    { id: 1, name: 'a', block: 1, op: 1, range: [text.indexOf('%a ='), text.indexOf('%a =') + 2] },
    { id: 2, name: 'c', block: 3, range: from('%c', '%c') },
  ],
};
const index = new TraceIndex(trace, 'f');
const chip = (meaning: string, value: number, why = meaning) => ({ meaning, value, tooltip: why });
const node = (block: number, ...chips: ReturnType<typeof chip>[]) => ({ block, title: '', rows: [{ kind: 'ownership', chips }] });
const rangesOf = (picture: Picture, value: number) => ownershipRanges(picture, index, value).map(({ state, lines }) => [state, ...lines]);

test('a result is owned from its definition to the end of its block', () => {
  assert.deepEqual(rangesOf({ nodes: [node(1, chip('owned', 1))] }, 1), [['owned', 1, 5]]);
});

test('what an inner block says goes before what is around it', () => {
  assert.deepEqual(rangesOf({ nodes: [node(2, chip('borrowed', 1)), node(1, chip('owned', 1))] }, 1), [['owned', 1, 2], ['borrowed', 3, 3], ['owned', 4, 5]]);
});

test('an argument is from its own line on', () => {
  assert.deepEqual(rangesOf({ nodes: [node(1, chip('borrowed', 0))] }, 0), [['borrowed', 0, 5]]);
  assert.deepEqual(rangesOf({ nodes: [node(3, chip('owned-if', 2))] }, 2), [['possiblyOwned', 6, 7]]);
});

test('where the value is not known is no range', () => {
  assert.deepEqual(rangesOf({ nodes: [node(3, chip('owned', 1)), node(1, chip('owned', 0))] }, 2), []);
  assert.deepEqual(rangesOf({ nodes: [node(1, chip('unknown', 1))] }, 1), [['possiblyOwned', 1, 5]]);
  assert.deepEqual(rangesOf({ nodes: [{ block: 1, title: '', rows: [{ kind: 'freed', chips: [chip('owned', 1)] }] }] }, 1), []);
});

test('the last node of a block has its end, with its reason', () => {
  const found = ownershipRanges({ nodes: [node(1, chip('owned', 1, 'first')), node(1, chip('borrowed', 1, 'last'))] }, index, 1);
  assert.deepEqual(found, [{ state: 'borrowed', lines: [1, 5], why: 'last' }]);
});
