import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupTests } from './test-groups.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'a.test.ts': "test('a', () => {});",
  'b.itest.ts': "test('b', () => {});",
  'c.test.ts': 'beforeEach(() => {});',
  'd.test.ts': "test('d', () => { process.env['X'] = '1'; });",
  'e.test.ts': "describe('e', () => {\n  before(() => {});\n});",
};

test('files share a process unless they start servers, hook their whole file or touch the process', () => {
  assert.deepEqual(
    groupTests(Object.keys(SOURCES), (file) => SOURCES[file] ?? ''),
    [['b.itest.ts'], ['c.test.ts'], ['d.test.ts'], ['a.test.ts', 'e.test.ts']],
  );
});

test('every file is in one group, and no group is large', () => {
  const files = Array.from({ length: 30 }, (_, at) => `${at}.test.ts`);
  const groups = groupTests(files, () => '');
  assert.deepEqual(groups.flat(), files);
  assert.ok(groups.every(({ length }) => length <= 12));
});
