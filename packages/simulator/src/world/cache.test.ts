import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Informer } from '@flotilla/client';
import type { KubeObject, ObjectKey } from '@flotilla/machinery';
import { createCache } from './cache.ts';

const key = { namespace: 'default', name: 'a' };

describe('a cache with our writes over it', () => {
  test('shows what was written until the watch has come as far', () => {
    const seen = watched();
    const cache = createCache(seen.informer);
    cache.wrote(object('7', 'one'));

    assert.equal(cache.get(key)?.metadata.resourceVersion, '7');
    assert.equal(cache.list('default').length, 1);
    assert.deepEqual(cache.list('other'), []);
    seen.set([object('9', 'one')], '9');
    assert.equal(cache.get(key)?.metadata.resourceVersion, '9');
    // Gone at the server, although we once wrote it.
    seen.set([], '12');
    assert.equal(cache.get(key), undefined);
  });

  test('hides what was deleted, but not what came in its place', () => {
    const seen = watched();
    seen.set([object('7', 'one')], '7');
    const cache = createCache(seen.informer);
    cache.deleted(object('7', 'one'));

    assert.equal(cache.get(key), undefined);
    assert.deepEqual(cache.list(), []);
    seen.set([object('10', 'two')], '10');
    assert.equal(cache.get(key)?.metadata.uid, 'two');
  });

  test('finds what an object controls, also what was just written', () => {
    const seen = watched();
    seen.set([object('7', 'one', 'owner')], '7');
    const cache = createCache(seen.informer);
    const second = {
      ...object('8', 'two', 'owner'),
      metadata: { ...object('8', 'two', 'owner').metadata, name: 'b' },
    };
    cache.wrote(second);
    cache.wrote(object('9', 'one'));

    assert.deepEqual(
      cache.ownedBy('owner').map(({ metadata }) => metadata.name),
      ['b'],
    );
    assert.deepEqual(cache.ownedBy(undefined), []);
  });
});

function object(resourceVersion: string, uid: string, owner?: string): KubeObject {
  const reference = { apiVersion: 'v1', kind: 'X', name: 'x', uid: owner ?? '', controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...key,
      uid,
      resourceVersion,
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
    },
  };
}

/** The part of an informer that a cache reads, set by hand. */
function watched() {
  let objects: KubeObject[] = [];
  let version = '5';
  const informer = {
    get: ({ name }: ObjectKey) => objects.find(({ metadata }) => metadata.name === name),
    list: (namespace?: string) =>
      objects.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace),
    byIndex: (_name: string, value: string) =>
      objects.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid === value),
    addIndex: () => {},
    get lastResourceVersion() {
      return version;
    },
  } as unknown as Informer;
  return {
    informer,
    set: (next: KubeObject[], at: string) => {
      objects = next;
      version = at;
    },
  };
}
