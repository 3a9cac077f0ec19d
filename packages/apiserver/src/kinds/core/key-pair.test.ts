import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pemBlocks } from './key-pair.ts';

const types = (text: string) => pemBlocks(Buffer.from(text)).map(({ type }) => type);

test('PEM blocks are found in order, whatever stands between them', () => {
  assert.deepEqual(
    types('x\n-----BEGIN A B-----\nYQ==\n-----END A B-----\n\n-----BEGIN C-----\n-----END C-----'),
    ['A B', 'C'],
  );
});

test('blocks that never end, or end as something else, are no blocks', () => {
  assert.deepEqual(types('-----BEGIN A-----\nYQ=='), []);
  assert.deepEqual(types('-----BEGIN A-----\n-----END B-----'), []);
  assert.deepEqual(types('-----BEGIN -----\n-----END -----'), []);
  assert.deepEqual(types('-----BEGIN A-----\n-----BEGIN B-----\n-----END B-----'), ['B']);
});

test('a text full of unfinished blocks is read in one pass', () => {
  assert.deepEqual(types(`${'-----BEGIN A-----\n'.repeat(50_000)}-----END B-----`), []);
});
