import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatJson } from './format-json.ts';

test('what fits on a line stays on a line, and longer values are broken up', () => {
  const long = 'x'.repeat(60);
  assert.equal(formatJson({ a: [1, 2], b: { c: null } }), '{"a":[1,2],"b":{"c":null}}\n');
  assert.equal(
    formatJson([{ a: long }, { b: [long] }]),
    `[\n  {"a":"${long}"},\n  {"b":["${long}"]}\n]\n`,
  );
});

test('the formatted text reads back as the same value', () => {
  const value = { texts: Array.from({ length: 40 }, (_, i) => ({ [`key-${i}`]: [i, 'é', null] })) };
  assert.deepEqual(JSON.parse(formatJson(value)), value);
});
