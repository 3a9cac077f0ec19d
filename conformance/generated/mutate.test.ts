import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../packages/machinery/src/testing/seeded.ts';
import { mutate } from './mutate.ts';

const OBJECT = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', labels: { app: 'x' } },
  data: { list: [{ a: 1 }], text: 'text', flag: true },
};

test('a mutation leaves the original, the kind and the name alone', () => {
  const before = structuredClone(OBJECT);
  const random = seeded(1);

  const all = Array.from({ length: 300 }, () => mutate(OBJECT, random));

  assert.deepEqual(OBJECT, before);
  for (const { object } of all) {
    assert.equal(object.kind, 'ConfigMap');
    assert.equal(object.metadata.name, 'a');
  }
  assert.ok(new Set(all.map(({ how }) => how.split(' ')[0])).size >= 8);
});

test('an object without anything to change stays as it is', () => {
  const bare = { apiVersion: 'v1', kind: 'ConfigMap' };

  assert.deepEqual(mutate(bare, seeded(1)), { how: 'as it is', object: bare });
});
