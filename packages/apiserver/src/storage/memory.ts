import type { Bounds, Commit, Engine, HistoryReader, LoggedChange } from './engine.ts';
import { compareKeys, lowerBound, rangeStart } from './keys.ts';
import { OrderedStore, type StoreOptions } from './ordered-store.ts';
import type { Entry, Snapshot, Store, Tenant } from './store.ts';
import { readArray } from './watch-hub.ts';

/** A store that forgets everything when the process ends; for tests. */
export function createMemoryStore(options: StoreOptions): Store {
  return new OrderedStore(createMemoryEngine(), options);
}

/** An engine without a disk: every value a key had stays with the key while history reaches it. */
export function createMemoryEngine(): Engine {
  const tenants = new Map<Tenant, TenantData>();
  const dataOf = (tenant: Tenant): TenantData => tenants.get(tenant) ?? new TenantData(tenant);
  return {
    bounds: (tenant) => dataOf(tenant).bounds,
    read(tenant, key) {
      const data = dataOf(tenant);
      return data.read(key, data.bounds.revision);
    },
    snapshot(tenant) {
      const data = dataOf(tenant);
      return data.snapshot(data.bounds.revision);
    },
    snapshotAt: (tenant, revision) => dataOf(tenant).snapshot(revision),
    history: (tenant, after) => dataOf(tenant).history(after),
    timeOf: (tenant, revision) => dataOf(tenant).logged(revision)?.time,
    commit: async (commit) => () => {
      for (const { tenant } of commit.changes) {
        if (!tenants.has(tenant)) tenants.set(tenant, new TenantData(tenant));
      }
      apply(commit, dataOf);
    },
    tenants: () => [...tenants.keys()].sort(compareKeys),
    tidy() {},
    async close() {
      tenants.clear();
    },
  };
}

function apply(commit: Commit, dataOf: (tenant: Tenant) => TenantData): void {
  for (const change of commit.changes) dataOf(change.tenant).write(change);
  for (const [tenant, bounds] of commit.bounds) dataOf(tenant).bounds = bounds;
  for (const { tenant, to } of commit.trims) dataOf(tenant).trim(to);
}

/** A key as one write left it. */
interface Version {
  readonly revision: number;
  /** Undefined when the write deleted the key. */
  readonly entry: Entry | undefined;
}

class TenantData {
  readonly tenant: Tenant;
  bounds: Bounds = { revision: 0, oldest: 0 };
  /** Sorted; a deleted key stays while a version of it can be read. */
  readonly #keys: string[] = [];
  readonly #versions = new Map<string, Version[]>();
  #log: LoggedChange[] = [];
  /** Revisions held by snapshots, with how many hold each. */
  readonly #held = new Map<number, number>();
  /** Keys with versions that a snapshot kept from being dropped. */
  readonly #undropped = new Set<string>();

  constructor(tenant: Tenant) {
    this.tenant = tenant;
  }

  read(key: string, revision: number): Entry | undefined {
    const versions = this.#versions.get(key);
    if (!versions) return undefined;
    for (let i = versions.length - 1; i >= 0; i--) {
      const version = versions[i];
      if (version && version.revision <= revision) return version.entry;
    }
    return undefined;
  }

  write(change: LoggedChange): void {
    const { key, value, revision } = change;
    const version = { revision, entry: value && { key, value, revision } };
    const versions = this.#versions.get(key);
    if (versions) versions.push(version);
    else {
      this.#versions.set(key, [version]);
      this.#keys.splice(lowerBound(this.#keys, key), 0, key);
    }
    this.#log.push(change);
  }

  logged(revision: number): LoggedChange | undefined {
    const first = this.#log[0];
    return first && this.#log[revision - first.revision];
  }

  history(after: number): HistoryReader {
    const first = this.#log[0];
    return readArray(first ? this.#log.slice(after + 1 - first.revision) : []);
  }

  trim(to: number): void {
    const first = this.#log[0];
    if (!first || first.revision > to) return;
    const dropped = this.#log.slice(0, to + 1 - first.revision);
    this.#log = this.#log.slice(dropped.length);
    for (const { key } of dropped) this.#undropped.add(key);
    const reached = Math.min(to, ...this.#held.keys());
    for (const key of this.#undropped) {
      if (this.#dropVersions(key, reached)) this.#undropped.delete(key);
    }
  }

  /** Drops what nobody can ask for any more; true when no more of the key will be dropped later. */
  #dropVersions(key: string, reached: number): boolean {
    const versions = this.#versions.get(key) ?? [];
    let newest = 0;
    for (let i = 0; i < versions.length; i++) {
      if ((versions[i]?.revision ?? 0) <= reached) newest = i;
    }
    const kept = versions.slice(newest);
    const first = kept[0];
    if (first && first.entry === undefined && first.revision <= reached) kept.shift();
    if (kept.length > 0) this.#versions.set(key, kept);
    else if (this.#versions.delete(key)) this.#keys.splice(lowerBound(this.#keys, key), 1);
    return this.#held.size === 0;
  }

  snapshot(revision: number): Snapshot {
    this.#held.set(revision, (this.#held.get(revision) ?? 0) + 1);
    let isOpen = true;
    const open = <T>(result: T): T => {
      if (!isOpen) throw new Error(`Cannot read revision ${revision}: the snapshot is closed`);
      return result;
    };
    return {
      revision,
      read: (key) => open(this.read(key, revision)),
      range: (prefix, options) =>
        open(this.#range(prefix, { ...options, revision, limit: options.limit })),
      count: (prefix, { after, atMost = Number.POSITIVE_INFINITY }) => {
        const range = { revision, limit: atMost, ...(after !== undefined && { after }) };
        return open(this.#range(prefix, range).length);
      },
      [Symbol.dispose]: () => {
        if (isOpen) this.#release(revision);
        isOpen = false;
      },
    };
  }

  #range(prefix: string, range: { after?: string; limit: number; revision: number }): Entry[] {
    const entries: Entry[] = [];
    let index = rangeStart(this.#keys, prefix, range.after);
    for (; entries.length < range.limit; index++) {
      const key = this.#keys[index];
      if (!key?.startsWith(prefix)) break;
      const entry = this.read(key, range.revision);
      if (entry) entries.push(entry);
    }
    return entries;
  }

  #release(revision: number): void {
    const holders = (this.#held.get(revision) ?? 1) - 1;
    if (holders > 0) this.#held.set(revision, holders);
    else this.#held.delete(revision);
  }
}
