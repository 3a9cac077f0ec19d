import type { HistoryReader } from './engine.ts';
import type { Change, Subscription } from './store.ts';

/** How many changes of the past a watch receives per turn of the event loop. */
const HISTORY_SLICE = 500;

type Listener = (changes: readonly Change[]) => void;

/** What a watch gets before live changes: what is in memory, or what must be read from the log. */
export type Past = readonly Change[] | HistoryReader;

/** Called with what a listener threw, which is a defect of the listener. */
export type OnListenerError = (error: unknown) => void;

interface NewWatch {
  prefix: string;
  after: number;
  listener: Listener;
  ended?: ((error: Error) => void) | undefined;
}

interface Watch extends Subscription {
  readonly prefix: string;
  readonly after: number;
  readonly listener: Listener;
  readonly ended: ((error: Error) => void) | undefined;
  closed: boolean;
  /** Live changes that arrived while the past was still being delivered. */
  waiting: Change[] | undefined;
}

/** The watches of one tenant. */
export class WatchHub {
  /** Watches of one prefix share one filtered batch; thousands of them cost one pass. */
  readonly #live = new Map<string, Set<Watch>>();
  /** Watches still being told the past. */
  readonly #behind = new Set<Watch>();
  readonly #onError: OnListenerError;

  constructor(onError: OnListenerError) {
    this.#onError = onError;
  }

  get isEmpty(): boolean {
    return this.#live.size === 0 && this.#behind.size === 0;
  }

  /** Starts a watch; `past` ends exactly at the newest change this hub has delivered. */
  add(watch: NewWatch, past: Past): Subscription {
    const added: Watch = {
      prefix: watch.prefix,
      after: watch.after,
      listener: watch.listener,
      ended: watch.ended,
      closed: false,
      waiting: undefined,
      get isBehind() {
        return added.waiting !== undefined;
      },
      [Symbol.dispose]: () => this.#remove(added),
    };
    if (Array.isArray(past) && past.length === 0) {
      this.#goLive(added);
      return added;
    }
    added.waiting = [];
    this.#behind.add(added);
    const reader = Array.isArray(past) ? readArray(past) : (past as HistoryReader);
    queueMicrotask(() => this.#tellPast(added, reader));
    return added;
  }

  /** Passes on what was just made durable. */
  deliver(changes: readonly Change[]): void {
    for (const watch of this.#behind) watch.waiting?.push(...changes);
    for (const [prefix, watches] of this.#live) {
      const matching = prefix === '' ? changes : matches(changes, prefix);
      if (matching.length === 0) continue;
      // A copy: a listener may end its own or start another watch.
      for (const watch of [...watches]) this.#tell(watch, matching);
    }
  }

  /** Ends every watch without telling it. */
  close(): void {
    for (const watch of this.#behind) watch.closed = true;
    for (const watches of this.#live.values()) for (const watch of watches) watch.closed = true;
    this.#behind.clear();
    this.#live.clear();
  }

  #tell(watch: Watch, changes: readonly Change[]): void {
    if (watch.closed) return;
    let wanted = changes;
    // Only a watch from the future has anything to leave out.
    if ((changes[0]?.revision ?? 0) <= watch.after) {
      wanted = changes.filter((change) => change.revision > watch.after);
      if (wanted.length === 0) return;
    }
    try {
      watch.listener(wanted);
    } catch (err) {
      this.#onError(err);
    }
  }

  #tellPast(watch: Watch, reader: HistoryReader): void {
    if (!watch.closed) {
      const slice = this.#readPast(watch, reader);
      if (slice !== undefined) {
        if (slice.length > 0) this.#tell(watch, slice);
        setImmediate(() => this.#tellPast(watch, reader));
        return;
      }
    }
    reader[Symbol.dispose]();
    this.#behind.delete(watch);
    if (watch.closed) return;
    const waiting = matches(watch.waiting ?? [], watch.prefix);
    watch.waiting = undefined;
    this.#goLive(watch);
    if (waiting.length > 0) this.#tell(watch, waiting);
  }

  /** The next matching changes, skipping over slices that have none. */
  #readPast(watch: Watch, reader: HistoryReader): readonly Change[] | undefined {
    try {
      const slice = reader.next();
      return slice && matches(slice, watch.prefix);
    } catch (err) {
      // A damaged log: a watch must never have a gap, so it ends here.
      this.#remove(watch);
      if (watch.ended && err instanceof Error) watch.ended(err);
      else this.#onError(err);
      return undefined;
    }
  }

  #goLive(watch: Watch): void {
    const watches = this.#live.get(watch.prefix);
    if (watches) watches.add(watch);
    else this.#live.set(watch.prefix, new Set([watch]));
  }

  #remove(watch: Watch): void {
    watch.closed = true;
    watch.waiting = undefined;
    this.#behind.delete(watch);
    const watches = this.#live.get(watch.prefix);
    if (watches?.delete(watch) && watches.size === 0) this.#live.delete(watch.prefix);
  }
}

/** Hands out an array in slices, like history from the log. */
export function readArray(changes: readonly Change[]): HistoryReader {
  let next = 0;
  return {
    next() {
      if (next >= changes.length) return undefined;
      const slice = changes.slice(next, next + HISTORY_SLICE);
      next += HISTORY_SLICE;
      return slice;
    },
    [Symbol.dispose]() {},
  };
}

function matches(changes: readonly Change[], prefix: string): readonly Change[] {
  return prefix === '' ? changes : changes.filter((change) => change.key.startsWith(prefix));
}
