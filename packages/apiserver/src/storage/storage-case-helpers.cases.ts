import { setImmediate as turn } from 'node:timers/promises';
import type { StoreOptions } from './ordered-store.ts';
import type { Change, Entry, Store, Tenant } from './store.ts';

/** The tenants cases write to; they may exist before a case begins. */
export const CASE_TENANTS = ['root', 'blue'] as const satisfies readonly Tenant[];

/** A store under test, and how to stop and start it. */
export interface Subject extends AsyncDisposable {
  readonly store: Store;
  /** Closes the store and opens it again on the same data; absent where nothing outlives a store. */
  readonly reopen?: () => Promise<Store>;
}

/** Makes an empty store. */
export type OpenSubject = (options: StoreOptions) => Promise<Subject>;

/** A value as text. */
export function text(entry: Entry | undefined): string | undefined {
  return entry?.value.toString();
}

/** The keys of a list. */
export function keysOf(entries: readonly Entry[]): string[] {
  return entries.map(({ key }) => key);
}

/** Writes a key as it stands now, or as the test expects it. */
export function put(
  store: Store,
  key: string,
  ...[value, options = {}]: [string, { tenant?: Tenant; expect?: number }?]
): Promise<Entry> {
  const tenant = options.tenant ?? CASE_TENANTS[0];
  const expect = options.expect ?? store.read(tenant, key)?.revision ?? 0;
  return store.write(tenant, { key, expect, value: () => Buffer.from(value) });
}

/** Writes a key that must be new. */
export function putNew(store: Store, key: string, value: string): Promise<Entry> {
  return put(store, key, value, { expect: 0 });
}

/** Deletes a key as it stands now, or as the test expects it. */
export function drop(store: Store, key: string, revision?: number): Promise<Entry> {
  const expect = revision ?? store.read(CASE_TENANTS[0], key)?.revision ?? 0;
  return store.write(CASE_TENANTS[0], { key, expect, value: undefined });
}

/** A watch that remembers what it was told. */
export interface Collector extends Disposable {
  readonly after: number;
  readonly changes: readonly Change[];
  /** Resolves when at least so many changes have come. */
  until(count: number): Promise<void>;
}

/** Watches and collects. */
export function collect(
  store: Store,
  options: { prefix: string; after: number; tenant?: Tenant },
): Collector {
  const { prefix, after, tenant = CASE_TENANTS[0] } = options;
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  const watch = store.watch(tenant, { prefix, after }, (batch) => {
    changes.push(...batch);
    for (const check of waiting) check();
  });
  return {
    after,
    changes,
    until: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (changes.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  };
}

/** Lets the event loop turn until something holds. */
export async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await turn();
}

/** A repeatable source of numbers from 0 to below 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
