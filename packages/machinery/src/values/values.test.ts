import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyJson, seeded } from '../testing/seeded.ts';
import { deepCopy } from './deep-copy.ts';
import { deepEqual } from './deep-equal.ts';
import { percentValue, scaledIntOrPercent } from './int-or-string.ts';
import { getOwn, setOwn } from './own-key.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

test('a copy is equal and shares nothing', () => {
  const random = seeded(3);
  for (let round = 0; round < 500; round++) {
    const value = anyJson(random);
    assert.deepEqual(deepCopy(value), value);
    assert.equal(deepEqual(deepCopy(value), value), true);
  }
  const original = { a: { b: [1] }, gone: undefined };
  const copy = deepCopy(original);
  copy.a.b.push(2);
  assert.deepEqual(original.a.b, [1]);
  assert.equal('gone' in copy, false);
});

test('copies and comparisons of 10,000 levels do not overflow the stack', () => {
  const deep = nested(10_000);
  assert.equal(deepEqual(deepCopy(deep), deep), true);
  assert.equal(deepEqual(nested(10_001), deep), false);
});

test('nothing, null and the empty list are the same; an empty object is something', () => {
  assert.equal(deepEqual({ a: null, b: [] }, {}), true);
  assert.equal(deepEqual({ a: undefined }, { a: [] }), true);
  assert.equal(deepEqual({ emptyDir: {} }, {}), false);
  assert.equal(deepEqual({ a: '' }, {}), false);
  assert.equal(deepEqual({ a: 0 }, {}), false);
  assert.equal(deepEqual([], {}), false);
  assert.equal(deepEqual([null], []), false);
});

test('numbers are equal across their two types', () => {
  assert.equal(deepEqual(2n ** 60n, 2 ** 60), true);
  assert.equal(deepEqual(2n ** 60n + 1n, 2 ** 60), false);
  assert.equal(deepEqual(1n, 1.5), false);
  assert.equal(deepEqual('1', 1), false);
});

test('keys of prototypes are ordinary keys', () => {
  const value = JSON.parse('{"__proto__":{"polluted":1},"constructor":2}');
  const copy = deepCopy(value);
  assert.deepEqual(Object.keys(copy), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(deepEqual(value, {}), false);
  assert.equal(getOwn({}, 'toString'), undefined);
  const target: Record<string, unknown> = {};
  setOwn(target, '__proto__', 1);
  assert.deepEqual(Object.keys(target), ['__proto__']);
});

test('percentages are scaled up or down', () => {
  assert.equal(scaledIntOrPercent('25%', 10, { roundUp: true }), 3);
  assert.equal(scaledIntOrPercent('25%', 10, { roundUp: false }), 2);
  assert.equal(scaledIntOrPercent(4, 10, { roundUp: false }), 4);
  assert.throws(() => scaledIntOrPercent('4', 10, { roundUp: false }), {
    message: 'invalid value for IntOrString: invalid type: string is not a percentage',
  });
  assert.throws(() => scaledIntOrPercent('x%', 10, { roundUp: false }), {
    message:
      'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
  });
  assert.equal(percentValue('30%'), 30);
  assert.equal(percentValue('30'), undefined);
});
