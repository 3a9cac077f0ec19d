import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defineKind, type KubeObject } from '@flotilla/machinery';
import { compactMetadata, withoutManagedFields } from './compact.ts';
import { createInterner } from './intern.ts';

const Pods = defineKind({
  group: '',
  version: 'v1',
  kind: 'Pod',
  plural: 'pods',
  namespaced: true,
});

describe('compact metadata', () => {
  test('leaves out what nobody reads, wherever it stands, and says its own kind', () => {
    const compact = compactMetadata(Pods, createInterner());
    const expected = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', uid: 'u', annotations: { note: 'kept' } },
    };

    assert.deepEqual(compact(partial({ managedFields: [{}] }, 'last')), expected);
    assert.deepEqual(compact(partial({ managedFields: [{}] }, 'first')), expected);
  });

  test('keeps every other field', () => {
    const metadata = {
      name: 'p',
      generateName: 'p-',
      namespace: 'ns',
      uid: 'u',
      resourceVersion: '7',
      generation: 3,
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-01T00:00:01Z',
      deletionGracePeriodSeconds: 30,
      labels: { a: 'b' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'y' }],
      finalizers: ['f'],
      somethingNew: { deep: [1] },
    };
    const compact = compactMetadata(Pods, createInterner());

    const { metadata: kept } = compact(partialOf(structuredClone(metadata)));

    assert.deepEqual(kept, metadata);
  });

  test('shares what is the same in many objects', () => {
    const compact = compactMetadata(Pods, createInterner());
    const [a, b] = ['a', 'b'].map((name) => compact(partialOf({ name, labels: { app: 'web' } })));

    assert.equal(a?.metadata.labels, b?.metadata.labels);
  });
});

describe('withoutManagedFields', () => {
  test('leaves everything else of a whole object', () => {
    const object = { ...partialOf({ name: 'p', managedFields: [{}] }), spec: { a: 1 } };

    assert.deepEqual(withoutManagedFields(object), { ...partialOf({ name: 'p' }), spec: { a: 1 } });
  });
});

describe('interner', () => {
  test('forgets what it has not met for a generation, and holds no more than two', () => {
    const interner = createInterner(2);
    const first = interner.json({ n: 1 });
    interner.json({ n: 2 });
    assert.equal(interner.json({ n: 1 }), first);

    interner.json({ n: 3 });
    assert.equal(interner.json({ n: 1 }), first, 'met in time, it lives on');
    for (let n = 4; n < 9; n++) interner.json({ n });

    assert.notEqual(interner.json({ n: 1 }), first);
  });

  test('holds on to nothing long', () => {
    const interner = createInterner();
    const long = (): { text: string } => ({ text: 'x'.repeat(2_000) });
    const first = interner.json(long());

    assert.notEqual(interner.json(long()), first);
  });
});

function partial(extra: object, place: 'first' | 'last'): KubeObject {
  const known = {
    name: 'p',
    uid: 'u',
    annotations: { note: 'kept', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  };
  return partialOf(place === 'last' ? { ...known, ...extra } : { ...extra, ...known });
}

function partialOf(metadata: object): KubeObject {
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}
