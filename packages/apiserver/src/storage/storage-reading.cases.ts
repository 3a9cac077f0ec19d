import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StoreOptions } from './ordered-store.ts';
import {
  CASE_TENANTS,
  drop,
  keysOf,
  type OpenSubject,
  put,
  putNew,
  text,
} from './storage-case-helpers.cases.ts';
import { FutureRevision, WriteConflict } from './store.ts';

const [T, OTHER] = CASE_TENANTS;
const TIMEOUT = { timeout: 30_000 };
const ALL = { limit: Number.POSITIVE_INFINITY };

/** Reading, ranges, snapshots and comparing. */
export function readingCases(name: string, open: OpenSubject): void {
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
}
