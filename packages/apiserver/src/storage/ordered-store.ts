import { CommitQueue } from './commit-queue.ts';
import { DEFAULT_WINDOW, type Engine, type HistoryWindow, type LoggedChange } from './engine.ts';
import { checkKey } from './keys.ts';
import {
  type Change,
  Compacted,
  type Entry,
  FutureRevision,
  type Snapshot,
  type Store,
  StoreUnavailable,
  type Subscription,
  type Tenant,
  type Write,
  WriteConflict,
} from './store.ts';
import { type PendingWrite, TenantState } from './tenant-state.ts';
import { Trimmer } from './trimmer.ts';
import type { OnListenerError } from './watch-hub.ts';

/** What every store needs, whatever its engine. */
export interface StoreOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** @default DEFAULT_WINDOW */
  readonly window?: Partial<HistoryWindow>;
  /** Changes kept in memory for watches, per tenant and over all. */
  readonly memory?: Partial<MemoryLimits>;
  /** Told what a listener threw. @default it is thrown outside the store, as any uncaught error */
  readonly onListenerError?: OnListenerError;
}

/** How much of the past stays in memory. */
export interface MemoryLimits {
  /** @default 4096 */
  readonly events: number;
  /** @default 8 MiB */
  readonly bytes: number;
  /** @default 64 MiB */
  readonly totalBytes: number;
}

const DEFAULT_MEMORY: MemoryLimits = { events: 4_096, bytes: 8 << 20, totalBytes: 64 << 20 };

/** Tidying up runs this often while there is something to tidy, and never otherwise. */
const SWEEP_MS = 30_000;

/** A store over any engine: order of revisions, comparing, grouping, history and delivery. */
export class OrderedStore implements Store {
  readonly #engine: Engine;
  readonly #now: () => number;
  readonly #onError: OnListenerError;
  readonly #memory: MemoryLimits;
  readonly #window: HistoryWindow;
  readonly #queue: CommitQueue;
  readonly #trimmer: Trimmer;
  /** In order of their last write: the first is the longest idle. */
  readonly #states = new Map<Tenant, TenantState>();
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  #recentBytes = 0;
  #sweep: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(engine: Engine, options: StoreOptions) {
    this.#engine = engine;
    this.#now = options.now;
    this.#window = { ...DEFAULT_WINDOW, ...options.window };
    this.#memory = { ...DEFAULT_MEMORY, ...options.memory };
    this.#onError = options.onListenerError ?? throwLater;
    this.#trimmer = new Trimmer({ engine, now: options.now, window: this.#window });
    this.#queue = new CommitQueue({
      engine,
      trims: () => this.#trimmer.next(),
      durable: (writes) => this.#deliver(writes),
    });
  }

  revision(tenant: Tenant): number {
    return this.#bounds(tenant).revision;
  }

  oldestRevision(tenant: Tenant): number {
    return this.#bounds(tenant).oldest;
  }

  read(tenant: Tenant, key: string): Entry | undefined {
    return this.#engine.read(tenant, key);
  }

  snapshot(tenant: Tenant, revision?: number): Snapshot {
    const bounds = this.#bounds(tenant);
    if (revision === undefined || revision === bounds.revision) {
      return this.#engine.snapshot(tenant);
    }
    if (revision > bounds.revision) throw new FutureRevision(revision, bounds.revision);
    if (revision < bounds.oldest) throw new Compacted(revision, bounds.oldest);
    const since = this.#states.get(tenant)?.recent.since(revision);
    return this.#engine.snapshotAt(tenant, revision, since);
  }

  async write(tenant: Tenant, write: Write): Promise<Entry> {
    checkKey(tenant, write.key);
    let waited = false;
    for (;;) {
      if (this.#closing) {
        throw new StoreUnavailable(`Cannot write "${write.key}": the store closes`);
      }
      const state = this.#stateOf(tenant);
      const pending = state.pending.get(write.key);
      const current = pending ? pending.entry : this.#engine.read(tenant, write.key);
      const exists = current !== undefined;
      if ((current?.revision ?? 0) === write.expect && (exists || write.value)) {
        return this.#accept(state, write, current);
      }
      if (!pending) throw new WriteConflict(write.key, current);
      // The writer lost against a write that nobody can see yet, and that may still fail. Answering
      // now would send it into a retry that reads the old value again.
      if (waited) {
        const durable = this.#engine.read(tenant, write.key);
        if ((durable?.revision ?? 0) !== write.expect) throw new WriteConflict(write.key, durable);
      }
      await new Promise<void>((resolve) => pending.settled.push(() => resolve()));
      waited = true;
    }
  }

  watch(
    tenant: Tenant,
    options: { prefix: string; after: number; ended?: (error: Error) => void },
    listener: (changes: readonly Change[]) => void,
  ): Subscription {
    const { prefix, after, ended } = options;
    const { revision, oldest } = this.#bounds(tenant);
    if (after < oldest) throw new Compacted(after, oldest);
    const state = this.#stateOf(tenant);
    const past =
      after >= revision ? [] : (state.recent.since(after) ?? this.#engine.history(tenant, after));
    return state.hub.add({ prefix, after, listener, ended }, past);
  }

  changes(listener: (changes: readonly Change[]) => void): Subscription {
    // A function of its own: the same listener may subscribe twice.
    const entry = (changes: readonly Change[]) => listener(changes);
    const listeners = this.#listeners.add(entry);
    return {
      get closed() {
        return !listeners.has(entry);
      },
      [Symbol.dispose]: () => {
        listeners.delete(entry);
      },
    };
  }

  async compact(tenant: Tenant, revision: number): Promise<void> {
    const state = this.#stateOf(tenant);
    if (revision > state.revision) throw new FutureRevision(revision, state.revision);
    state.busy++;
    try {
      for (const slice of this.#trimmer.slices(state, revision)) await this.#queue.trim(slice);
    } finally {
      state.busy--;
    }
  }

  tenants(): Tenant[] {
    return this.#engine.tenants();
  }

  /** Waits for the writes already accepted, then closes the engine. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.#sweep) clearTimeout(this.#sweep);
    await this.#queue.drain();
    for (const state of this.#states.values()) state.hub.close();
    this.#states.clear();
    this.#listeners.clear();
    await this.#engine.close();
  }

  #accept(state: TenantState, write: Write, current: Entry | undefined): Promise<Entry> {
    const revision = state.accepted + 1;
    const { key } = write;
    const value = write.value?.(revision);
    if (write.value && !Buffer.isBuffer(value)) {
      throw new TypeError(`Cannot write "${key}": its value is not a buffer`);
    }
    state.accepted = revision;
    const entry = value && { key, value, revision };
    const pending: PendingWrite = {
      state,
      entry,
      settled: [],
      change: {
        tenant: state.tenant,
        revision,
        key,
        value,
        previous: current?.value,
        previousRevision: current?.revision ?? 0,
        time: this.#now(),
      },
    };
    state.pending.set(key, pending);
    // A deletion answers with what it deleted; there is something, or it would not be here.
    const answer = entry ?? { key, value: current?.value ?? Buffer.alloc(0), revision };
    return new Promise((resolve, reject) => {
      pending.settled.push((error) => (error ? reject(error) : resolve(answer)));
      this.#queue.push(pending);
    });
  }

  /** Shows what just became durable: to readers first, then to watches, then to the writers. */
  #deliver(writes: readonly PendingWrite[]): void {
    const byState = new Map<TenantState, Change[]>();
    for (const { state, change } of writes) {
      state.revision = change.revision;
      this.#remember(state, change);
      const changes = byState.get(state);
      if (changes) changes.push(change);
      else byState.set(state, [change]);
    }
    for (const state of byState.keys()) {
      this.#states.delete(state.tenant);
      this.#states.set(state.tenant, state);
      this.#trimmer.touch(state);
    }
    this.#forgetIdle();
    for (const [state, changes] of byState) state.hub.deliver(changes);
    const all = writes.map(({ change }) => change);
    for (const listener of [...this.#listeners]) {
      try {
        listener(all);
      } catch (err) {
        this.#onError(err);
      }
    }
  }

  #remember(state: TenantState, change: LoggedChange): void {
    const before = state.recent.bytes;
    state.recent.push(change);
    state.recent.shrink(this.#memory);
    this.#recentBytes += state.recent.bytes - before;
  }

  /** When all tenants together remember too much, the longest idle forget. */
  #forgetIdle(): void {
    if (this.#recentBytes <= this.#memory.totalBytes) return;
    // Trims and sweeps forget without counting: begin with the truth.
    this.#recentBytes = 0;
    for (const { recent } of this.#states.values()) this.#recentBytes += recent.bytes;
    for (const { recent } of this.#states.values()) {
      if (this.#recentBytes <= this.#memory.totalBytes) return;
      this.#recentBytes -= recent.bytes;
      recent.shrink({ events: 0, bytes: 0 });
    }
  }

  #armSweep(): void {
    this.#sweep ??= setTimeout(() => {
      this.#sweep = undefined;
      this.#tidy();
    }, SWEEP_MS).unref();
  }

  #tidy(): void {
    const stale = this.#now() - this.#window.ageMs;
    for (const state of this.#states.values()) {
      state.recent.dropBefore(stale);
      if (state.isIdle && !this.#trimmer.isBusyWith(state)) this.#states.delete(state.tenant);
    }
    this.#engine.tidy();
    this.#queue.kick();
    if (this.#states.size > 0) this.#armSweep();
  }

  #bounds(tenant: Tenant): { revision: number; oldest: number } {
    return this.#states.get(tenant) ?? this.#engine.bounds(tenant);
  }

  #stateOf(tenant: Tenant): TenantState {
    const known = this.#states.get(tenant);
    if (known) return known;
    const state = new TenantState(tenant, this.#engine.bounds(tenant), this.#onError);
    this.#states.set(tenant, state);
    this.#armSweep();
    return state;
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
