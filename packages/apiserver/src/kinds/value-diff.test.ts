import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffValues } from './value-diff.ts';

test('values are compared as JSON indented by one space', () => {
  assert.equal(
    diffValues({ Path: '/x', Type: '' }, { Path: '/y', Type: '' }),
    '@@ -1,4 +1,4 @@\n {\n- "Path": "/x",\n+ "Path": "/y",\n  "Type": ""\n }\n',
  );
});

test('integers beyond what a double holds are written in full', () => {
  assert.equal(
    diffValues([9007199254740993n], [1]),
    '@@ -1,3 +1,3 @@\n [\n- 9007199254740993\n+ 1\n ]\n',
  );
});
