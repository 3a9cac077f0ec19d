import type { RootDatabase, RootDatabaseOptions, Transaction } from 'lmdb';
import { prepareFiles } from './lmdb/data-file.ts';
import {
  CannotOpenStore,
  DirectoryLock,
  describe,
  FILE_MODE,
  prepareDirectory,
  StoreInUse,
} from './lmdb/directory.ts';
import { createLmdbEngine } from './lmdb/engine.ts';
import { ensureFormat, MIGRATIONS, type Migrations } from './lmdb/format.ts';
import { openTables, type Tables } from './lmdb/tables.ts';
import { OrderedStore, type StoreOptions } from './ordered-store.ts';
import type { Store } from './store.ts';

export { CannotOpenStore, StoreInUse } from './lmdb/directory.ts';

/** Where and how an lmdb store keeps its data. */
export interface LmdbStoreOptions extends StoreOptions {
  /** The directory; made if it is missing, readable by its owner only. */
  readonly dir: string;
  /**
   * Address space reserved for the data file. Not a limit: lmdb maps anew when the file
   * outgrows it, but then keeps the old mapping too.
   * @default 64 GiB
   */
  readonly mapSize?: number;
  /** How long a snapshot may be held while writes go on. @default 5 minutes */
  readonly maxSnapshotAgeMs?: number;
  /** For tests: what brings older formats up to date. */
  readonly migrations?: Migrations;
  /** For tests that show what other settings of lmdb would do. */
  readonly lmdb?: Readonly<RootDatabaseOptions>;
}

const MAP_SIZE = 64 * 2 ** 30;
/** Objects of a few KB share such a page, where one of 4 KB would hold a single one and waste the rest. */
const PAGE_SIZE = 16_384;
const MAX_SNAPSHOT_AGE_MS = 5 * 60_000;
/** Generations that may be read at once; lmdb needs a few more slots for itself. */
const MAX_GENERATIONS = 1_000;
const OPEN_ATTEMPTS = 4;

/** Opens the store in a directory; rejects with CannotOpenStore, which says why. */
export async function openLmdbStore(options: LmdbStoreOptions): Promise<Store> {
  const { dir } = options;
  prepareDirectory(dir);
  const lock = DirectoryLock.claim(dir);
  try {
    prepareFiles(dir);
    const { tables, reading } = await openAlone(options, lock);
    try {
      const { now, migrations = MIGRATIONS } = options;
      await ensureFormat(tables, { dir, now, migrations });
      const engine = createLmdbEngine(tables, {
        dir,
        pageSize: PAGE_SIZE,
        now,
        maxSnapshotAgeMs: options.maxSnapshotAgeMs ?? MAX_SNAPSHOT_AGE_MS,
        maxGenerations: MAX_GENERATIONS,
        closed: () => lock.release(),
      });
      reading.done();
      return new OrderedStore(engine, options);
    } catch (err) {
      await tables.root.close();
      throw err;
    }
  } catch (err) {
    lock.release();
    if (err instanceof CannotOpenStore) throw err;
    throw new CannotOpenStore(dir, describe(err), { cause: err });
  }
}

/** Two that start at the same moment may both back off: they try again at different times. */
async function openAlone(
  options: LmdbStoreOptions,
  lock: DirectoryLock,
): Promise<{ tables: Tables; reading: Transaction }> {
  for (let attempt = 1; ; attempt++) {
    const root = await openRoot(options);
    try {
      lock.check(root, false);
      const tables = openTables(root);
      // From here on the others see us; the engine's own transaction takes over.
      const reading = root.useReadTransaction();
      lock.check(root, true);
      return { tables, reading };
    } catch (err) {
      await root.close();
      if (!(err instanceof StoreInUse) || attempt === OPEN_ATTEMPTS) throw err;
    }
    await new Promise((resolve) => setTimeout(resolve, 20 + (process.pid % 16) * 5 * attempt));
  }
}

async function openRoot(options: LmdbStoreOptions): Promise<RootDatabase<Buffer, string>> {
  // Loading lmdb costs a server that keeps its data elsewhere for nothing.
  const { open } = await import('lmdb');
  const settings: RootDatabaseOptions & { permissionsMode: number } = {
    mapSize: options.mapSize ?? MAP_SIZE,
    pageSize: PAGE_SIZE,
    // Or a directory with a dot in its name would be taken for a file.
    noSubdir: false,
    maxReaders: MAX_GENERATIONS + 24,
    permissionsMode: FILE_MODE,
    // A write is neither visible nor acknowledged before its flush.
    overlappingSync: false,
    // The commit queue groups writes already.
    eventTurnBatching: false,
    ...options.lmdb,
  };
  return open<Buffer, string>(options.dir, settings);
}
