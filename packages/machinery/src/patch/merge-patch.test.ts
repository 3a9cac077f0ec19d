import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyJson, seeded } from '../testing/seeded.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { mergePatch } from './merge-patch.ts';

test('a merge patch sets, merges and removes', () => {
  const cases: [object, object, object][] = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 1 }, { a: null }, { b: 1 }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c', d: 1 } }, { a: { b: 'd', c: null } }, { a: { b: 'd', d: 1 } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{}, { a: [{ b: null, c: 1 }, null] }, { a: [{ c: 1 }, null] }],
    [{ a: { x: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ];
  for (const [target, patch, expected] of cases) {
    const [before, patchBefore] = [deepCopy(target), deepCopy(patch)];
    assert.deepEqual(mergePatch(target, patch), expected, JSON.stringify(patch));
    assert.deepEqual([target, patch], [before, patchBefore]);
  }
});

test('a patch that is no object is refused', () => {
  assert.throws(() => mergePatch({}, null), { code: 400, message: 'Invalid JSON Patch' });
  assert.throws(() => mergePatch({}, [1]), {
    code: 400,
    message:
      'error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}',
  });
});

test('the result shares nothing with target or patch', () => {
  const target = { keep: { list: [1] } };
  const patch = { add: { list: [2] } };
  const merged = mergePatch<Record<string, { list: number[] }>>(target, patch);
  merged['keep']?.list.push(9);
  merged['add']?.list.push(9);
  assert.deepEqual([target, patch], [{ keep: { list: [1] } }, { add: { list: [2] } }]);
});

test('a prototype is out of reach', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}}');
  const merged = mergePatch({}, patch);
  assert.deepEqual(Object.keys(merged), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  assert.equal(({} as Record<string, unknown>)['x'], undefined);
});

test('merging twice is merging once, as deep as JSON goes', () => {
  const random = seeded(31);
  for (let round = 0; round < 1000; round++) {
    const [target, patch] = [anyJson(random), anyJson(random)];
    if (!isJsonObject(target) || !isJsonObject(patch)) continue;
    const once = mergePatch(target, patch);
    assert.deepEqual(mergePatch(once, patch), once);
    assert.deepEqual(mergePatch(target, {}), target);
  }
  let deep: Record<string, unknown> = { leaf: null };
  for (let i = 0; i < 9_999; i++) deep = { a: deep };
  assert.doesNotThrow(() => mergePatch(deepCopy(deep), deep));
});
