import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BaseEntry, type LayeredStore, withBaseLayer } from './layered.ts';
import { createMemoryStore } from './memory.ts';
import type { StoreOptions } from './ordered-store.ts';
import { storageCases } from './storage.cases.ts';
import { CASE_TENANTS, collect, drop, keysOf, put, text } from './storage-case-helpers.cases.ts';
import { MODEL_KEYS, modelCheck } from './storage-model.cases.ts';
import { type Change, FutureRevision, WriteConflict } from './store.ts';

const [T] = CASE_TENANTS;
const ALL = { limit: Number.POSITIVE_INFINITY };
const CREATED = { uid: 'uid-1', createdAt: 5_000 };

const base: BaseEntry[] = ['roles/admin', 'roles/edit', 'roles/view', 'spaces/default'].map(
  (key) => ({ key, value: ({ uid, revision }) => Buffer.from(`${key} of ${uid}@${revision}`) }),
);

function open(options: Partial<StoreOptions> = {}): LayeredStore {
  return withBaseLayer(createMemoryStore({ now: () => 1_000, ...options }), base);
}

async function opened(options: Partial<StoreOptions> = {}): Promise<LayeredStore> {
  const store = open(options);
  await store.createTenant(T, CREATED);
  return store;
}

storageCases('layered, tenants never created', async (options) => {
  const store = open(options);
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});

storageCases('layered, tenants created', async (options) => {
  const store = open(options);
  for (const tenant of CASE_TENANTS) await store.createTenant(tenant, CREATED);
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});

/** Base objects in all tenants, each deleted there: only tombstones are stored. */
async function openDeleted(keys: readonly string[], options: StoreOptions): Promise<LayeredStore> {
  const entries = keys.map((key) => ({ key, value: () => Buffer.from('base') }));
  const store = withBaseLayer(createMemoryStore(options), entries);
  for (const tenant of CASE_TENANTS) {
    await store.createTenant(tenant, CREATED);
    for (const key of keys) {
      const expect = store.read(tenant, key)!.revision;
      await store.write(tenant, { key, expect, value: undefined });
    }
  }
  return store;
}

storageCases('layered, tombstones between the written keys', async (options) => {
  const store = await openDeleted(
    MODEL_KEYS.map((key) => `${key}+`),
    options,
  );
  return { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
});

describe('base layer', { timeout: 30_000 }, () => {
  it('shows base objects from the creation of the tenant on, and not before', async () => {
    await using store = open();
    assert.equal(store.read(T, 'roles/admin'), undefined);
    assert.equal(store.tenant(T), undefined);
    const record = await store.createTenant(T, CREATED);
    assert.deepEqual(record, { tenant: T, ...CREATED, revision: 1 });
    assert.deepEqual(store.tenant(T), record);
    assert.equal(text(store.read(T, 'roles/admin')), 'roles/admin of uid-1@1');
    assert.equal(store.read(T, 'roles/admin')?.revision, 1);
    using snapshot = store.snapshot(T);
    assert.deepEqual(keysOf(snapshot.range('', ALL)), baseKeys());
    assert.equal(snapshot.count('', {}), 4);
    using before = store.snapshot(T, 0);
    assert.deepEqual(before.range('', ALL), []);
    assert.equal(before.count('', {}), 0);
    assert.equal(store.read('other', 'roles/admin'), undefined);
  });

  it('creates a tenant once, whoever asks', async () => {
    await using store = open();
    const [first, second] = await Promise.all([
      store.createTenant(T, CREATED),
      store.createTenant(T, { uid: 'uid-2', createdAt: 6_000 }),
    ]);
    assert.deepEqual(first, second);
    assert.deepEqual(await store.createTenant(T, { uid: 'uid-3', createdAt: 1 }), first);
    assert.equal(store.revision(T), 1);
  });

  it('writes and deletes a base object like any other', async () => {
    await using store = await opened();
    const { revision: base1 } = store.read(T, 'roles/edit')!;
    await assert.rejects(
      put(store, 'roles/edit', 'mine', { expect: 0 }),
      (err) => err instanceof WriteConflict && err.current?.revision === base1,
    );
    const written = await put(store, 'roles/edit', 'mine', { expect: base1 });
    assert.equal(written.revision, 2);
    await assert.rejects(put(store, 'roles/edit', 'late', { expect: base1 }), WriteConflict);
    const deleted = await drop(store, 'roles/edit', 2);
    assert.equal(text(deleted), 'mine');
    assert.equal(store.read(T, 'roles/edit'), undefined);
    // The tombstone is no object: nobody can expect its revision.
    for (const expect of [base1, 3]) {
      await assert.rejects(
        put(store, 'roles/edit', 'x', { expect }),
        (err) => err instanceof WriteConflict && err.current === undefined,
      );
    }
    await assert.rejects(drop(store, 'roles/edit', 0), WriteConflict);
    assert.equal((await put(store, 'roles/edit', 'new', { expect: 0 })).revision, 4);
    const gone = await drop(store, 'roles/view');
    assert.equal(text(gone), 'roles/view of uid-1@1');
  });

  it('merges ranges, counts and older snapshots in key order', async () => {
    await using store = await opened();
    await put(store, 'roles/custom', 'own');
    await put(store, 'roles/edit', 'mine');
    await drop(store, 'roles/view');
    await put(store, 'spaces/other', 'own');
    const list = (revision: number) => {
      using snapshot = store.snapshot(T, revision);
      assert.equal(snapshot.count('roles/', {}), snapshot.range('roles/', ALL).length);
      const pages: string[] = [];
      for (let after = ''; ; ) {
        const [entry] = snapshot.range('roles/', { after, limit: 1 });
        if (!entry) break;
        pages.push(entry.key);
        after = entry.key;
      }
      assert.deepEqual(pages, keysOf(snapshot.range('roles/', ALL)));
      return snapshot.range('roles/', ALL).map(({ key, revision: r }) => `${key}@${r}`);
    };
    assert.deepEqual(list(1), ['roles/admin@1', 'roles/edit@1', 'roles/view@1']);
    assert.deepEqual(list(2), ['roles/admin@1', 'roles/custom@2', 'roles/edit@1', 'roles/view@1']);
    assert.deepEqual(list(3), ['roles/admin@1', 'roles/custom@2', 'roles/edit@3', 'roles/view@1']);
    assert.deepEqual(list(5), ['roles/admin@1', 'roles/custom@2', 'roles/edit@3']);
    using snapshot = store.snapshot(T);
    assert.equal(snapshot.count('roles/', { after: 'roles/admin' }), 2);
    assert.equal(snapshot.count('', {}), 5);
    assert.throws(() => store.snapshot(T, 6), FutureRevision);
  });

  it('tells watches the base object a first write or a deletion replaced', async () => {
    await using store = await opened();
    using watch = collect(store, { prefix: 'roles/', after: 1 });
    await put(store, 'roles/edit', 'mine');
    await drop(store, 'roles/edit');
    await put(store, 'roles/edit', 'new');
    await drop(store, 'roles/view');
    await watch.until(4);
    assert.deepEqual(watch.changes.map(summary), [
      ['roles/edit', 'roles/edit of uid-1@1', 'mine'],
      ['roles/edit', 'mine', undefined],
      ['roles/edit', undefined, 'new'],
      ['roles/view', 'roles/view of uid-1@1', undefined],
    ]);
    using again = collect(store, { prefix: 'roles/', after: 1 });
    await again.until(4);
    assert.deepEqual(again.changes.map(summary), watch.changes.map(summary));
  });

  it('shows the creation of a tenant as the creation of its base objects', async () => {
    await using store = open();
    const seen: Change[] = [];
    using _stream = store.changes((changes) => seen.push(...changes));
    using early = collect(store, { prefix: 'roles/', after: 0 });
    await store.createTenant(T, CREATED);
    await put(store, 'roles/custom', 'own');
    await early.until(4);
    assert.deepEqual(
      early.changes.map(({ key, revision }) => `${key}@${revision}`),
      ['roles/admin@1', 'roles/edit@1', 'roles/view@1', 'roles/custom@2'],
    );
    assert.equal(early.changes[0]?.value?.toString(), 'roles/admin of uid-1@1');
    assert.equal(seen.length, 5);
    assert.ok(seen.every(({ previous }) => previous === undefined));
    using resumed = collect(store, { prefix: '', after: 0 });
    await resumed.until(5);
  });

  it('does not keep base values, and makes them only when they are looked at', async () => {
    let made = 0;
    const counted = [
      {
        key: 'roles/admin',
        value: () => {
          made++;
          return Buffer.from('x');
        },
      },
    ];
    await using store = withBaseLayer(createMemoryStore({ now: () => 1 }), counted);
    using _stream = store.changes(() => {});
    await store.createTenant(T, CREATED);
    using snapshot = store.snapshot(T);
    snapshot.range('other/', ALL);
    assert.equal(made, 0);
    store.read(T, 'roles/admin');
    store.read(T, 'roles/admin');
    assert.equal(made, 2);
  });

  it('agrees with a trivial store when every key written is a base key', async () => {
    const store = await openDeleted(MODEL_KEYS, { now: () => 1, memory: { events: 25 } });
    const subject = { store, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
    // One write at a time: the layer compares with what is durable.
    await modelCheck(subject, { seed: 4, rounds: 300, burst: 1 });
    await store[Symbol.asyncDispose]();
  });

  it('keeps its own record out of reach', async () => {
    await using store = await opened();
    assert.equal(store.read(T, '\0tenant'), undefined);
    using snapshot = store.snapshot(T);
    assert.equal(snapshot.read('\0tenant'), undefined);
    await assert.rejects(put(store, '\0tenant', 'x'), /the key is reserved/);
  });
});

function baseKeys(): string[] {
  return base.map(({ key }) => key);
}

function summary({ key, previous, value }: Change): (string | undefined)[] {
  return [key, previous?.toString(), value?.toString()];
}
