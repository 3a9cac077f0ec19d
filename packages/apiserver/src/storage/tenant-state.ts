import type { LoggedChange } from './engine.ts';
import { Recent } from './recent.ts';
import type { Entry, Tenant } from './store.ts';
import { type OnListenerError, WatchHub } from './watch-hub.ts';

/** A write that has its place in the order of revisions, but is not durable yet. */
export interface PendingWrite {
  readonly state: TenantState;
  readonly change: LoggedChange;
  /** The key once this is durable; undefined after a deletion. */
  readonly entry: Entry | undefined;
  /** Calls to make when the write is durable or has failed. */
  readonly settled: ((error: Error | undefined) => void)[];
}

/** What a store has in memory about a tenant in use; an idle tenant has none. */
export class TenantState {
  readonly tenant: Tenant;
  /** The newest revision readers see. */
  revision: number;
  oldest: number;
  /** The newest revision given to a write, durable or not. */
  accepted: number;
  /** Per key, the newest write that is not durable yet. */
  readonly pending = new Map<string, PendingWrite>();
  readonly recent = new Recent();
  readonly hub: WatchHub;
  /** Commits under way that trim its history. */
  busy = 0;
  /** When its history was last found not to be due. */
  trimmedAt = Number.NEGATIVE_INFINITY;

  constructor(
    tenant: Tenant,
    bounds: { revision: number; oldest: number },
    onError: OnListenerError,
  ) {
    this.tenant = tenant;
    this.revision = bounds.revision;
    this.oldest = bounds.oldest;
    this.accepted = bounds.revision;
    this.hub = new WatchHub(onError);
  }

  get isIdle(): boolean {
    return this.busy === 0 && this.pending.size === 0 && this.recent.size === 0 && this.hub.isEmpty;
  }
}
