import type { Change, Entry, Snapshot, Tenant } from './store.ts';

/** How far a tenant's data and history reach. */
export interface Bounds {
  readonly revision: number;
  readonly oldest: number;
}

/** A change with what history needs beyond it. */
export interface LoggedChange extends Change {
  /** The revision of `previous`; 0 when there was none. */
  readonly previousRevision: number;
  /** When the write was accepted, in milliseconds since 1970. */
  readonly time: number;
}

/** What becomes durable together. */
export interface Commit {
  /** In the order they were accepted; within a tenant their revisions count up by one. */
  readonly changes: readonly LoggedChange[];
  /** The bounds, after this commit, of every tenant it touches. */
  readonly bounds: ReadonlyMap<Tenant, Bounds>;
  /** Log entries to drop: those after `from`, up to and including `to`. */
  readonly trims: readonly Trim[];
}

/** One slice of history to forget. */
export interface Trim {
  readonly tenant: Tenant;
  readonly from: number;
  readonly to: number;
}

/** History from one revision to the newest at the time of asking, unmoved by later writes. */
export interface HistoryReader extends Disposable {
  /** The next changes in order; empty while it is still looking; undefined at the end. */
  next(): readonly Change[] | undefined;
}

/**
 * Where data lives. An engine only keeps: order, comparing, grouping, history windows and delivery
 * are done once for all engines by the ordered store.
 */
export interface Engine {
  bounds(tenant: Tenant): Bounds;
  read(tenant: Tenant, key: string): Entry | undefined;
  /** The tenant as of now. */
  snapshot(tenant: Tenant): Snapshot;
  /**
   * The tenant at an older revision that history still reaches. `since` has every change after it,
   * when they happen to be in memory.
   */
  snapshotAt(
    tenant: Tenant,
    revision: number,
    since: readonly LoggedChange[] | undefined,
  ): Snapshot;
  history(tenant: Tenant, after: number): HistoryReader;
  /** When the write of that revision was accepted; undefined when the log does not hold it. */
  timeOf(tenant: Tenant, revision: number): number | undefined;
  /**
   * All or nothing. Resolves when the commit is durable, with the call that shows it to readers:
   * it is made together with everything else that tells of the new revision.
   */
  commit(commit: Commit): Promise<() => void>;
  tenants(): Tenant[];
  /** Lets go of what is only kept for speed; called now and then. */
  tidy(): void;
  close(): Promise<void>;
}

/** How much history a store keeps per tenant. */
export interface HistoryWindow {
  /** Changes younger than this are kept. @default 300000 */
  readonly ageMs: number;
  /** That many of the newest changes are kept whatever their age. @default 1000 */
  readonly events: number;
  /** Beyond this many, changes go whatever their age. @default 1000000 */
  readonly maxEvents: number;
}

/** At least five minutes, as watches and continue tokens expect of a Kubernetes API server. */
export const DEFAULT_WINDOW: HistoryWindow = {
  ageMs: 5 * 60_000,
  events: 1_000,
  maxEvents: 1_000_000,
};
