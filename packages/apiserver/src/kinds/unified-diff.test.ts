import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { unifiedDiff } from './unified-diff.ts';

describe('unifiedDiff', () => {
  test('says nothing about equal texts', () => {
    assert.equal(unifiedDiff('a\nb', 'a\nb'), '');
  });

  test('shows three lines around a change', () => {
    const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

    assert.equal(
      unifiedDiff(lines.join('\n'), lines.join('\n').replace('5', 'five')),
      '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
    );
  });

  test('keeps changes that are far apart in groups of their own', () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}`);
    const after = ['0', ...lines.slice(0, 19), 'end'];

    assert.equal(
      unifiedDiff(lines.join('\n'), after.join('\n')),
      '@@ -1,3 +1,4 @@\n+0\n 1\n 2\n 3\n@@ -17,4 +18,4 @@\n 17\n 18\n 19\n-20\n+end\n',
    );
  });

  test('joins changes that are near each other', () => {
    assert.equal(
      unifiedDiff('1\nb\nc\nd\n2', 'X\nb\nc\nd\nY'),
      '@@ -1,5 +1,5 @@\n-1\n+X\n b\n c\n d\n-2\n+Y\n',
    );
  });

  test('names a range of one line by its number alone', () => {
    assert.equal(unifiedDiff('a', 'b\nc'), '@@ -1 +1,2 @@\n-a\n+b\n+c\n');
  });

  test('finds the longest common block even where short ones come first', () => {
    assert.equal(unifiedDiff('a\nb', 'a\nc\na\nb'), '@@ -1,2 +1,4 @@\n+a\n+c\n a\n b\n');
  });
});

test('texts of a hundred thousand lines take a moment, however they differ', () => {
  const lines = (value: string): string =>
    Array.from({ length: 50_000 }, (_, index) => `name: c${index}\nvalue: ${value}`).join('\n');
  const begun = performance.now();

  const diff = unifiedDiff(lines('x'), lines('y'));

  assert.ok(performance.now() - begun < 3_000, `${Math.round(performance.now() - begun)} ms`);
  const removed = diff.split('\n').filter((line) => line.startsWith('-value: x'));
  assert.equal(removed.length, 50_000);
});
