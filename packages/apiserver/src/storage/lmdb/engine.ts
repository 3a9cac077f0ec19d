import { statfsSync } from 'node:fs';
import type { Bounds, Commit, Engine } from '../engine.ts';
import { fullKey } from '../keys.ts';
import { DamagedRecord, type Tenant } from '../store.ts';
import { FileReserve } from './file-reserve.ts';
import { Generation } from './generation.ts';
import { readHistory, readLogged } from './log.ts';
import { LogEnd } from './log-end.ts';
import { PastCache, rememberedPast } from './past.ts';
import { readEntry } from './ranges.ts';
import { decodeNumbers, encodeLog, encodeNumbers, encodeObject, logKey } from './records.ts';
import { currentSnapshot, olderSnapshot } from './snapshot.ts';
import type { Table, Tables } from './tables.ts';

/** Where `meta` has the bounds of tenants. */
const TENANT_PREFIX = 'tenant/';
/** lmdb's types leave out that its `put` takes options, too. */
const APPEND = { append: true } as unknown as number;

/** What the engine needs beside its tables. */
export interface LmdbEngineOptions {
  readonly dir: string;
  /** Of the file as it is; larger than its own would only reserve more. */
  readonly pageSize: number;
  readonly now: () => number;
  /** A snapshot older than this is taken away when the next write comes. */
  readonly maxSnapshotAgeMs: number;
  /** So many generations may be read at once; beyond, the oldest is taken away. */
  readonly maxGenerations: number;
  /** Called when everything is closed. */
  readonly closed: () => void;
}

/** The engine over open tables. */
export function createLmdbEngine(tables: Tables, options: LmdbEngineOptions): Engine {
  const { objects, meta, root } = tables;
  /** In the order they were opened; the last one is what readers get. */
  let generations: Generation[] = [];
  let current = new Generation(tables, options.now());
  generations.push(current);
  const pasts = new PastCache();
  const logEnd = new LogEnd(tables.log);
  const reserve = new FileReserve(options.dir, options.pageSize);
  /** Set when lmdb itself gave up on its file; only opening it again helps. */
  let broken: string | undefined;

  const bounds = (tenant: Tenant): Bounds => {
    const at = TENANT_PREFIX + tenant;
    const record = meta.get(at, current.options);
    const [revision = 0, oldest = 0] = record ? decodeNumbers(at, record) : [];
    return { revision, oldest };
  };

  const advance = () => {
    const now = options.now();
    const last = current;
    expireOld(generations, now);
    current = new Generation(tables, now);
    last.release();
    generations = [...generations.filter((generation) => !generation.isOver), current];
  };

  /** All but the newest may be taken away, from the oldest on. */
  const expireOld = (open: readonly Generation[], now: number) => {
    const excess = open.length - options.maxGenerations;
    open.slice(0, -1).forEach((generation, index) => {
      const isOld = now - generation.openedAt > options.maxSnapshotAgeMs;
      if (isOld || index <= excess) generation.expire();
    });
  };

  return {
    bounds,
    read: (tenant, key) => readEntry(current, tenant, key),
    snapshot: (tenant) => currentSnapshot(current, { tenant, ...bounds(tenant) }),
    snapshotAt(tenant, revision, since) {
      const through = bounds(tenant).revision;
      const past = since
        ? rememberedPast(since)
        : pasts.find(current, { tenant, after: revision, through });
      return olderSnapshot(current, { tenant, revision }, past);
    },
    history: (tenant, after) =>
      readHistory(current, { tenant, after, through: bounds(tenant).revision }),
    timeOf(tenant, revision) {
      try {
        return readLogged(current, tenant, revision).time;
      } catch (err) {
        if (err instanceof DamagedRecord) return undefined;
        throw err;
      }
    },
    async commit(commit) {
      if (broken) throw new Error(broken);
      const operations = encodeCommit(commit, tables);
      try {
        reserve.ensure(operations.map(({ record }) => record?.length ?? 0));
        // One batch is one transaction, and with overlappingSync off its promise waits for the flush.
        await objects.batch(() => {
          for (const { table, at, record } of operations) {
            // The promise of the batch is theirs, too.
            if (record === undefined) void table.remove(at);
            else if (table === tables.log && logEnd.passes(at)) void table.put(at, record, APPEND);
            else void table.put(at, record);
          }
        });
      } catch (err) {
        const reason = await explain(err, options.dir);
        broken = findBroken(tables);
        throw reason;
      }
      return advance;
    },
    tenants() {
      const keys = meta.getKeys({
        start: TENANT_PREFIX,
        end: `${TENANT_PREFIX}\u{10ffff}`,
        ...current.options,
      });
      return [...keys].map((key) => key.slice(TENANT_PREFIX.length));
    },
    tidy: () => pasts.clear(),
    async close() {
      for (const generation of generations) generation.close();
      await root.close();
      reserve.close();
      options.closed();
    },
  };
}

interface Operation {
  readonly table: Table;
  readonly at: string;
  /** Undefined removes. */
  readonly record: Buffer | undefined;
}

/** Everything is encoded before lmdb's batch begins: an exception inside would commit half of it. */
function encodeCommit(commit: Commit, { objects, log, meta }: Tables): Operation[] {
  const operations: Operation[] = [];
  const add = (table: Table, at: string, record: Buffer | undefined) => {
    operations.push({ table, at, record });
  };
  for (const change of commit.changes) {
    const { tenant, key, value, revision } = change;
    const at = fullKey(tenant, key);
    add(objects, at, value && encodeObject(at, { revision, value }));
    const logAt = logKey(tenant, revision);
    add(log, logAt, encodeLog(logAt, change));
  }
  for (const [tenant, { revision, oldest }] of commit.bounds) {
    const at = TENANT_PREFIX + tenant;
    add(meta, at, encodeNumbers(at, [revision, oldest]));
  }
  for (const { tenant, from, to } of commit.trims) {
    for (let revision = from + 1; revision <= to; revision++) {
      add(log, logKey(tenant, revision), undefined);
    }
  }
  return operations;
}

/** lmdb says "Commit failed", keeps the cause beside it, and calls a full disk an I/O error. */
async function explain(err: unknown, dir: string): Promise<Error> {
  const details: unknown = (err as { commitError?: Promise<unknown> } | undefined)?.commitError;
  const cause = await Promise.resolve(details).catch((reason: unknown) => reason);
  const message = cause instanceof Error ? cause.message : String(err);
  if (isFull(dir)) return new Error(`the disk of "${dir}" is full (${message})`, { cause: err });
  return new Error(`the disk of "${dir}" refused (${message})`, { cause: err });
}

function isFull(dir: string): boolean {
  const PAGES_OF_A_SMALL_COMMIT = 64;
  try {
    const { bavail, bsize } = statfsSync(dir);
    return bavail * bsize < PAGES_OF_A_SMALL_COMMIT * 4096;
  } catch {
    return false;
  }
}

/**
 * After a failed write of its own header lmdb refuses every further transaction, and an
 * asynchronous one would then wait for ever: ask with a synchronous one that does nothing.
 */
function findBroken({ root }: Tables): string | undefined {
  try {
    root.transactionSync(() => {});
    return undefined;
  } catch (err) {
    return `the store gave up its file and must be opened again (${String(err)})`;
  }
}
