import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatColumns } from './columns.ts';

describe('columns', () => {
  test('are as wide as their longest cell and three spaces', () => {
    assert.equal(
      formatColumns([
        ['NAME', 'AGE'],
        ['kube-system', '5m'],
      ]),
      'NAME          AGE\nkube-system   5m\n',
    );
  });

  test('are never narrower than six', () => {
    assert.equal(formatColumns([['A', 'B', 'C']]), 'A     B     C\n');
  });

  test('do not grow with the last cell of a row', () => {
    assert.equal(
      formatColumns([
        ['A', 'B'],
        ['x', 'a very long text'],
        ['y', 'z'],
      ]),
      'A     B\nx     a very long text\ny     z\n',
    );
  });

  test('count characters, not units of UTF-16', () => {
    assert.equal(
      formatColumns([
        ['⛵⛵⛵⛵', 'x'],
        ['😀😀😀😀', 'x'],
      ]),
      '⛵⛵⛵⛵   x\n😀😀😀😀   x\n',
    );
  });
});
