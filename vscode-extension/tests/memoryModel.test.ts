// What the Memory view shows of each column, and who is alive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliveAt, bytesText, doubtsOf, placeOf, rowOf, stepsOfColumns, verdictOf, within, zoomed } from '../src/memoryModel';
import type { FunctionMemory } from '../src/protocol';

/** Equal seeds give equal numbers. */
function randomFrom(seed: number): (below: number) => number {
  return (below) => (seed = (seed * 48271) % 2147483647) % below;
}

const buffer = (name: string, bytes: number, begin: number, lastUse: number, end: number) => ({
  name, bytes, begin, lastUse, end, at: `${begin + 1}:3`, whileUsed: `in use until linalg.add (${lastUse + 1}:3)`, whenIdle: `idle since linalg.add (${lastUse + 1}:3)`, ended: 'returned (9:3)', why: 'returned to the caller',
});
const memory: FunctionMemory = {
  function: 'f', title: '@f', aCall: '', growth: '', fits: [], needlessOverlaps: [], overflowBytes: 0, capacityBytes: null, peakBytes: 3072, peakStep: 2, peakIsLowerBound: false, gaps: [], unknownSizes: [], hasBranches: false,
  peakAfterLastUseBytes: 2048, peakNeededBytes: 2048, places: ['1:3', '2:3', '3:3', ''],
  liveOnAnyPath: [1024, 1024, 3072, 3072], liveAfterLastUse: [1024, 1024, 2048, 0], needed: [0, 1024, 2048, 0],
  buffers: [buffer('%a', 1024, 0, 1, 3), buffer('%b', 2048, 2, 2, 3)],
};

test('the columns that hold the peak show it at every zoom', () => {
  const random = randomFrom(5);
  const bytes = Array.from({ length: 20000 }, () => random(1000));
  const peak = 12345;
  bytes[peak] = 5000;
  for (let wide = bytes.length; wide >= 4; wide /= 1.3)
    for (const columns of [1, 7, 900])
      for (const place of [0, 0.3, 0.9]) {
        const sight = within({ from: peak - wide * place, to: peak + wide * (1 - place) }, bytes.length);
        const steps = stepsOfColumns(bytes, sight, columns);
        const each = (sight.to - sight.from) / columns;
        steps.forEach((step, column) => {
          const left = sight.from + each * column;
          if (left < peak + 1 && left + each > peak) assert.equal(step, peak, `${wide} ${columns} ${column}`);
        });
      }
});

test('zooming keeps the step under the mouse, and all steps are the end of it', () => {
  const sight = zoomed({ from: 0, to: 100 }, 2, 25);
  assert.deepEqual(sight, { from: 12.5, to: 62.5 });
  assert.deepEqual(within(zoomed(sight, 0.1, 25), 100), { from: 0, to: 100 });
  assert.deepEqual(within({ from: 3, to: 3 }, 2), { from: 0, to: 2 });
});

test('who is alive comes with the largest first, and says since when it is idle', () => {
  assert.deepEqual(aliveAt(memory, 2).map((one) => one.name), ['%b', '%a']);
  assert.deepEqual(aliveAt(memory, 1).map((one) => one.name), ['%a']);
  assert.deepEqual(rowOf(memory.buffers[0] ?? assert.fail(), 2), ['1 KiB', '%a', '1:3', 'idle since linalg.add (2:3)', 'returned (9:3)', 'returned to the caller']);
  assert.equal(rowOf(memory.buffers[0] ?? assert.fail(), 1)[3], 'in use until linalg.add (2:3)');
});

test('the verdict and its limits are told', () => {
  assert.equal(verdictOf(memory), 'peak 3 KiB at 3:3');
  assert.equal(verdictOf({ ...memory, peakIsLowerBound: true, gaps: ['x'] }), 'peak at least 3 KiB at 3:3');
  assert.equal(verdictOf({ ...memory, capacityBytes: 4096 }), 'peak 3 KiB at 3:3, of its 4 KiB');
  assert.equal(verdictOf({ ...memory, capacityBytes: 2048, overflowBytes: 1024 }), 'peak 3 KiB at 3:3, 1 KiB more than its 2 KiB');
  assert.equal(verdictOf({ ...memory, buffers: [] }), 'allocates nothing on the heap');
  assert.equal(verdictOf({ ...memory, buffers: [], unknownSizes: ['%n'] }), 'no buffer of a known size');
  assert.deepEqual(doubtsOf({ ...memory, aCall: '9 allocations' }), ['a call: 9 allocations']);
  assert.deepEqual(doubtsOf({ ...memory, growth: 'copies grow with the square of %n', fits: ['fits as it is'], needlessOverlaps: [{ bytes: 1024, words: '%a and %b' }] }),
    ['growth: copies grow with the square of %n', 'fits as it is', 'needless overlap, 1 KiB: %a and %b']);
  assert.deepEqual(doubtsOf({ ...memory, gaps: ['g'], unknownSizes: ['%n'] }), ['may be more: g', 'size not known: %n']);
  assert.equal(placeOf(memory, 3), 'behind 3:3');
  assert.deepEqual([0, 1023, 1024, 1536, 67108864].map(bytesText), ['0 B', '1023 B', '1 KiB', '1.5 KiB', '64 MiB']);
});
