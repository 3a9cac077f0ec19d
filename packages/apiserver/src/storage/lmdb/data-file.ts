import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CannotOpenStore, FILE_MODE } from './directory.ts';

/*
 * lmdb 3.5.6 ends the whole process (a segmentation fault, or SIGBUS for a page that the disk has no
 * room for) where opening its files fails. So whatever can make that fail is found out before.
 */

/** More than lmdb's lock file and the first pages of a new data file take. */
const NEEDED_BYTES = 192 << 10;
/** Covers 1,024 readers, which need 64 bytes each. */
const LOCK_BYTES = 128 << 10;
/** More than this cannot be missing for a good reason. */
const MAX_MISSING_BYTES = 64 << 20;

/** Fails clearly where lmdb would crash; call while nobody in this process has the files open. */
export function prepareFiles(dir: string): void {
  const file = join(dir, 'data.mdb');
  const scratch = join(dir, `starting-${process.pid}`);
  try {
    if (existsSync(file)) checkDataFile(dir, file);
    else writeFileSync(scratch, Buffer.alloc(NEEDED_BYTES), { mode: FILE_MODE, flush: true });
    const lock = join(dir, 'lock.mdb');
    if (!existsSync(lock)) makeLockFile(lock, scratch);
  } finally {
    rmSync(scratch, { force: true });
  }
}

/**
 * lmdb would make this file with a hole in it; touching the hole on a full disk would be fatal.
 * It appears whole or not at all: another process may be starting at this moment.
 */
function makeLockFile(lock: string, scratch: string): void {
  writeFileSync(scratch, Buffer.alloc(LOCK_BYTES), { mode: FILE_MODE, flush: true });
  try {
    linkSync(scratch, lock);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err;
  }
}

// The layout of lmdb's two header pages (data version 2, 64-bit, little endian).
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const VERSION_AT = 28;
const VERSION = 2;
const PAGE_SIZE_AT = 48;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const HEADER_BYTES = 160;

function checkDataFile(dir: string, file: string): void {
  const fd = openSync(file, 'r');
  try {
    const { size } = fstatSync(fd);
    // An empty file is a new one: it was made, and the process ended before it was filled.
    if (size === 0) return;
    const first = readHeader(fd, 0);
    const pageSize = first?.readUInt32LE(PAGE_SIZE_AT) ?? 0;
    const second = first && readHeader(fd, pageSize);
    if (!first || !second)
      throw new CannotOpenStore(dir, 'data.mdb is damaged, or not an lmdb file');
    const version = first.readUInt32LE(VERSION_AT) & 0xffff;
    if (version !== VERSION) {
      throw new CannotOpenStore(dir, `data.mdb has lmdb's data version ${version}, not ${VERSION}`);
    }
    const missing = endOf(first, second) - size;
    if (missing > MAX_MISSING_BYTES) throw new CannotOpenStore(dir, 'data.mdb was cut short');
    // Pages at the end that were freed before they were written are rightly missing. Should others
    // be, zeros make reading them an error, where the end of the file would be a crash.
    // Appending cannot hurt a process that has the file open; changing its size could.
    if (missing > 0) appendFileSync(file, Buffer.alloc(missing));
  } finally {
    closeSync(fd);
  }
}

/** How far the pages in use reach; 0 for a file that has no headers yet. */
export function usedBytes(fd: number): number {
  const first = readHeader(fd, 0);
  const second = first && readHeader(fd, first.readUInt32LE(PAGE_SIZE_AT));
  return first && second ? endOf(first, second) : 0;
}

/** The newer of the two headers counts. */
function endOf(first: Buffer, second: Buffer): number {
  const isNewer = second.readBigUInt64LE(TRANSACTION_AT) > first.readBigUInt64LE(TRANSACTION_AT);
  const lastPage = Number((isNewer ? second : first).readBigUInt64LE(LAST_PAGE_AT));
  return (lastPage + 1) * first.readUInt32LE(PAGE_SIZE_AT);
}

function readHeader(fd: number, position: number): Buffer | undefined {
  const header = Buffer.alloc(HEADER_BYTES);
  if (readSync(fd, header, 0, HEADER_BYTES, position) < HEADER_BYTES) return undefined;
  return header.readUInt32LE(MAGIC_AT) === MAGIC ? header : undefined;
}
