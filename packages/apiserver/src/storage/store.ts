/**
 * The one interface between the API server and whatever keeps its data.
 *
 * Keys are paths inside a tenant (`core/pods/NAMESPACE/NAME`, `rbac.authorization.k8s.io/clusterroles/NAME`);
 * values are the bytes clients receive. Each tenant counts its own revisions, from 1, one per write.
 * A write is acknowledged, and its event delivered, only once it is on disk; until then no reader sees it.
 * Buffers given to a store or received from it are shared: nobody changes them.
 */

/** One virtual control plane; the store keeps them apart. */
export type Tenant = string & { readonly __brand?: 'Tenant' };

/** The control plane that exists from the first start. */
export const ROOT_TENANT: Tenant = 'root';

/** One key as it stands at some revision. */
export interface Entry {
  readonly key: string;
  readonly value: Buffer;
  /** The revision of the write that left this value. */
  readonly revision: number;
}

/** A write that succeeds only while the key still is as the writer saw it. */
export interface Write {
  readonly key: string;
  /** The revision the writer read; 0 when the key must be absent. */
  readonly expect: number;
  /**
   * The new value, given the revision the write will have; undefined deletes the key.
   * It is called once, synchronously, when the write is accepted into the order of revisions.
   */
  readonly value: ((revision: number) => Buffer) | undefined;
}

/** One acknowledged write, in revision order. */
export interface Change {
  readonly tenant: Tenant;
  readonly revision: number;
  readonly key: string;
  /** The value after the write; undefined when it deleted the key. */
  readonly value: Buffer | undefined;
  /** The value before the write; undefined when it created the key. */
  readonly previous: Buffer | undefined;
}

/** A tenant's data at one revision, unmoved by later writes. Close it: it holds a read transaction. */
export interface Snapshot extends Disposable {
  readonly revision: number;
  read(key: string): Entry | undefined;
  /** Entries whose key starts with `prefix` and sorts after `after`, in byte order of their keys. */
  range(prefix: string, options: { after?: string; limit: number }): Entry[];
  /** How many entries `range` would still find; may stop counting at `atMost`. */
  count(prefix: string, options: { after?: string; atMost?: number }): number;
}

/** A running watch. */
export interface Subscription extends Disposable {
  /** True once disposed. */
  readonly closed: boolean;
  /** True while changes older than the newest revision are still to be delivered. */
  readonly isBehind?: boolean;
}

/** Storage behind one small interface; every engine passes `storageCases`. */
export interface Store extends AsyncDisposable {
  /** The newest revision of the tenant that readers see; 0 while it has never been written. */
  revision(tenant: Tenant): number;
  /** The oldest revision `snapshot` and `watch` still accept as their starting point. */
  oldestRevision(tenant: Tenant): number;
  /** The newest value of one key. */
  read(tenant: Tenant, key: string): Entry | undefined;
  /** The tenant as of now, or as of a revision in the window; throws Compacted or FutureRevision. */
  snapshot(tenant: Tenant, revision?: number): Snapshot;
  /**
   * Compares and writes. Rejects with WriteConflict when the key is not as expected, and with
   * StoreUnavailable when it could not be made durable; then the write did not happen.
   * The entry of a deletion has the value that was deleted and the revision of the deletion.
   */
  write(tenant: Tenant, write: Write): Promise<Entry>;
  /**
   * Delivers every change after `after` whose key starts with `prefix`: first what history holds, then what comes,
   * in order, without gap or duplicate. Listeners are called with non-empty batches, never before `watch` has
   * returned, and must not throw. One change is the same object for every listener.
   * Throws Compacted when history no longer reaches back to `after`. `ended` is called when the store itself
   * has to end the watch, because going on would leave a gap (history is damaged).
   */
  watch(
    tenant: Tenant,
    options: { prefix: string; after: number; ended?: (error: Error) => void },
    listener: (changes: readonly Change[]) => void,
  ): Subscription;
  /** Every change of every tenant from now on, in order: what built-in controllers live on. */
  changes(listener: (changes: readonly Change[]) => void): Subscription;
  /** Forgets history up to and including `revision`, which stays the oldest that can be asked for. */
  compact(tenant: Tenant, revision: number): Promise<void>;
  /** Tenants that hold data. */
  tenants(): Tenant[];
}

/** The key was not as the writer expected; `current` is what it is now (undefined when absent). */
export class WriteConflict extends Error {
  readonly current: Entry | undefined;
  constructor(key: string, current: Entry | undefined) {
    super(`Cannot write "${key}": it changed meanwhile`);
    this.name = 'WriteConflict';
    this.current = current;
  }
}

/** The asked revision is older than the history that is kept. */
export class Compacted extends Error {
  readonly oldest: number;
  constructor(revision: number, oldest: number) {
    super(`Cannot read revision ${revision}: history starts at ${oldest}`);
    this.name = 'Compacted';
    this.oldest = oldest;
  }
}

/** The asked revision has not been written yet. */
export class FutureRevision extends Error {
  readonly current: number;
  constructor(revision: number, current: number) {
    super(`Cannot read revision ${revision}: the newest is ${current}`);
    this.name = 'FutureRevision';
    this.current = current;
  }
}

/** A record failed its checksum: it is reported and never served. */
export class DamagedRecord extends Error {
  readonly key: string;
  constructor(key: string, options?: { cause: unknown }) {
    super(`Cannot read "${key}": its record is damaged`, options);
    this.name = 'DamagedRecord';
    this.key = key;
  }
}

/** The disk refused (full, read-only, failing); nothing was changed. */
export class StoreUnavailable extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'StoreUnavailable';
  }
}
