import type { Bounds, Commit, Engine, Trim } from './engine.ts';
import { StoreUnavailable, type Tenant } from './store.ts';
import type { PendingWrite, TenantState } from './tenant-state.ts';

/** Bounds of one commit, so that no writer waits long for others' data. */
const MAX_WRITES = 2_000;
const MAX_BYTES = 16 << 20;

/** History of one tenant to forget; only the ordered store's own tenants have a state. */
export interface StateTrim {
  readonly state: TenantState;
  readonly from: number;
  readonly to: number;
}

interface WaitingTrim extends StateTrim {
  readonly settled: (error: Error | undefined) => void;
}

interface QueueOptions {
  readonly engine: Engine;
  /** History that is due to go; taken along with every commit. */
  readonly trims: () => StateTrim[];
  /** Called when writes have become durable, before their writers are told. */
  readonly durable: (writes: readonly PendingWrite[]) => void;
}

/**
 * Group commit: what is accepted in one turn of the event loop, or while a commit is under way,
 * becomes durable together. One commit at a time, in the order of acceptance.
 */
export class CommitQueue {
  readonly #options: QueueOptions;
  #writes: PendingWrite[] = [];
  #trims: WaitingTrim[] = [];
  #running: Promise<void> | undefined;
  #isWanted = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  push(write: PendingWrite): void {
    this.#writes.push(write);
    this.kick();
  }

  /** Resolves when the slice is forgotten for good. */
  trim(trim: StateTrim): Promise<void> {
    return new Promise((resolve, reject) => {
      const settled = (error: Error | undefined) => (error ? reject(error) : resolve());
      this.#trims.push({ ...trim, settled });
      this.kick();
    });
  }

  /** Starts committing, if there is anything to commit, at the end of this turn of the event loop. */
  kick(): void {
    this.#isWanted = true;
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is left to commit. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    // Somebody may ask again while the last commit is being settled.
    while (this.#isWanted) {
      this.#isWanted = false;
      while (await this.#commitNext());
    }
    this.#running = undefined;
  }

  async #commitNext(): Promise<boolean> {
    const writes = this.#take();
    const waiting = this.#trims;
    this.#trims = [];
    const trims: StateTrim[] = [...waiting, ...this.#options.trims()];
    if (writes.length === 0 && trims.length === 0) return false;
    for (const { state } of trims) state.busy++;
    let publish: () => void;
    try {
      publish = await this.#options.engine.commit(asCommit(writes, trims));
    } catch (err) {
      this.#fail(writes, err);
      for (const { settled } of waiting) settled(unavailable('forget history', err));
      // Trims of our own choosing would be chosen again at once: leave them to the next write.
      return this.#writes.length > 0;
    } finally {
      for (const { state } of trims) state.busy--;
    }
    publish();
    for (const { state, to } of trims) forget(state, to);
    for (const { state, change } of writes) unmark(state, change.key, change.revision);
    if (writes.length > 0) this.#options.durable(writes);
    for (const write of writes) tell(write, undefined);
    for (const { settled } of waiting) settled(undefined);
    return true;
  }

  #take(): PendingWrite[] {
    let bytes = 0;
    let count = 0;
    for (const { change } of this.#writes) {
      bytes += (change.value?.length ?? 0) + (change.previous?.length ?? 0);
      if (count > 0 && (count >= MAX_WRITES || bytes > MAX_BYTES)) break;
      count++;
    }
    return this.#writes.splice(0, count);
  }

  /**
   * Later writes of the same tenants were numbered, and perhaps compared, as if these had
   * happened: they fail with them, and the tenant goes on from what is durable.
   */
  #fail(writes: readonly PendingWrite[], cause: unknown): void {
    const states = new Set(writes.map(({ state }) => state));
    const failed = [...writes, ...this.#writes.filter(({ state }) => states.has(state))];
    this.#writes = this.#writes.filter(({ state }) => !states.has(state));
    for (const state of states) {
      state.accepted = state.revision;
      state.pending.clear();
    }
    for (const write of failed) {
      tell(write, unavailable(`write "${write.change.key}"`, cause));
    }
  }
}

function asCommit(writes: readonly PendingWrite[], trims: readonly StateTrim[]): Commit {
  const bounds = new Map<Tenant, Bounds>();
  for (const { state, change } of writes) {
    bounds.set(state.tenant, { revision: change.revision, oldest: state.oldest });
  }
  for (const { state, to } of trims) {
    const { revision, oldest } = bounds.get(state.tenant) ?? state;
    bounds.set(state.tenant, { revision, oldest: Math.max(oldest, to) });
  }
  return {
    changes: writes.map(({ change }) => change),
    bounds,
    trims: trims.map(({ state, from, to }): Trim => ({ tenant: state.tenant, from, to })),
  };
}

function forget(state: TenantState, to: number): void {
  state.oldest = Math.max(state.oldest, to);
  state.recent.dropThrough(to);
}

function unmark(state: TenantState, key: string, revision: number): void {
  if (state.pending.get(key)?.change.revision === revision) state.pending.delete(key);
}

function tell(write: PendingWrite, error: Error | undefined): void {
  for (const settled of write.settled) settled(error);
}

function unavailable(action: string, cause: unknown): StoreUnavailable {
  const state = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable(`Cannot ${action}: ${state}`, { cause });
}
