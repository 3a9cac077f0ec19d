import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { open } from 'lmdb';
import { MIGRATIONS, type Migration, writeVersion } from './lmdb/format.ts';
import { encodeNumbers, encodeObject } from './lmdb/records.ts';
import { openTables, type Tables } from './lmdb/tables.ts';
import { CannotOpenStore, openLmdbStore, StoreInUse } from './lmdb.ts';
import { damage, startChild, temporaryDirectory } from './lmdb-test-helpers.cases.ts';
import { collect, put, text } from './storage-case-helpers.cases.ts';
import { Compacted, DamagedRecord } from './store.ts';

const T = 'root';
const now = () => 1_000;
const ALL = { limit: Number.POSITIVE_INFINITY };
const [, program = '', role, childDir = ''] = process.argv;

// This file is also the program of its child processes.
if (role === 'hold') await hold(childDir);

/** Opens the store and keeps it, or says why not. */
async function hold(dir: string): Promise<void> {
  try {
    // Used afterwards, or it would be garbage, and its hold on the directory with it.
    await using store = await openLmdbStore({ dir, now });
    writeSync(1, 'open\n');
    await new Promise((resolve) => setTimeout(resolve, 600_000));
    assert.equal(store.revision(T), 0);
  } catch (err) {
    writeSync(1, `${err instanceof Error ? err.message : String(err)}\n`);
    process.exit(0);
  }
}

async function withTables(dir: string, act: (tables: Tables) => void): Promise<void> {
  const tables = openTables(open<Buffer, string>(dir, { overlappingSync: false, noSubdir: false }));
  act(tables);
  await tables.root.close();
}

describe('a damaged record', { timeout: 30_000 }, () => {
  it('is reported with its key and never served, and the rest stays readable', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    {
      await using store = await openLmdbStore({ dir, now });
      for (const key of ['d/a', 'd/b', 'd/c']) await put(store, key, `contents of ${key}`);
    }
    assert.ok(damage(dir, 'contents of d/b') > 0);
    await using store = await openLmdbStore({ dir, now });
    const isDamaged = (err: unknown) => err instanceof DamagedRecord && err.key === 'd/b';
    assert.throws(() => store.read(T, 'd/b'), isDamaged);
    using snapshot = store.snapshot(T);
    assert.throws(() => snapshot.read('d/b'), isDamaged);
    assert.throws(() => snapshot.range('d/', ALL), isDamaged);
    assert.throws(() => snapshot.range('d/', { after: 'd/a', limit: 1 }), isDamaged);
    await assert.rejects(put(store, 'd/b', 'new', { expect: 2 }), isDamaged);
    assert.equal(text(store.read(T, 'd/a')), 'contents of d/a');
    assert.equal(text(snapshot.range('d/', { after: 'd/b', limit: 1 })[0]), 'contents of d/c');
    assert.equal((await put(store, 'd/a', 'new')).revision, 4);
  });

  it('is noticed when it is sound but stands under another key', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    {
      await using store = await openLmdbStore({ dir, now });
      await put(store, 'd/a', 'contents');
    }
    await withTables(dir, ({ objects }) => {
      objects.putSync(`${T}\0d/b`, objects.get(`${T}\0d/a`) ?? Buffer.alloc(0));
      objects.putSync(`${T}\0d/c`, Buffer.from('short'));
    });
    await using store = await openLmdbStore({ dir, now });
    assert.equal(text(store.read(T, 'd/a')), 'contents');
    assert.throws(() => store.read(T, 'd/b'), DamagedRecord);
    assert.throws(() => store.read(T, 'd/c'), DamagedRecord);
  });

  it('in history ends a watch rather than leaving a gap', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    {
      await using store = await openLmdbStore({ dir, now });
      for (const value of ['first', 'second', 'third']) await put(store, 'd/a', `the ${value} one`);
    }
    assert.ok(damage(dir, 'the first one') > 0);
    await using store = await openLmdbStore({ dir, now });
    const seen: number[] = [];
    const ended = await new Promise<Error>((resolve) => {
      store.watch(T, { prefix: '', after: 0, ended: resolve }, (changes) => {
        seen.push(...changes.map(({ revision }) => revision));
      });
    });
    assert.ok(ended instanceof DamagedRecord);
    assert.deepEqual(seen, []);
    using watch = collect(store, { prefix: '', after: 2 });
    await watch.until(1);
    assert.throws(() => store.snapshot(T, 1), DamagedRecord);
  });
});

describe('the format version', { timeout: 30_000 }, () => {
  it('of a newer program is refused', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    await (await openLmdbStore({ dir, now }))[Symbol.asyncDispose]();
    await withTables(dir, (tables) => writeVersion(tables, 3));
    await assert.rejects(
      openLmdbStore({ dir, now }),
      (err) =>
        err instanceof CannotOpenStore &&
        err.message ===
          `Cannot open the store in "${dir}": its format is version 3, this program knows 2; use a newer program`,
    );
  });

  it('of an older program is migrated once a copy is made', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    await writeVersion0(dir);
    const migrations = new Map([...MIGRATIONS, [0, upgradeFrom0]]);
    {
      await using store = await openLmdbStore({ dir, now, migrations });
      assert.equal(text(store.read(T, 'a/1')), 'value from version 0');
      assert.equal(store.revision(T), 1);
    }
    const backups = readdirSync(dir).filter((name) => name.startsWith('backup-'));
    assert.deepEqual(backups, ['backup-v0-1970-01-01T00-00-01.000Z']);
    const copy = join(dir, backups[0] ?? '');
    assert.equal(statSync(copy).mode & 0o777, 0o700);
    assert.equal(statSync(join(copy, 'data.mdb')).mode & 0o777, 0o600);
    await withTables(copy, ({ objects }) => {
      assert.equal(objects.get(`${T}\0a/1`)?.toString(), 'value from version 0');
    });
    // Opened again it is an ordinary store.
    await using store = await openLmdbStore({ dir, now });
    assert.equal(text(store.read(T, 'a/1')), 'value from version 0');
  });

  it('1 is read as it stands, history included', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    {
      await using store = await openLmdbStore({ dir, now });
      await put(store, 'a/1', 'before');
      await put(store, 'a/1', 'after');
    }
    await withTables(dir, (tables) => writeVersion(tables, 1));
    await using store = await openLmdbStore({ dir, now });
    assert.equal(text(store.read(T, 'a/1')), 'after');
    using old = store.snapshot(T, 1);
    assert.equal(text(old.read('a/1')), 'before');
  });

  it('stays, with its data, when the migration fails or is unknown', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    await writeVersion0(dir);
    await assert.rejects(openLmdbStore({ dir, now }), /format version 0 cannot be migrated/);
    const failing = new Map<number, Migration>([
      ...MIGRATIONS,
      [
        0,
        (tables: Tables) => {
          tables.objects.removeSync(`${T}\0a/1`);
          throw new Error('half way');
        },
      ],
    ]);
    await assert.rejects(openLmdbStore({ dir, now, migrations: failing }), /half way/);
    await using store = await openLmdbStore({
      dir,
      now: () => 2_000,
      migrations: new Map([...MIGRATIONS, [0, upgradeFrom0]]),
    });
    assert.equal(text(store.read(T, 'a/1')), 'value from version 0');
  });

  it('is required where there is data', async () => {
    using place = temporaryDirectory();
    mkdirSync(place.dir);
    await withTables(place.dir, ({ objects }) => objects.putSync('x', Buffer.from('y')));
    await assert.rejects(openLmdbStore({ dir: place.dir, now }), /has data but no format version/);
  });

  /** An imagined older layout: bare values and no bounds. */
  async function writeVersion0(dir: string): Promise<void> {
    mkdirSync(dir, { recursive: true });
    await withTables(dir, (tables) => {
      writeVersion(tables, 0);
      tables.objects.putSync(`${T}\0a/1`, Buffer.from('value from version 0'));
    });
  }

  function upgradeFrom0({ objects, meta }: Tables): void {
    const at = `${T}\0a/1`;
    const value = objects.get(at) ?? Buffer.alloc(0);
    objects.putSync(at, encodeObject(at, { revision: 1, value }));
    meta.putSync(`tenant/${T}`, encodeNumbers(`tenant/${T}`, [1, 1]));
  }
});

describe('a directory in use', { timeout: 60_000 }, () => {
  it('is refused to a second store of the same process', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    const store = await openLmdbStore({ dir, now });
    await assert.rejects(
      openLmdbStore({ dir, now }),
      (err) => err instanceof StoreInUse && err.pid === process.pid && err.message.includes(dir),
    );
    await put(store, 'a', 'still works');
    await store[Symbol.asyncDispose]();
    await using again = await openLmdbStore({ dir, now });
    assert.equal(text(again.read(T, 'a')), 'still works');
  });

  it('is refused to another process until its user ends, however it ends', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    await using holder = startChild([process.execPath, program, 'hold', dir]);
    assert.equal(await holder.line(), 'open');
    await assert.rejects(openLmdbStore({ dir, now }), (err) => {
      assert.ok(err instanceof StoreInUse);
      assert.equal(
        err.message,
        `Cannot open the store in "${dir}": process ${holder.pid} has it open; stop that process or choose another directory`,
      );
      return true;
    });
    await holder.kill();
    await using store = await openLmdbStore({ dir, now });
    await put(store, 'a', 'x');
    // And the other way round.
    await using late = startChild([process.execPath, program, 'hold', dir]);
    assert.match((await late.line()) ?? '', new RegExp(`process ${process.pid} has it open`));
    await put(store, 'a', 'y');
  });

  it('goes to one of several that start together', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    const children = Array.from({ length: 4 }, () =>
      startChild([process.execPath, program, 'hold', dir]),
    );
    const lines = await Promise.all(children.map((child) => child.line()));
    await Promise.all(children.map((child) => child.kill()));
    const winners = lines.filter((line) => line === 'open');
    assert.ok(winners.length <= 1, `${winners.length} have it`);
    for (const line of lines) assert.match(line ?? '', /^open$|process \d+ has it open/);
  });
});

describe('a snapshot held too long', () => {
  it('is taken away when writes go on, so that the file does not grow for ever', async () => {
    using place = temporaryDirectory();
    const clock = { now: 1_000 };
    await using store = await openLmdbStore({
      dir: place.dir,
      now: () => clock.now,
      maxSnapshotAgeMs: 60_000,
    });
    await put(store, 'a', '1');
    const held = store.snapshot(T);
    const older = store.snapshot(T, 0);
    await put(store, 'a', '2');
    clock.now += 59_000;
    await put(store, 'a', '3');
    assert.equal(text(held.read('a')), '1');
    clock.now += 2_000;
    assert.equal(text(held.read('a')), '1');
    await put(store, 'a', '4');
    assert.throws(() => held.read('a'), Compacted);
    assert.throws(() => older.range('', ALL), Compacted);
    held[Symbol.dispose]();
    older[Symbol.dispose]();
    assert.equal(text(store.read(T, 'a')), '4');
  });

  it('cannot be read after the store is closed', async () => {
    using place = temporaryDirectory();
    const store = await openLmdbStore({ dir: place.dir, now });
    await put(store, 'a', '1');
    const held = store.snapshot(T);
    await store[Symbol.asyncDispose]();
    assert.throws(() => held.read('a'), /the store is closed/);
    assert.throws(() => store.read(T, 'a'), /the store is closed/);
    held[Symbol.dispose]();
  });
});
