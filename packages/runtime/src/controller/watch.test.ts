import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defineKind, type KubeObject, type ObjectMeta } from '@flotilla/machinery';
import {
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  statusChanged,
  userChanged,
} from './predicates.ts';
import { controllerReference, type Lookup, owns, watch, watchIndexed } from './watch.ts';

const Things = defineKind({
  group: 'test.flotilla.dev',
  version: 'v2',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
});
const Children = defineKind({
  group: '',
  version: 'v1',
  kind: 'Child',
  plural: 'children',
  namespaced: true,
});

describe('a mapping', () => {
  const lookup: Lookup = {
    kind: Things,
    byIndex: (index, value) => [{ namespace: 'found', name: `${index}:${value}` }],
  };

  test('finds owners that control the object, of any version of the kind and no other group', () => {
    const mine = controllerReference(Things, object({ name: 'mine', uid: '1' }));
    const child = object({
      name: 'c',
      namespace: 'n',
      ownerReferences: [
        { ...mine, apiVersion: 'test.flotilla.dev/v1' },
        { ...mine, name: 'not-controlling', controller: false },
        { ...mine, name: 'other-group', apiVersion: 'other.dev/v1' },
        { ...mine, name: 'other-kind', kind: 'Thong' },
      ],
    });

    assert.deepEqual([...owns(Children).map(child, lookup)], [{ namespace: 'n', name: 'mine' }]);
    const clusterWide = { ...lookup, kind: { ...Things, namespaced: false } };
    assert.deepEqual([...owns(Children).map(child, clusterWide)], [{ name: 'mine' }]);
  });

  test('looks objects up by an index, under namespace and name unless told otherwise', () => {
    const child = object({ name: 'c', namespace: 'n', labels: { of: 'x' } });
    const byKey = watchIndexed(Children, { index: 'child' });
    const byLabel = watchIndexed(Children, {
      index: 'label',
      valueIn: ({ metadata }) => metadata.labels?.['of'] ?? '',
    });

    assert.deepEqual([...byKey.map(child, lookup)], [{ namespace: 'found', name: 'child:n/c' }]);
    assert.deepEqual([...byLabel.map(child, lookup)], [{ namespace: 'found', name: 'label:x' }]);
  });

  test('keeps what the informer needs to know apart from its predicates', () => {
    const watched = watch(Children, () => [], { mode: 'metadata', predicates: [labelsChanged] });
    assert.deepEqual(watched.choice, { mode: 'metadata' });
    assert.deepEqual(watched.predicates, [labelsChanged]);
  });
});

describe('a predicate', () => {
  const before = object({ generation: 1, resourceVersion: '1', labels: { a: '1' } });

  test('tells what users change from what controllers report', () => {
    const reported = {
      ...before,
      status: { x: 1 },
      metadata: { ...before.metadata, resourceVersion: '2' },
    };
    assert.equal(userChanged(reported, before), false);
    assert.equal(statusChanged(reported, before), true);
    for (const change of [
      { generation: 2 },
      { deletionTimestamp: '2026-01-01T00:00:00Z' },
      { labels: {} },
      { annotations: { now: '1' } },
    ]) {
      assert.equal(
        userChanged({ ...before, metadata: { ...before.metadata, ...change } }, before),
        true,
      );
    }
  });

  test('takes every version for a change of kinds whose generations nobody counts', () => {
    const secret = object({ resourceVersion: '1' });
    assert.equal(generationChanged(object({ resourceVersion: '2' }), secret), true);
    assert.equal(generationChanged(object({ resourceVersion: '1' }), secret), false);
  });

  test('takes no labels for the same as empty ones', () => {
    assert.equal(labelsChanged(object({ labels: {} }), object({})), false);
    assert.equal(annotationsChanged(object({ annotations: {} }), object({})), false);
    assert.equal(anyOf()(before, before), false);
  });
});

function object(metadata: ObjectMeta): KubeObject {
  return { apiVersion: 'v1', kind: 'Child', metadata };
}
