import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { RootDatabaseOptions } from 'lmdb';
import { openLmdbStore } from './lmdb.ts';

// A killed process loses nothing that reached the kernel, so kill -9 proves nothing about the
// disk. Two other witnesses do: the kernel's own list of pages that still have to be written, and the
// order of system calls.

const T = 'root';
const VALUE_BYTES = 2_000_000;
const WRITES = 5;
const [, program = '', role, childDir = '', childMarks = '', childSettings = '{}'] = process.argv;

if (role === 'mark') await writeAndMark();

/** Writes, and leaves a mark in another file at the moment each write is acknowledged. */
async function writeAndMark(): Promise<void> {
  const lmdb = JSON.parse(childSettings) as RootDatabaseOptions;
  const store = await openLmdbStore({ dir: childDir, now: () => 1, lmdb });
  const marks = openSync(childMarks, 'w');
  for (let i = 0; i < WRITES; i++) {
    const value = Buffer.alloc(VALUE_BYTES, i);
    await store.write(T, { key: `k${i}`, expect: 0, value: () => value });
    writeSync(marks, `acknowledged ${i}`);
  }
  closeSync(marks);
  await store[Symbol.asyncDispose]();
  process.exit(0);
}

/** Below the checkout: a temporary directory may be in memory, where nothing is ever flushed. */
function directoryOnDisk(): { dir: string } & Disposable {
  const parent = join(FLOTILLA_ROOT, '.cache');
  mkdirSync(parent, { recursive: true });
  const root = mkdtempSync(join(parent, 'flush-'));
  const remove = () => rmSync(root, { recursive: true, force: true });
  return { dir: join(root, 'store'), [Symbol.dispose]: remove };
}

/** Bytes of the mapped data file that the kernel has not written to the disk yet. */
function dirtyBytes(dir: string): number {
  let isOurs = false;
  let kilobytes = 0;
  for (const line of readFileSync('/proc/self/smaps', 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) isOurs = line.endsWith(join(dir, 'data.mdb'));
    const dirty = /^(?:Shared|Private)_Dirty: +(\d+) kB/.exec(line);
    if (isOurs && dirty) kilobytes += Number(dirty[1]);
  }
  return kilobytes * 1024;
}

/** The most that was unwritten when a write was acknowledged. */
async function dirtyWhenAcknowledged(dir: string, lmdb: RootDatabaseOptions): Promise<number> {
  await using store = await openLmdbStore({ dir, now: () => 1, lmdb });
  let most = 0;
  for (let i = 0; i < WRITES; i++) {
    const value = Buffer.alloc(VALUE_BYTES, i);
    await store.write(T, { key: `k${i}`, expect: 0, value: () => value });
    // Reading maps the pages, and only mapped pages are listed.
    assert.ok(store.read(T, `k${i}`)?.value.equals(value));
    most = Math.max(most, dirtyBytes(dir));
  }
  return most;
}

const TMPFS = 0x01021994;

describe('a write is acknowledged only after its flush', { timeout: 60_000 }, () => {
  it('by the kernel, which has nothing left to write', async (context) => {
    if (process.platform !== 'linux') return context.skip('needs /proc');
    using place = directoryOnDisk();
    if (statfsSync(join(place.dir, '..')).type === TMPFS) return context.skip('needs a disk');
    assert.equal(await dirtyWhenAcknowledged(place.dir, {}), 0);
  });

  it('and the kernel would tell if it were not so', async (context) => {
    if (process.platform !== 'linux') return context.skip('needs /proc');
    using place = directoryOnDisk();
    if (statfsSync(join(place.dir, '..')).type === TMPFS) return context.skip('needs a disk');
    const dirty = await dirtyWhenAcknowledged(place.dir, { noSync: true });
    assert.ok(dirty >= VALUE_BYTES, `${dirty} bytes`);
  });

  it('by the order of system calls: data, flush, header, acknowledgement', (context) => {
    using place = directoryOnDisk();
    const calls = traceWrites(place.dir, {});
    if (!calls) return context.skip('cannot trace system calls here');
    assert.equal(calls.length, WRITES);
    for (const steps of calls) assert.match(steps, /^(data )+flush header acknowledged$/);
  });

  it('and the order would tell if it were not so', (context) => {
    using place = directoryOnDisk();
    const unflushed = traceWrites(place.dir, { noSync: true });
    if (!unflushed) return context.skip('cannot trace system calls here');
    for (const steps of unflushed) assert.doesNotMatch(steps, /flush/);
    using other = directoryOnDisk();
    // lmdb 3.5.6 waits for the flush in this mode, too, but makes the write visible before it.
    const overlapping = traceWrites(other.dir, { overlappingSync: true }) ?? [];
    for (const steps of overlapping) assert.doesNotMatch(steps, /^(data )+flush header ack/);
  });
});

/** What happened up to each acknowledgement, in words; undefined where strace cannot be used. */
function traceWrites(dir: string, settings: RootDatabaseOptions): string[] | undefined {
  const log = join(dir, '..', 'trace');
  const marks = join(dir, '..', 'marks');
  const calls = 'trace=pwrite64,pwritev,pwritev2,writev,write,fdatasync,fsync,msync';
  const child = [process.execPath, program, 'mark', dir, marks, JSON.stringify(settings)];
  const { status } = spawnSync('strace', ['-f', '-y', '-qq', '-e', calls, '-o', log, ...child]);
  if (status !== 0) return undefined;
  const happened = readFileSync(log, 'utf8').split('\n').flatMap(wordFor).join(' ');
  // Before the first write the store was made, with flushes of its own.
  const rounds = happened.split(/(?<=acknowledged) /).filter((round) => round.includes('acknow'));
  const first = rounds[0]?.lastIndexOf('header data') ?? -1;
  return rounds.map((round, i) => (i === 0 ? round.slice(first + 'header '.length) : round));
}

function wordFor(line: string): string[] {
  if (line.includes('"acknowledged')) return ['acknowledged'];
  if (!line.includes('/data.mdb>')) return [];
  if (/(fdatasync|fsync|msync)\(/.test(line)) return ['flush'];
  const header = /pwrite64\(.*, (\d+), (\d+)\)? *(= \d+|<unfinished)/.exec(line);
  if (header && Number(header[1]) < 4_096) return ['header'];
  return /write/.test(line) ? ['data'] : [];
}
