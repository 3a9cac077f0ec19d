import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heap } from './log-heap.ts';

test('a heap gives out in order whatever it was given, also in between', () => {
  let seed = 7;
  const next = () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % 50;
  };
  const heap = new Heap<number>((one, other) => one - other);
  let kept: number[] = [];
  for (let round = 0; round < 500; round += 1) {
    if (round % 3 < 2) {
      const value = next();
      heap.push(value);
      kept = [...kept, value].sort((one, other) => one - other);
    } else assert.equal(heap.pop(), kept.shift());
    assert.equal(heap.first, kept[0]);
  }
  for (const value of kept) assert.equal(heap.pop(), value);
  assert.equal(heap.pop(), undefined);
});
