import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { StoreOptions } from './ordered-store.ts';
import {
  CASE_TENANTS,
  collect,
  drop,
  eventually,
  type OpenSubject,
  put,
  putNew,
  text,
} from './storage-case-helpers.cases.ts';
import { type Change, Compacted, FutureRevision } from './store.ts';

const [T, OTHER] = CASE_TENANTS;
const TIMEOUT = { timeout: 30_000 };
const ALL = { limit: Number.POSITIVE_INFINITY };

/** Watches, history and restarts. */
export function watchingCases(name: string, open: OpenSubject): void {
  const fresh = (options: Partial<StoreOptions> = {}) => open({ now: () => 1_000, ...options });

  describe(`${name}: watching`, TIMEOUT, () => {
    it('delivers creations, updates and deletions with the values before and after', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      using watch = collect(store, { prefix: 'w/', after: start });
      await put(store, 'w/a', '1');
      await put(store, 'x/a', 'elsewhere');
      await put(store, 'w/a', '2');
      await drop(store, 'w/a');
      await watch.until(3);
      const seen = watch.changes.map(({ revision, key, value, previous }) => [
        revision - start,
        key,
        value?.toString(),
        previous?.toString(),
      ]);
      assert.deepEqual(seen, [
        [1, 'w/a', '1', undefined],
        [3, 'w/a', '2', '1'],
        [4, 'w/a', undefined, '2'],
      ]);
      assert.ok(watch.changes.every(({ tenant }) => tenant === T));
    });

    it('begins with history from any revision and goes on without gap or duplicate', async () => {
      await using subject = await fresh({ memory: { events: 10 } });
      const { store } = subject;
      const start = store.revision(T);
      const keys = ['h/a', 'h/b', 'h/c'];
      for (let i = 0; i < 40; i++) await put(store, keys[i % 3]!, `v${i}`);
      for (const after of [0, 1, 17, 29, 30, 31, 39, 40]) {
        using watch = collect(store, { prefix: 'h/', after: start + after });
        await put(store, 'h/a', 'live');
        await watch.until(41 - after);
        const revisions = watch.changes.map(({ revision }) => revision);
        assert.deepEqual(
          revisions.slice(0, 41 - after),
          Array.from({ length: 41 - after }, (_, i) => start + after + 1 + i),
        );
        for (const { value, revision } of watch.changes.slice(0, 40 - after)) {
          assert.equal(value?.toString(), `v${revision - start - 1}`);
        }
        await drop(store, 'h/a');
        await put(store, 'h/a', 'for the next round', { expect: 0 });
        await store.compact(T, start);
      }
    });

    it('misses nothing while writers write and watches come and go', async () => {
      await using subject = await fresh({ memory: { events: 50 } });
      const { store } = subject;
      const start = store.revision(T);
      const total = 600;
      const watches: ReturnType<typeof collect>[] = [];
      const written = Promise.all(
        Array.from({ length: 6 }, async (_, writer) => {
          for (let i = 0; i < total / 6; i++) {
            await put(store, `d/${writer}/${i % 7}`, `${writer}.${i}`);
            if (i % 10 === 0) {
              watches.push(collect(store, { prefix: 'd/', after: start + ((i * 3) % (i + 1)) }));
            }
          }
        }),
      );
      await written;
      for (const watch of watches) {
        await watch.until(start + total - watch.after);
        const revisions = watch.changes.map(({ revision }) => revision);
        const expected = Array.from(
          { length: start + total - watch.after },
          (_, i) => watch.after + 1 + i,
        );
        assert.deepEqual(revisions, expected);
        watch[Symbol.dispose]();
      }
    });

    it('tells nobody before the write is visible to readers', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const late: string[] = [];
      using _changes = store.changes((changes) => {
        for (const { tenant, key, revision } of changes) {
          const isVisible = store.read(tenant, key)?.revision === revision;
          if (!isVisible || store.revision(tenant) < revision) late.push(key);
        }
      });
      await Promise.all(Array.from({ length: 50 }, (_, i) => putNew(store, `v/${i}`, 'x')));
      assert.deepEqual(late, []);
    });

    it('calls no listener before the watch has been returned, and none after its end', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      await put(store, 'w/a', '1');
      let isReturned = false;
      const calls: boolean[] = [];
      const watch = store.watch(T, { prefix: 'w/', after: start }, () => calls.push(isReturned));
      isReturned = true;
      await eventually(() => calls.length === 1);
      watch[Symbol.dispose]();
      assert.equal(watch.closed, true);
      await put(store, 'w/a', '2');
      assert.deepEqual(calls, [true]);
    });

    it('gives all watches of one change the same object', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const after = store.revision(T);
      const seen: Change[] = [];
      const options = { prefix: 'w/', after };
      using _a = store.watch(T, options, ([change]) => seen.push(change!));
      using _b = store.watch(T, options, ([change]) => seen.push(change!));
      await put(store, 'w/a', '1');
      assert.equal(seen.length, 2);
      assert.equal(seen[0], seen[1]);
    });

    it('streams the changes of all tenants in order', async () => {
      await using subject = await fresh();
      const { store } = subject;
      await put(store, 'a', 'before');
      const seen: string[] = [];
      const stream = store.changes((changes) => {
        assert.ok(changes.length > 0);
        for (const change of changes) seen.push(`${change.tenant} ${change.key}`);
      });
      await put(store, 'b', '1');
      await put(store, 'c', '2', { tenant: OTHER });
      await drop(store, 'b');
      assert.equal(stream.closed, false);
      stream[Symbol.dispose]();
      assert.equal(stream.closed, true);
      await put(store, 'd', '3');
      assert.deepEqual(seen, [`${T} b`, `${OTHER} c`, `${T} b`]);
    });

    it('goes on when a listener throws, and reports it', async () => {
      const errors: unknown[] = [];
      await using subject = await fresh({ onListenerError: (error) => errors.push(error) });
      const { store } = subject;
      const after = store.revision(T);
      using _bad = store.watch(T, { prefix: '', after }, () => {
        throw new Error('listener');
      });
      using good = collect(store, { prefix: '', after });
      await put(store, 'a', '1');
      await good.until(1);
      assert.equal(errors.length, 1);
    });
  });

  describe(`${name}: history`, TIMEOUT, () => {
    it('forgets through the compacted revision and keeps what follows', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      for (let i = 1; i <= 10; i++) await put(store, 'h/a', `v${i}`);
      assert.ok(store.oldestRevision(T) <= start);
      await store.compact(T, start + 6);
      assert.equal(store.oldestRevision(T), start + 6);
      const isCompacted = (err: unknown) => err instanceof Compacted && err.oldest === start + 6;
      assert.throws(() => store.snapshot(T, start + 5), isCompacted);
      const options = { prefix: '', after: start + 5 };
      assert.throws(() => store.watch(T, options, () => {}), isCompacted);
      using snapshot = store.snapshot(T, start + 6);
      assert.equal(text(snapshot.read('h/a')), 'v6');
      using watch = collect(store, { prefix: 'h/', after: start + 6 });
      await watch.until(4);
      assert.equal(watch.changes[0]?.previous?.toString(), 'v6');
      await store.compact(T, start + 3);
      assert.equal(store.oldestRevision(T), start + 6);
      await assert.rejects(store.compact(T, start + 11), FutureRevision);
      await store.compact(T, start + 10);
      assert.equal(text(store.read(T, 'h/a')), 'v10');
    });

    it('keeps young changes, and the last ones whatever their age', async () => {
      let now = 1_000_000;
      const window = { ageMs: 60_000, events: 20, maxEvents: 5_000 };
      await using subject = await fresh({ now: () => now, window });
      const { store } = subject;
      const start = store.revision(T);
      for (let i = 0; i < 100; i++) await put(store, 'h/a', `v${i}`);
      assert.ok(store.oldestRevision(T) <= start);
      now += 61_000;
      // Trimming travels with later commits.
      for (let i = 0; i < 3; i++) await put(store, 'h/a', `later ${i}`);
      const oldest = store.oldestRevision(T);
      assert.ok(oldest > start && oldest <= store.revision(T) - 20, `oldest is ${oldest - start}`);
      using watch = collect(store, { prefix: '', after: oldest });
      await watch.until(store.revision(T) - oldest);
    });

    it('keeps no more than the window allows, however young', async () => {
      const window = { ageMs: 60_000, events: 20, maxEvents: 50 };
      await using subject = await fresh({ window });
      const { store } = subject;
      for (let i = 0; i < 300; i++) await put(store, 'h/a', `v${i}`);
      const kept = store.revision(T) - store.oldestRevision(T);
      assert.ok(kept >= 50 && kept <= 52, `${kept} kept`);
    });

    it('keeps an open snapshot readable when its revision is compacted', async () => {
      await using subject = await fresh();
      const { store } = subject;
      await put(store, 's/a', 'a1');
      await put(store, 's/b', 'b1');
      await drop(store, 's/b');
      using old = store.snapshot(T, store.revision(T) - 1);
      using current = store.snapshot(T);
      await put(store, 's/a', 'a2');
      await drop(store, 's/a');
      await store.compact(T, store.revision(T));
      assert.deepEqual(old.range('s/', ALL).map(text), ['a1', 'b1']);
      assert.deepEqual(current.range('s/', ALL).map(text), ['a1']);
      assert.equal(store.read(T, 's/a'), undefined);
    });

    it('finishes telling the past to a watch although it is compacted meanwhile', async () => {
      await using subject = await fresh({ memory: { events: 5 } });
      const { store } = subject;
      const start = store.revision(T);
      const count = 1_200;
      await Promise.all(Array.from({ length: count }, (_, i) => putNew(store, `p/${i}`, `v${i}`)));
      using watch = collect(store, { prefix: 'p/', after: start });
      await store.compact(T, start + count);
      await put(store, 'p/0', 'changed');
      await watch.until(count + 1);
      assert.deepEqual(
        watch.changes.map(({ revision }) => revision - start),
        Array.from({ length: count + 1 }, (_, i) => i + 1),
      );
    });
  });

  describe(`${name}: restarting`, TIMEOUT, () => {
    it('has everything after a restart, and watches resume', async (context) => {
      await using subject = await fresh();
      if (!subject.reopen) return context.skip('nothing outlives this store');
      const start = subject.store.revision(T);
      for (let i = 0; i < 30; i++) await put(subject.store, `r/${i % 4}`, `v${i}`);
      await drop(subject.store, 'r/1');
      await put(subject.store, 'r/1', 'theirs', { tenant: OTHER });
      await subject.store.compact(T, start + 5);
      const store = await subject.reopen();
      assert.equal(store.revision(T), start + 31);
      assert.equal(store.oldestRevision(T), start + 5);
      assert.equal(text(store.read(OTHER, 'r/1')), 'theirs');
      using snapshot = store.snapshot(T);
      assert.deepEqual(snapshot.range('r/', ALL).map(text), ['v28', 'v26', 'v27']);
      using old = store.snapshot(T, start + 30);
      assert.deepEqual(old.range('r/', ALL).map(text), ['v28', 'v29', 'v26', 'v27']);
      using watch = collect(store, { prefix: 'r/', after: start + 5 });
      await watch.until(26);
      const seen = watch.changes.map(({ value }) => value?.toString());
      assert.deepEqual(seen, [...Array.from({ length: 25 }, (_, i) => `v${i + 5}`), undefined]);
      assert.equal((await put(store, 'r/5', 'next')).revision, start + 32);
      await watch.until(27);
    });

    it('tells of large values as they were', async (context) => {
      await using subject = await fresh();
      if (!subject.reopen) return context.skip('nothing outlives this store');
      const start = subject.store.revision(T);
      const wanted = [0, 1, 2, 3].map((i) => `${i}${'status '.repeat(5_000 * i)}`);
      // What cannot be made smaller, too.
      wanted.push(randomBytes(20_000).toString('latin1'), 'small again');
      for (const value of wanted) await put(subject.store, 'r/a', value);
      const store = await subject.reopen();
      using watch = collect(store, { prefix: 'r/', after: start });
      await watch.until(wanted.length);
      assert.deepEqual(
        watch.changes.map(({ value }) => value?.toString()),
        wanted,
      );
      assert.deepEqual(
        watch.changes.map(({ previous }) => previous?.toString()),
        [undefined, ...wanted.slice(0, -1)],
      );
      using old = store.snapshot(T, start + 4);
      assert.equal(text(old.read('r/a')), wanted[3]);
    });

    it('refuses writes once it is closed, and finishes those it accepted', async () => {
      const subject = await fresh();
      const { store } = subject;
      const accepted = Promise.all(
        Array.from({ length: 20 }, (_, i) => putNew(store, `z/${i}`, 'x')),
      );
      await subject[Symbol.asyncDispose]();
      assert.equal((await accepted).length, 20);
      await assert.rejects(
        putNew(store, 'z/late', 'x'),
        /Cannot write "z\/late": the store closes/,
      );
    });
  });
}
