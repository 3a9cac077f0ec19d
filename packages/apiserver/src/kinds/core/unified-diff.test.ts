import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffValues, unifiedDiff } from './unified-diff.ts';

const lines = (text: string) => text.split('').map((line) => `${line}\n`);

test('equal lists have no diff', () => {
  assert.equal(unifiedDiff(lines('abc'), lines('abc')), '');
});

test('a change stands between three lines of context', () => {
  assert.equal(
    unifiedDiff(lines('abcdefghi'), lines('abcdXfghi')),
    '@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+X\n f\n g\n h\n',
  );
});

test('changes far apart get hunks of their own, near ones share one', () => {
  assert.equal(
    unifiedDiff(lines('1bcdefgh2'), lines('XbcdefghY')),
    '@@ -1,4 +1,4 @@\n-1\n+X\n b\n c\n d\n@@ -6,4 +6,4 @@\n f\n g\n h\n-2\n+Y\n',
  );
  assert.equal(
    unifiedDiff(lines('1bcd2'), lines('XbcdY')),
    '@@ -1,5 +1,5 @@\n-1\n+X\n b\n c\n d\n-2\n+Y\n',
  );
});

test('lists that were empty or become empty have ranges of no length', () => {
  assert.equal(unifiedDiff([], lines('a')), '@@ -0,0 +1 @@\n+a\n');
  assert.equal(unifiedDiff(lines('a'), []), '@@ -1 +0,0 @@\n-a\n');
});

test('values are compared as JSON indented by one space', () => {
  assert.equal(
    diffValues({ Path: '/x', Type: '' }, { Path: '/y', Type: '' }),
    '@@ -1,4 +1,4 @@\n {\n- "Path": "/x",\n+ "Path": "/y",\n  "Type": ""\n }\n',
  );
});
