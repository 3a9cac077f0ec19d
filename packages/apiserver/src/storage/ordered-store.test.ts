import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Commit, Engine } from './engine.ts';
import { createMemoryEngine } from './memory.ts';
import { OrderedStore } from './ordered-store.ts';
import { collect, eventually, put, putNew, text } from './storage-case-helpers.cases.ts';
import { StoreUnavailable, WriteConflict } from './store.ts';

const T = 'root';

/** A memory engine whose commits a test holds back, lets through or fails. */
function heldEngine() {
  const memory = createMemoryEngine();
  const waiting: { commit: Commit; decide: (error?: Error) => void }[] = [];
  const tidied: number[] = [];
  const engine: Engine = {
    ...memory,
    tidy: () => tidied.push(1),
    async commit(commit) {
      await new Promise<void>((resolve, reject) => {
        const decide = (error?: Error) => (error ? reject(error) : resolve());
        waiting.push({ commit, decide });
      });
      return memory.commit(commit);
    },
  };
  const next = async () => {
    await eventually(() => waiting.length > 0);
    return waiting.shift()!;
  };
  return { engine, next, waiting, tidied };
}

function open(engine: Engine): OrderedStore {
  return new OrderedStore(engine, { now: () => 1_000 });
}

describe('group commit', { timeout: 10_000 }, () => {
  it('commits together what is written in one turn, and what comes while a commit is under way', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const first = Promise.all(['a', 'b', 'c'].map((key) => putNew(store, key, 'x')));
    const one = await next();
    assert.deepEqual(keys(one.commit), ['a', 'b', 'c']);
    const later = Promise.all(['d', 'e'].map((key) => putNew(store, key, 'x')));
    one.decide();
    await first;
    const two = await next();
    assert.deepEqual(keys(two.commit), ['d', 'e']);
    assert.deepEqual(two.commit.bounds.get(T), { revision: 5, oldest: 0 });
    two.decide();
    await later;
  });

  it('shows nothing of a write before it is durable', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    using watch = collect(store, { prefix: '', after: 0 });
    const written = putNew(store, 'a', 'x');
    const { decide } = await next();
    assert.equal(store.read(T, 'a'), undefined);
    assert.equal(store.revision(T), 0);
    assert.equal(watch.changes.length, 0);
    decide();
    await written;
    assert.equal(store.revision(T), 1);
    assert.equal(watch.changes.length, 1);
  });

  it('tells a loser of the conflict only when the winner is durable', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const winner = putNew(store, 'a', 'winner');
    let isTold = false;
    const loser = putNew(store, 'a', 'loser').catch((err: unknown) => {
      isTold = true;
      return err;
    });
    const { commit, decide } = await next();
    assert.deepEqual(keys(commit), ['a']);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(isTold, false);
    decide();
    await winner;
    const conflict = await loser;
    assert.ok(conflict instanceof WriteConflict);
    assert.equal(text(conflict.current), 'winner');
  });

  it('splits what would be too much for one commit', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const value = Buffer.alloc(9 << 20);
    const writes = ['a', 'b', 'c'].map((key) =>
      store.write(T, { key, expect: 0, value: () => value }),
    );
    for (const key of ['a', 'b', 'c']) {
      const { commit, decide } = await next();
      assert.deepEqual(keys(commit), [key]);
      decide();
    }
    await Promise.all(writes);
  });
});

describe('a commit that fails', { timeout: 10_000 }, () => {
  it('fails every write in it, changes nothing, and later writes work', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const setUp = putNew(store, 'a', 'old');
    (await next()).decide();
    await setUp;
    using watch = collect(store, { prefix: '', after: 0 });
    const writes = [put(store, 'a', 'new'), putNew(store, 'b', 'x'), putNew(store, 'c', 'x')];
    const outcomes = Promise.allSettled(writes);
    (await next()).decide(new Error('the disk is full'));
    for (const outcome of await outcomes) {
      assert.equal(outcome.status, 'rejected');
      assert.ok(outcome.reason instanceof StoreUnavailable);
      assert.match(outcome.reason.message, /^Cannot write "\w": the disk is full$/);
    }
    assert.equal(store.revision(T), 1);
    assert.equal(text(store.read(T, 'a')), 'old');
    assert.equal(store.read(T, 'b'), undefined);
    const again = putNew(store, 'b', 'x');
    (await next()).decide();
    assert.equal((await again).revision, 2);
    await watch.until(2);
    assert.deepEqual(
      watch.changes.map(({ key }) => key),
      ['a', 'b'],
    );
  });

  it('fails the later writes of its tenants, which counted on it, and not those of others', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const first = putNew(store, 'a', 'x').catch((err: unknown) => err);
    const { decide } = await next();
    const second = putNew(store, 'b', 'x').catch((err: unknown) => err);
    const other = put(store, 'c', 'x', { tenant: 'blue' });
    decide(new Error('no'));
    assert.ok((await first) instanceof StoreUnavailable);
    assert.ok((await second) instanceof StoreUnavailable);
    (await next()).decide();
    assert.equal((await other).revision, 1);
    const third = putNew(store, 'b', 'x');
    (await next()).decide();
    assert.equal((await third).revision, 1);
  });

  it('lets a writer through that had only lost against it', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const winner = putNew(store, 'a', 'winner').catch((err: unknown) => err);
    const loser = putNew(store, 'a', 'loser');
    (await next()).decide(new Error('no'));
    assert.ok((await winner) instanceof StoreUnavailable);
    (await next()).decide();
    assert.equal((await loser).revision, 1);
    assert.equal(text(store.read(T, 'a')), 'loser');
  });

  it('leaves history as it was when it was to be compacted', async () => {
    const { engine, next } = heldEngine();
    const store = open(engine);
    const written = putNew(store, 'a', 'x');
    (await next()).decide();
    await written;
    const compacted = store.compact(T, 1).catch((err: unknown) => err);
    (await next()).decide(new Error('no'));
    assert.ok((await compacted) instanceof StoreUnavailable);
    assert.equal(store.oldestRevision(T), 0);
  });
});

describe('an idle store', () => {
  it('forgets its tenants and stops its only timer', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let now = 1_000;
      const tidied: number[] = [];
      const engine = { ...createMemoryEngine(), tidy: () => tidied.push(now) };
      const store = new OrderedStore(engine, { now: () => now });
      for (let i = 0; i < 50; i++) await put(store, 'a', 'x', { tenant: `tenant-${i}` });
      for (let i = 0; i < 30; i++) {
        now += 30_000;
        mock.timers.tick(30_000);
      }
      // The window is five minutes: then there is nothing left to look after.
      assert.ok(tidied.length >= 10 && tidied.length <= 12, `${tidied.length} times`);
      assert.equal(text(store.read('tenant-7', 'a')), 'x');
      await put(store, 'a', 'y', { tenant: 'tenant-7' });
      now += 30_000;
      mock.timers.tick(30_000);
      assert.equal(tidied.at(-1), now);
    } finally {
      mock.timers.reset();
    }
  });

  it('trims what became due after the last write', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let now = 1_000;
      const window = { ageMs: 60_000, events: 10, maxEvents: 1_000 };
      const store = new OrderedStore(createMemoryEngine(), { now: () => now, window });
      for (let i = 0; i < 40; i++) await put(store, 'a', `v${i}`);
      assert.equal(store.oldestRevision(T), 0);
      now += 90_000;
      mock.timers.tick(30_000);
      await eventually(() => store.oldestRevision(T) === 30);
    } finally {
      mock.timers.reset();
    }
  });
});

function keys(commit: Commit): string[] {
  return commit.changes.map(({ key }) => key);
}
