import { accessSync, chmodSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { makePrivateFolder } from '../../private-folder.ts';

/** The store could not be opened; the message says what to do about it. */
export class CannotOpenStore extends Error {
  constructor(dir: string, state: string, options?: { cause: unknown }) {
    super(`Cannot open the store in "${dir}": ${state}`, options);
    this.name = 'CannotOpenStore';
  }
}

const DIRECTORY_MODE = 0o700;

/** What lmdb makes its files with. */
export const FILE_MODE = 0o600;

/** Makes the directory ours alone, and fails early and clearly where it cannot be used. */
export function prepareDirectory(dir: string): void {
  try {
    makePrivateFolder(dir);
    if ((statSync(dir).mode & 0o777) !== DIRECTORY_MODE) chmodSync(dir, DIRECTORY_MODE);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of ['data.mdb', 'lock.mdb']) {
      const path = join(dir, name);
      if (!existsSync(path)) continue;
      if ((statSync(path).mode & 0o777) !== FILE_MODE) chmodSync(path, FILE_MODE);
      accessSync(path, constants.R_OK | constants.W_OK);
    }
  } catch (err) {
    throw new CannotOpenStore(dir, describe(err), { cause: err });
  }
}

/** Texts for what a file system answers. */
export function describe(err: unknown): string {
  const { code, message } = err as { code?: unknown; message?: string };
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 13:
      return 'its files may not be written by this user';
    case 'EROFS':
    case 30:
      return 'the file system is read-only';
    case 'ENOSPC':
    case 28:
      return 'the disk is full';
    case 'ENOTDIR':
    case 'EEXIST':
      return 'it is not a directory';
    default:
      return message?.startsWith('MDB_') ? `data.mdb is damaged (${message})` : String(message);
  }
}

/** Directories open in this process. */
const openHere = new Set<string>();

/**
 * Lets one store at a time use a directory.
 *
 * Between processes this rests on lmdb's reader table in lock.mdb. A store that is open always has
 * a read transaction, so its process id stands in that table; and lmdb holds an fcntl lock on one
 * byte of the file for each process in it. The kernel drops that lock however the process ends,
 * so an entry left by kill -9 is recognised as stale even when its process id is in use again, and
 * there is no lock file of our own to go stale. Works alike on Linux and macOS, and across
 * containers that share a volume.
 *
 * Within a process the locks say nothing (they belong to the process), and merely opening and
 * closing lock.mdb again would drop them: a list in memory answers first.
 */
export class DirectoryLock {
  readonly #dir: string;
  readonly #identity: string;

  private constructor(dir: string, identity: string) {
    this.#dir = dir;
    this.#identity = identity;
  }

  /** Claims the directory among the stores of this process; call before lmdb touches it. */
  static claim(dir: string): DirectoryLock {
    const { dev, ino } = statSync(dir);
    const identity = `${dev}:${ino}`;
    if (openHere.has(identity)) throw inUse(dir, process.pid);
    openHere.add(identity);
    return new DirectoryLock(dir, identity);
  }

  /**
   * Fails when another process has the store open. Before our own first read transaction any
   * entry is another's; after it, those with another process id are. Calling it at both times
   * leaves no gap: of two that start together at least one sees the other.
   */
  check(root: RootDatabase<Buffer, string>, isReading: boolean): void {
    root.readerCheck();
    const pids = [...root.readerList().matchAll(/^\s*(\d+)\s/gm)].map(([, pid]) => Number(pid));
    const other = pids.find((pid) => !isReading || pid !== process.pid);
    if (other !== undefined) throw inUse(this.#dir, other);
  }

  release(): void {
    openHere.delete(this.#identity);
  }
}

/** Another store, here or in another process, uses the directory. */
export class StoreInUse extends CannotOpenStore {
  readonly pid: number;
  constructor(dir: string, pid: number) {
    super(dir, `process ${pid} has it open; stop that process or choose another directory`);
    this.name = 'StoreInUse';
    this.pid = pid;
  }
}

function inUse(dir: string, pid: number): StoreInUse {
  return new StoreInUse(dir, pid);
}
