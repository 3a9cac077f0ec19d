import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIndexes, parseIndexes } from './job-pods.ts';

test('completed indexes are written as upstream writes them, and read again', () => {
  for (const text of ['', '0', '0,1', '0-2', '0-2,5', '1,3-5,7,8']) {
    assert.equal(formatIndexes(parseIndexes(text)), text);
  }
});
