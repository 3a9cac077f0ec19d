import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeJson } from './encode-json.ts';

test('texts are escaped as Go escapes them', () => {
  assert.equal(encodeJson('<a & b>\u2028\u2029'), '"\\u003ca \\u0026 b\\u003e\\u2028\\u2029"');
  assert.equal(encodeJson('é"\\\n\u0001\u007f'), '"é\\"\\\\\\n\\u0001\u007f"');
});

test('bigints are numbers, whatever stands beside them', () => {
  const value = {
    n: 9007199254740993n,
    list: [1n, undefined, null, 'x', { a: {}, b: [] }],
    gone: undefined,
    date: new Date(0),
  };
  assert.equal(
    encodeJson(value),
    '{"n":9007199254740993,"list":[1,null,null,"x",{"a":{},"b":[]}],"date":"1970-01-01T00:00:00.000Z"}',
  );
});

test('nesting beyond the stack is written, a cycle is refused', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 10_000; i++) deep = { a: deep };
  assert.equal(encodeJson(deep).length, 10_000 * 6 + 1);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  assert.throws(() => encodeJson(cycle), TypeError);
});

test('nothing is null', () => {
  assert.equal(encodeJson(undefined), 'null');
});
