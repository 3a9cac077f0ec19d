import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KubeObject } from '@flotilla/machinery';
import { ownWrites } from './own-writes.ts';

const key = { namespace: 'n', name: 'a' };

describe('own writes', () => {
  test('are seen until the cache has come as far', () => {
    const cache = fakeCache(object('1'));
    const seen = ownWrites(cache);

    seen.wrote(key, object('5'));
    assert.equal(version(seen.get(key)), '5');
    cache.set('4', object('3'));
    assert.equal(version(seen.get(key)), '5');
    cache.set('5', object('5'));
    assert.equal(version(seen.get(key)), '5');
    cache.set('9', object('9'));
    assert.equal(version(seen.get(key)), '9');
  });

  test('of an object that was deleted before the cache heard of it do not stay for ever', () => {
    const cache = fakeCache(undefined);
    const seen = ownWrites(cache);

    seen.wrote(key, object('5'));
    assert.equal(version(seen.get(key)), '5');
    cache.set('7', undefined);

    assert.equal(seen.get(key), undefined);
  });

  test('hide what we deleted, but not another object of its name', () => {
    const cache = fakeCache(object('1'));
    const seen = ownWrites(cache);

    seen.wrote(key, undefined);
    assert.equal(seen.get(key), undefined);
    cache.set('3', object('3', 'other'));

    assert.equal(version(seen.get(key)), '3');
  });

  test('count as heard of with any movement where versions are no numbers', () => {
    const cache = fakeCache(object('x'));
    const seen = ownWrites(cache);

    seen.wrote(key, object('y'));
    assert.equal(version(seen.get(key)), 'y');
    cache.set('z', object('z'));

    assert.equal(version(seen.get(key)), 'z');
  });
});

const version = (it: KubeObject | undefined) => it?.metadata.resourceVersion;

function object(resourceVersion: string, uid = 'u'): KubeObject {
  return { apiVersion: 'v1', kind: 'Thing', metadata: { ...key, uid, resourceVersion } };
}

/** What a cache has and how far it has come. */
function fakeCache(first: KubeObject | undefined) {
  let current = first;
  let reached = version(first) ?? '1';
  return {
    get: () => current,
    get lastResourceVersion() {
      return reached;
    },
    set: (to: string, next: KubeObject | undefined) => {
      reached = to;
      current = next;
    },
  };
}
