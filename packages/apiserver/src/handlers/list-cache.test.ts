import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createMemoryStore } from '../storage/memory.ts';
import { ROOT_TENANT, type Store } from '../storage/store.ts';
import { createListCache } from './list-cache.ts';

const tenant = ROOT_TENANT;
const prefix = 'core/pods/default/';
const chunk = (text: string) => ({ bytes: Buffer.from(text), count: 1, last: 'z' });

describe('the list cache', () => {
  test('gives back what was read, until something below the prefix changes', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using cache = createListCache(store);
    await write(store, 'core/pods/default/a');
    const place = { tenant, prefix, after: '', revision: store.revision(tenant) };
    assert.equal(cache.get(place), undefined);
    cache.put(place, chunk('a'));

    await write(store, 'core/pods/other/a');
    assert.equal(cache.get(place)?.bytes.toString(), 'a');

    await write(store, 'core/pods/default/b');
    assert.equal(cache.get({ ...place, revision: store.revision(tenant) }), undefined);
  });

  test('keeps nothing that was read before a change it has seen', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using cache = createListCache(store);
    const before = { tenant, prefix, after: '', revision: store.revision(tenant) };
    cache.get(before);
    await write(store, 'core/pods/default/a');

    cache.put(before, chunk('stale'));

    assert.equal(cache.get({ ...before, revision: store.revision(tenant) }), undefined);
  });

  test('does not show a new chunk to a list that reads an older revision', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using cache = createListCache(store);
    const old = { tenant, prefix, after: '', revision: store.revision(tenant) };
    cache.get(old);
    await write(store, 'core/pods/default/a');
    const now = { ...old, revision: store.revision(tenant) };
    cache.put(now, chunk('new'));

    assert.equal(cache.get(old), undefined);
    assert.equal(cache.get(now)?.bytes.toString(), 'new');
  });

  test('keeps nothing read at an older revision than the one it begins to follow at', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using cache = createListCache(store);
    await write(store, 'core/pods/default/a');
    const old = { tenant, prefix, after: '', revision: store.revision(tenant) };
    await write(store, 'core/pods/default/b');

    assert.equal(cache.get(old), undefined);
    cache.put(old, chunk('a'));

    assert.equal(cache.get({ ...old, revision: store.revision(tenant) }), undefined);
  });

  test('forgets the collection not listed for longest when room is needed', async () => {
    await using store = createMemoryStore({ now: () => 0 });
    using cache = createListCache(store, 100);
    const place = (name: string) => ({ tenant, prefix: `core/${name}/`, after: '', revision: 0 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      cache.get(place(name));
      cache.put(place(name), chunk('x'.repeat(25)));
    }

    assert.equal(cache.get(place('a')), undefined);
    assert.equal(cache.get(place('e'))?.bytes.length, 25);
  });
});

async function write(store: Store, key: string): Promise<void> {
  await store.write(tenant, { key, expect: 0, value: () => Buffer.from('{}') });
}
