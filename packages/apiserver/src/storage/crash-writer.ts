import { openLmdbStore } from './lmdb.ts';
import { type Store, type Tenant, WriteConflict } from './store.ts';

/** The program a crash round kills: many writers on one store, each acknowledged write reported. */
export interface CrashWriterOptions {
  readonly dir: string;
  readonly now: () => number;
  /** A repeatable source of numbers from 0 to below 1. */
  readonly random: () => number;
  /** Where reports go; a line must be out when this returns. */
  readonly report: (line: string) => void;
  /** Reports writes before they are acknowledged, to prove that a crash round notices. */
  readonly isLying?: boolean;
}

/** Tenants and keys the writers share; few keys, so that they meet. */
export const CRASH_TENANTS: readonly Tenant[] = ['root', 'blue'];
const KEYS = 150;
const WRITERS = 24;
/** Far more than one round writes, so that its whole history can be checked, yet trimmed in the end. */
export const CRASH_WINDOW = { ageMs: 0, events: 30_000 };

/** Writes until it is killed. Lines: `write TENANT REVISION KEY VALUE`, `event TENANT REVISION`. */
export async function runCrashWriter(options: CrashWriterOptions): Promise<never> {
  const { dir, now, report } = options;
  const store = await openLmdbStore({ dir, now, window: CRASH_WINDOW });
  for (const tenant of CRASH_TENANTS) {
    const after = store.revision(tenant);
    store.watch(tenant, { prefix: '', after }, (changes) => {
      for (const { revision } of changes) report(`event ${tenant} ${revision}`);
    });
  }
  await Promise.all(Array.from({ length: WRITERS }, () => writeForEver(store, options)));
  throw new Error('Cannot happen: the writers never end');
}

async function writeForEver(store: Store, options: CrashWriterOptions): Promise<void> {
  const { random, report, isLying } = options;
  for (;;) {
    const tenant = CRASH_TENANTS[Math.floor(random() * CRASH_TENANTS.length)] as Tenant;
    const key = `core/things/${Math.floor(random() * KEYS)}`;
    const current = store.read(tenant, key);
    const isDeletion = current !== undefined && random() < 0.25;
    const padding = 'x'.repeat(Math.floor(random() * random() * 6_000));
    const value = (revision: number) => {
      if (isLying) report(`write ${tenant} ${revision} ${key} ${padding.length}`);
      return Buffer.from(`${key}@${revision}:${padding}`);
    };
    try {
      const { revision } = await store.write(tenant, {
        key,
        expect: current?.revision ?? 0,
        value: isDeletion ? undefined : value,
      });
      report(`write ${tenant} ${revision} ${key} ${isDeletion ? 'deleted' : padding.length}`);
    } catch (err) {
      if (!(err instanceof WriteConflict)) throw err;
    }
  }
}
