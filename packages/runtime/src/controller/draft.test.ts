import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deepCopy, type Json, type KubeObject, mergePatch } from '@flotilla/machinery';
import { anyJson, seeded } from '@flotilla/machinery/testing';
import { draftOf } from './draft.ts';
import { mergeDiff } from './merge-diff.ts';

describe('a draft', () => {
  test('keeps the shared object as it is, and knows what changed', () => {
    const base = sample();
    const before = deepCopy(base);
    const { object, changes } = draftOf(base);
    object.metadata.labels = { a: '2', c: '3' };
    (object['spec'] as Json)['size'] = 2;
    (object['status'] as Json)['seen'] = true;

    assert.deepEqual(base, before);
    assert.deepEqual(changes(), {
      main: { metadata: { labels: { a: '2', b: null, c: '3' } }, spec: { size: 2 } },
      status: { seen: true },
    });
  });

  test('has changed nothing when it was only read', () => {
    const { object, changes, isTouched } = draftOf(sample());
    assert.equal(JSON.stringify(object['spec']), '{"size":1,"list":[1,2]}');
    assert.deepEqual(changes(), { main: undefined, status: undefined });
    assert.ok(!isTouched('status'));
    assert.deepEqual(object['status'], {});
    assert.deepEqual(changes(), { main: undefined, status: undefined });
  });

  test('reads like the object itself', () => {
    const base = sample();
    const { object } = draftOf({ ...base, status: { a: 1 } });
    assert.deepEqual(JSON.parse(JSON.stringify(object)), { ...base, status: { a: 1 } });
    assert.equal(object.metadata.managedFields, base.metadata.managedFields);
  });

  test('takes a part that is replaced or new', () => {
    const { object, changes } = draftOf(sample());
    object['status'] = { fresh: true };
    object['data'] = { x: 'y' };
    assert.deepEqual(changes(), { main: { data: { x: 'y' } }, status: { fresh: true } });
  });
});

describe('mergeDiff', () => {
  test('makes the one of the other, for any JSON that a merge patch can express', () => {
    const random = seeded(7);
    for (let round = 0; round < 3000; round++) {
      const from = withoutNulls({ v: anyJson(random), w: anyJson(random) }) as Json;
      const to = withoutNulls({ v: anyJson(random), w: anyJson(random) }) as Json;
      const patch = mergeDiff(from, to);
      const result = patch === undefined ? from : mergePatch(deepCopy(from), patch);
      // Null, absent and the empty list are alike.
      assert.equal(mergeDiff(result as Json, to), undefined);
      if (patch === undefined) assert.equal(mergeDiff(to, from), undefined);
    }
  });
});

function sample(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'x', labels: { a: '1', b: '2' }, managedFields: [{ manager: 'm' }] },
    spec: { size: 1, list: [1, 2] },
  };
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}
