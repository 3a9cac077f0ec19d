import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoreOptions } from './ordered-store.ts';
import {
  CASE_TENANTS,
  collect,
  drop,
  eventually,
  keysOf,
  put,
  putNew,
  type Subject,
  text,
} from './storage-case-helpers.cases.ts';
import { modelCheck } from './storage-model.cases.ts';
import { type Change, Compacted, FutureRevision, WriteConflict } from './store.ts';

/** Makes an empty store. */
export type OpenSubject = (options: StoreOptions) => Promise<Subject>;

const [T, OTHER] = CASE_TENANTS;
const TIMEOUT = { timeout: 30_000 };
const ALL = { limit: Number.POSITIVE_INFINITY };

/** Behaviour every engine must show; `open` makes an empty store whose tenants may already exist. */
export function storageCases(name: string, open: OpenSubject): void {
  const fresh = (options: Partial<StoreOptions> = {}) => open({ now: () => 1_000, ...options });

  describe(`${name}: reading and writing`, TIMEOUT, () => {
    it('reads what was written, with the revision that wrote it', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      assert.equal(store.read(T, 'a/1'), undefined);
      const written = await put(store, 'a/1', 'one');
      assert.equal(written.revision, start + 1);
      assert.equal(text(written), 'one');
      assert.deepEqual(store.read(T, 'a/1'), written);
      assert.equal(store.revision(T), start + 1);
    });

    it('counts one revision per write and gives it to the value', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      const given: number[] = [];
      for (const key of ['a', 'b', 'c']) {
        const value = (revision: number) => {
          given.push(revision);
          return Buffer.from(String(revision));
        };
        await store.write(T, { key: `n/${key}`, expect: 0, value });
      }
      assert.deepEqual(given, [start + 1, start + 2, start + 3]);
      assert.equal(text(store.read(T, 'n/c')), String(start + 3));
    });

    it('deletes, answering with what was deleted and the revision of the deletion', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const { revision } = await put(store, 'a/1', 'one');
      const deleted = await drop(store, 'a/1', revision);
      assert.equal(deleted.revision, revision + 1);
      assert.equal(text(deleted), 'one');
      assert.equal(store.read(T, 'a/1'), undefined);
      assert.equal((await putNew(store, 'a/1', 'again')).revision, revision + 2);
    });

    it('keeps empty and large values as they are', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const large = Buffer.alloc(1_500_000, 'large value ');
      await store.write(T, { key: 'v/large', expect: 0, value: () => large });
      await store.write(T, { key: 'v/empty', expect: 0, value: () => Buffer.alloc(0) });
      assert.ok(store.read(T, 'v/large')?.value.equals(large));
      assert.equal(store.read(T, 'v/empty')?.value.length, 0);
      using snapshot = store.snapshot(T);
      const entries = snapshot.range('v/', ALL);
      assert.deepEqual(keysOf(entries), ['v/empty', 'v/large']);
      assert.ok(entries[1]?.value.equals(large));
    });

    it('keeps keys with unusual characters apart and in byte order', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const keys = ['k/\0', 'k/ ', 'k/%2F', 'k/a', 'k/a\0', 'k/a/', 'k/ä', 'k/\ud7ff', 'k/\uffff'];
      keys.push('k/😀', 'k/\u{10ffff}', `k/${'x'.repeat(1_500)}`);
      for (const key of keys) await put(store, key, `value of ${key}`);
      using snapshot = store.snapshot(T);
      const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(keysOf(snapshot.range('k/', ALL)), sorted);
      for (const key of keys) assert.equal(text(store.read(T, key)), `value of ${key}`);
      for (const [index, key] of sorted.entries()) {
        const rest = snapshot.range('k/', { after: key, ...ALL });
        assert.deepEqual(keysOf(rest), sorted.slice(index + 1));
      }
    });

    it('refuses keys it could not give back', async () => {
      await using subject = await fresh();
      const { store } = subject;
      for (const key of ['', 'k/\ud800', `k/${'x'.repeat(3_000)}`]) {
        await assert.rejects(put(store, key, 'x'), /^TypeError: Cannot write/);
        assert.equal(store.read(T, key), undefined);
      }
      await assert.rejects(put(store, 'k', 'x', { tenant: 'a\0b' }), /^TypeError: Cannot write/);
    });

    it('leaves nothing behind when the value cannot be made', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      const value = () => {
        throw new Error('no value');
      };
      await assert.rejects(store.write(T, { key: 'a', expect: 0, value }), /no value/);
      assert.equal((await putNew(store, 'a', 'x')).revision, start + 1);
    });

    it('keeps tenants apart', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(OTHER);
      await put(store, 'a/1', 'mine');
      await put(store, 'a/2', 'mine');
      await put(store, 'a/1', 'theirs', { tenant: OTHER });
      assert.equal(store.revision(OTHER), start + 1);
      assert.equal(text(store.read(OTHER, 'a/1')), 'theirs');
      assert.equal(store.read(OTHER, 'a/2'), undefined);
      using snapshot = store.snapshot(OTHER);
      assert.deepEqual(keysOf(snapshot.range('a/', ALL)), ['a/1']);
    });

    it('names the tenants that hold data', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const before = store.tenants();
      assert.equal(store.revision('zulu'), 0);
      assert.deepEqual(store.tenants(), before);
      await put(store, 'a', 'x', { tenant: 'zulu' });
      await put(store, 'a', 'x', { tenant: 'zulu-2' });
      assert.deepEqual(store.tenants(), [...before, 'zulu', 'zulu-2'].sort());
    });
  });

  describe(`${name}: ranges`, TIMEOUT, () => {
    it('lists in key order, from after a key, up to a limit', async () => {
      await using subject = await fresh();
      const { store } = subject;
      for (const key of ['r/c', 'r/a', 'r/e', 'r/b', 'r/d']) await put(store, key, key);
      using snapshot = store.snapshot(T);
      const list = (after: string | undefined, limit: number) =>
        keysOf(snapshot.range('r/', after === undefined ? { limit } : { after, limit }));
      assert.deepEqual(list(undefined, 10), ['r/a', 'r/b', 'r/c', 'r/d', 'r/e']);
      assert.deepEqual(list(undefined, 2), ['r/a', 'r/b']);
      assert.deepEqual(list('r/b', 2), ['r/c', 'r/d']);
      assert.deepEqual(list('r/bb', 10), ['r/c', 'r/d', 'r/e']);
      assert.deepEqual(list('r/e', 10), []);
      assert.deepEqual(list('', 1), ['r/a']);
      assert.deepEqual(list('q/z', 1), ['r/a']);
      assert.deepEqual(list('s', 10), []);
      assert.deepEqual(list(undefined, 0), []);
      assert.equal(snapshot.count('r/', {}), 5);
      assert.equal(snapshot.count('r/', { after: 'r/b' }), 3);
      assert.equal(snapshot.count('r/', { after: 'r/e' }), 0);
      assert.ok(snapshot.count('r/', { atMost: 2 }) >= 2);
    });

    it('ends a range exactly where its prefix ends', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const keys = ['p/a', 'p/a/1', 'p/a/2', 'p/a0', 'p/ab/1', 'p/b'];
      for (const key of keys) await put(store, key, key);
      using snapshot = store.snapshot(T);
      assert.deepEqual(keysOf(snapshot.range('p/a/', ALL)), ['p/a/1', 'p/a/2']);
      assert.deepEqual(keysOf(snapshot.range('p/a', ALL)), keys.slice(0, 5));
      assert.deepEqual(keysOf(snapshot.range('p/b', ALL)), ['p/b']);
      assert.deepEqual(keysOf(snapshot.range('p/c', ALL)), []);
      assert.equal(snapshot.count('p/a/', {}), 2);
    });

    it('lists thousands of keys in pages without loss', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const keys = Array.from({ length: 3_000 }, (_, i) => `t/${String(i).padStart(5, '0')}`);
      await Promise.all([...keys].reverse().map((key) => putNew(store, key, `value of ${key}`)));
      using snapshot = store.snapshot(T);
      assert.equal(snapshot.count('t/', {}), keys.length);
      const found: string[] = [];
      for (let after = 't/'; ; ) {
        const page = snapshot.range('t/', { after, limit: 700 });
        found.push(...keysOf(page));
        for (const entry of page) assert.equal(text(entry), `value of ${entry.key}`);
        const last = page.at(-1);
        if (!last) break;
        after = last.key;
      }
      assert.deepEqual(found, keys);
    });
  });

  describe(`${name}: snapshots`, TIMEOUT, () => {
    it('shows one revision whatever is written meanwhile', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const first = await put(store, 's/1', 'one');
      await put(store, 's/2', 'two');
      using snapshot = store.snapshot(T);
      assert.equal(snapshot.revision, store.revision(T));
      await put(store, 's/1', 'changed');
      await drop(store, 's/2');
      await put(store, 's/3', 'three');
      assert.deepEqual(snapshot.range('s/', ALL).map(text), ['one', 'two']);
      assert.equal(snapshot.read('s/1')?.revision, first.revision);
      assert.equal(snapshot.read('s/3'), undefined);
      assert.equal(snapshot.count('s/', {}), 2);
      using now = store.snapshot(T);
      assert.deepEqual(now.range('s/', ALL).map(text), ['changed', 'three']);
    });

    it('reads any older revision inside the window as it was', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      const a = await put(store, 's/a', 'a1');
      await put(store, 's/b', 'b1');
      await put(store, 's/a', 'a2');
      await drop(store, 's/b');
      await put(store, 's/c', 'c1');
      await put(store, 's/b', 'b2');
      const expected = [[], ['a1'], ['a1', 'b1'], ['a2', 'b1'], ['a2'], ['a2', 'c1']];
      expected.push(['a2', 'b2', 'c1']);
      for (const [index, values] of expected.entries()) {
        using snapshot = store.snapshot(T, start + index);
        assert.equal(snapshot.revision, start + index);
        assert.deepEqual(snapshot.range('s/', ALL).map(text), values);
        assert.deepEqual(snapshot.range('s/', { limit: 1 }).map(text), values.slice(0, 1));
        const rest = snapshot.range('s/', { after: 's/a', limit: 5 }).map(text);
        assert.deepEqual(rest, values.slice(1));
        assert.equal(snapshot.count('s/', {}), values.length);
        assert.equal(
          text(snapshot.read('s/a')),
          values.find((value) => value.startsWith('a')),
        );
      }
      using snapshot = store.snapshot(T, start + 2);
      assert.equal(snapshot.read('s/a')?.revision, a.revision);
    });

    it('refuses a revision that is not there yet', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const { revision } = await put(store, 's/a', 'a1');
      assert.throws(
        () => store.snapshot(T, revision + 1),
        (err) => err instanceof FutureRevision && err.current === revision,
      );
    });

    it('cannot be read once it is closed', async () => {
      await using subject = await fresh();
      const { store } = subject;
      await put(store, 's/a', 'a1');
      for (const revision of [undefined, store.revision(T) - 1]) {
        const snapshot = store.snapshot(T, revision);
        snapshot[Symbol.dispose]();
        snapshot[Symbol.dispose]();
        assert.throws(
          () => snapshot.read('s/a'),
          /Cannot read revision \d+: the snapshot is closed/,
        );
        assert.throws(() => snapshot.range('s/', ALL), /closed/);
      }
    });
  });

  describe(`${name}: comparing`, TIMEOUT, () => {
    it('refuses a write that expects another revision, naming the current one', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const first = await put(store, 'c/1', 'one');
      const second = await put(store, 'c/1', 'two');
      for (const expect of [0, first.revision, second.revision + 1]) {
        for (const value of [() => Buffer.from('x'), undefined]) {
          await assert.rejects(
            store.write(T, { key: 'c/1', expect, value }),
            (err) => err instanceof WriteConflict && err.current?.revision === second.revision,
          );
        }
      }
      assert.equal(text(store.read(T, 'c/1')), 'two');
      assert.equal(store.revision(T), second.revision);
    });

    it('refuses to change or delete what is not there', async () => {
      await using subject = await fresh();
      const { store } = subject;
      for (const expect of [0, 7]) {
        await assert.rejects(
          store.write(T, { key: 'c/none', expect, value: undefined }),
          (err) => err instanceof WriteConflict && err.current === undefined,
        );
      }
      await assert.rejects(
        store.write(T, { key: 'c/none', expect: 7, value: () => Buffer.from('x') }),
        WriteConflict,
      );
    });

    it('lets one of many concurrent writers of a key win, and the losers see the winner', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const { revision } = await put(store, 'c/1', 'start');
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, async (_, i) => {
          try {
            return await put(store, 'c/1', `writer ${i}`, { expect: revision });
          } catch (err) {
            assert.ok(err instanceof WriteConflict);
            // The conflict is told when the winner can be read: a retry makes progress.
            assert.equal(store.read(T, 'c/1')?.revision, revision + 1);
            assert.equal(err.current?.revision, revision + 1);
            throw err;
          }
        }),
      );
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of results) {
        if (result.status === 'rejected') assert.ok(result.reason instanceof WriteConflict);
      }
      assert.equal(store.revision(T), revision + 1);
    });

    it('loses no increment of a counter that many writers raise with retries', async () => {
      await using subject = await fresh();
      const { store } = subject;
      await put(store, 'c/counter', '0');
      const raise = async () => {
        for (;;) {
          const entry = store.read(T, 'c/counter')!;
          const next = String(Number(text(entry)) + 1);
          try {
            return await put(store, 'c/counter', next, { expect: entry.revision });
          } catch (err) {
            if (!(err instanceof WriteConflict)) throw err;
          }
        }
      };
      await Promise.all(Array.from({ length: 25 }, raise));
      assert.equal(text(store.read(T, 'c/counter')), '25');
    });

    it('orders many concurrent writers of many keys without losing one', async () => {
      await using subject = await fresh();
      const { store } = subject;
      const start = store.revision(T);
      const entries = await Promise.all(
        Array.from({ length: 500 }, (_, i) => putNew(store, `m/${i}`, `v${i}`)),
      );
      const revisions = entries.map((entry) => entry.revision);
      assert.deepEqual(
        revisions,
        Array.from({ length: 500 }, (_, i) => start + 1 + i),
      );
      for (const entry of entries) assert.deepEqual(store.read(T, entry.key), entry);
    });
  });

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

  describe(`${name}: against a model`, { timeout: 120_000 }, () => {
    for (const seed of [1, 2, 3]) {
      it(`agrees with a trivial store over random operations (seed ${seed})`, async () => {
        await using subject = await fresh({ memory: { events: 25 } });
        await modelCheck(subject, { seed, rounds: 120 });
      });
    }
  });
}
