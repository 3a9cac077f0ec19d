import type { StateTrim } from './commit-queue.ts';
import type { Engine, HistoryWindow } from './engine.ts';
import type { TenantState } from './tenant-state.ts';

/** History goes in slices that add little to the commit they travel with. */
const SLICE = 512;
/** A tenant whose history is not due yet is looked at again after this long. */
const LOOK_AGAIN_MS = 1_000;
/** Tenants looked at per commit. */
const TENANTS_PER_COMMIT = 8;

interface TrimmerOptions {
  readonly engine: Engine;
  readonly now: () => number;
  readonly window: HistoryWindow;
}

/** Decides what history is due to be forgotten; idle tenants are not looked at. */
export class Trimmer {
  readonly #options: TrimmerOptions;
  /** Tenants with more history than they must keep. */
  readonly #long = new Set<TenantState>();

  constructor(options: TrimmerOptions) {
    this.#options = options;
  }

  /** To be called for every tenant that was written. */
  touch(state: TenantState): void {
    if (state.revision - state.oldest > this.#options.window.events) this.#long.add(state);
  }

  /** True while the tenant has history that will be due. */
  isBusyWith(state: TenantState): boolean {
    return this.#long.has(state);
  }

  /** The slices to forget with the next commit. */
  next(): StateTrim[] {
    if (this.#long.size === 0) return [];
    const trims: StateTrim[] = [];
    const now = this.#options.now();
    for (const state of this.#take()) {
      const to = this.#dueThrough(state, now);
      if (to > state.oldest) trims.push({ state, from: state.oldest, to });
      // Back to the end of the line, so that every tenant has its turn.
      this.touch(state);
    }
    return trims;
  }

  #take(): TenantState[] {
    const taken: TenantState[] = [];
    for (const state of this.#long) {
      if (taken.length === TENANTS_PER_COMMIT) break;
      taken.push(state);
    }
    for (const state of taken) this.#long.delete(state);
    return taken;
  }

  /** All slices up to and including `revision`, each computed when the last one is done. */
  *slices(state: TenantState, revision: number): Generator<StateTrim> {
    while (state.oldest < revision) {
      const from = state.oldest;
      yield { state, from, to: Math.min(from + SLICE, revision) };
    }
  }

  #dueThrough(state: TenantState, now: number): number {
    const { window, engine } = this.#options;
    const kept = state.revision - state.oldest;
    const overflow = kept - window.maxEvents;
    if (overflow > 0) return state.oldest + Math.min(SLICE, overflow);
    if (now - state.trimmedAt < LOOK_AGAIN_MS) return state.oldest;
    const to = state.oldest + Math.min(SLICE, kept - window.events);
    if (to <= state.oldest) return state.oldest;
    const time = state.recent.at(to)?.time ?? engine.timeOf(state.tenant, to);
    // Without a time its entry is damaged: the sooner it goes, the better.
    if (time !== undefined && time > now - window.ageMs) {
      state.trimmedAt = now;
      return state.oldest;
    }
    return to;
  }
}
