import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CannotOpenStore, openLmdbStore } from './lmdb.ts';
import { startChild, temporaryDirectory } from './lmdb-test-helpers.cases.ts';
import { collect, put, putNew } from './storage-case-helpers.cases.ts';
import { type Store, StoreUnavailable } from './store.ts';

const T = 'root';
const now = () => 1_000;
const ALL = { limit: Number.POSITIVE_INFINITY };
const VALUE = Buffer.alloc(64 << 10, 'filling ');
const [, program = '', role, childDir = ''] = process.argv;

// This file is also the program of its child processes.
if (role === 'open') await tryToOpen(childDir);
if (role === 'fill') await fill(childDir);

/** Opens the store, or says why not. */
async function tryToOpen(dir: string): Promise<void> {
  try {
    await openLmdbStore({ dir, now });
    writeSync(1, 'open\n');
  } catch (err) {
    writeSync(1, `${err instanceof Error ? err.message : String(err)}\n`);
  }
  process.exit(0);
}

/** Writes until the store refuses; says how many went in, and why not more. */
async function fill(dir: string): Promise<void> {
  const store = await openLmdbStore({ dir, now });
  const count = await writeUntilRefused(store);
  const { message } = await refusal(store);
  const isReadable = store.read(T, 'fill/0')?.value.length === VALUE.length;
  writeSync(1, `${JSON.stringify({ count, message, isReadable, revision: store.revision(T) })}\n`);
  process.exit(0);
}

async function writeUntilRefused(store: Store): Promise<number> {
  for (let count = 0; ; count++) {
    try {
      await store.write(T, { key: `fill/${count}`, expect: 0, value: () => VALUE });
    } catch (err) {
      assert.ok(err instanceof StoreUnavailable);
      return count;
    }
  }
}

async function refusal(store: Store): Promise<Error> {
  const large = Buffer.alloc(8 << 20);
  try {
    await store.write(T, { key: 'large', expect: 0, value: () => large });
  } catch (err) {
    assert.ok(err instanceof StoreUnavailable);
    return err;
  }
  throw new Error('The store accepted what does not fit');
}

describe('files', { timeout: 60_000 }, () => {
  it('are for their owner only', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    const before = process.umask(0);
    try {
      await using store = await openLmdbStore({ dir, now });
      await put(store, 'a', 'x');
      assert.equal(statSync(dir).mode & 0o777, 0o700);
      for (const name of readdirSync(dir)) {
        assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600, name);
      }
    } finally {
      process.umask(before);
    }
  });

  it('that cannot be used give a clear error', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'file'), '');
    await assert.rejects(openLmdbStore({ dir: join(dir, 'file'), now }), /it is not a directory/);
    writeFileSync(join(dir, 'data.mdb'), 'this is no database'.repeat(1_000));
    await assert.rejects(openLmdbStore({ dir, now }), (err) => {
      assert.ok(err instanceof CannotOpenStore);
      assert.match(
        err.message,
        /^Cannot open the store in ".*": data.mdb is damaged, or not an lmdb file$/,
      );
      return true;
    });
  });

  it('that were cut short give a clear error', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    {
      await using store = await openLmdbStore({ dir, now });
      for (let i = 0; i < 20; i++) await put(store, `c/${i}`, 'x'.repeat(3_000));
    }
    const file = join(dir, 'data.mdb');
    // In the middle of the data, whose pages have 16 KB each, and in the middle of the first header.
    for (const bytes of [3 * 16_384, 4_096]) {
      truncateSync(file, bytes);
      await assert.rejects(openLmdbStore({ dir, now }), /^CannotOpenStore: .*data.mdb is damaged/);
    }
  });

  it('of another user give a clear error', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can become another user');
    using place = temporaryDirectory();
    const { dir } = place;
    mkdirSync(dir, { recursive: true });
    spawnSync('chmod', ['755', join(dir, '..')]);
    await using child = startChild([process.execPath, program, 'open', dir], { uid: 65_534 });
    const line = await child.line();
    if (line === undefined) return context.skip('the other user cannot run this test');
    assert.match(line, /its files may not be written by this user/);
  });

  it('on a read-only file system give a clear error', async (context) => {
    using place = temporaryDirectory();
    const { dir } = place;
    if (!mountTmpfs(dir, 'size=16m')) return context.skip('this user cannot mount');
    try {
      await (await openLmdbStore({ dir: join(dir, 'a'), now }))[Symbol.asyncDispose]();
      spawnSync('mount', ['-o', 'remount,ro', dir]);
      const expected = /^Cannot open the store in ".*": the file system is read-only$/;
      await assert.rejects(openLmdbStore({ dir: join(dir, 'a'), now }), { message: expected });
      await assert.rejects(openLmdbStore({ dir: join(dir, 'b'), now }), { message: expected });
    } finally {
      spawnSync('umount', [dir]);
    }
  });
});

describe('a full disk', { timeout: 60_000 }, () => {
  it('refuses writes, keeps what it has, and works again when there is room', async (context) => {
    using place = temporaryDirectory();
    const { dir } = place;
    if (!mountTmpfs(dir, 'size=8m')) return context.skip('this user cannot mount');
    try {
      await checkFullDisk(dir, context);
    } finally {
      spawnSync('umount', [dir]);
    }
  });

  it('gives a clear error when a store is to be made on it', async (context) => {
    using place = temporaryDirectory();
    const { dir } = place;
    if (!mountTmpfs(dir, 'size=1m')) return context.skip('this user cannot mount');
    try {
      const free = statfsSync(dir).bavail * 4_096;
      writeFileSync(join(dir, 'ballast'), Buffer.alloc(free - (100 << 10)));
      const options = { dir: join(dir, 'store'), now };
      await assert.rejects(openLmdbStore(options), /^CannotOpenStore: .*the disk is full$/);
      rmSync(join(dir, 'ballast'));
      await using store = await openLmdbStore(options);
      await put(store, 'a', 'x');
    } finally {
      spawnSync('umount', [dir]);
    }
  });

  async function checkFullDisk(dir: string, context: TestContext): Promise<void> {
    const ballast = join(dir, 'ballast');
    writeFileSync(ballast, Buffer.alloc(3 << 20));
    const options = { dir: join(dir, 'store'), now };
    const store = await openLmdbStore(options);
    const count = await writeUntilRefused(store);
    context.diagnostic(`${count} values of 64 KiB fit`);
    const { message } = await refusal(store);
    assert.match(message, /^Cannot write "large": the disk of ".*" (is full|refused) \(.+\)$/);
    assert.equal(store.revision(T), count);
    using watch = collect(store, { prefix: '', after: count });
    rmSync(ballast);
    const written = await store.write(T, { key: 'after', expect: 0, value: () => VALUE });
    assert.equal(written.revision, count + 1);
    await watch.until(1);
    assert.deepEqual(
      watch.changes.map(({ key }) => key),
      ['after'],
    );
    await store[Symbol.asyncDispose]();
    await using again = await openLmdbStore(options);
    assert.equal(again.revision(T), count + 1);
    using snapshot = again.snapshot(T);
    const entries = snapshot.range('', ALL);
    assert.equal(entries.length, count + 1);
    assert.ok(entries.every(({ value }) => value.equals(VALUE)));
  }

  it('does the same where the file may not grow', async () => {
    using place = temporaryDirectory();
    const { dir } = place;
    const limit = `ulimit -f 4096 && exec "$0" "$@"`;
    const command = ['sh', '-c', limit, process.execPath, program, 'fill', dir] as const;
    await using child = startChild([...command]);
    const outcome = JSON.parse((await child.line()) ?? '{}') as Record<string, unknown>;
    assert.match(String(outcome['message']), /^Cannot write "large": the disk of ".*" refused/);
    assert.equal(outcome['isReadable'], true);
    assert.ok(Number(outcome['count']) > 3);
    assert.equal(outcome['revision'], outcome['count']);
    await child.kill();
    await using store = await openLmdbStore({ dir, now });
    assert.equal(store.revision(T), outcome['count']);
    await putNew(store, 'more', 'x');
  });
});

function mountTmpfs(dir: string, options: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  mkdirSync(dir, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir]).status === 0;
}
