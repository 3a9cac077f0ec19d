import { type Clock, type Enrolled, Roster } from '@flotilla/machinery';
import type { QueueReading, WorkPriority } from '../observer.ts';
import { type Delayed, DelayHeap } from './delay-heap.ts';
import { RateLimiter, type RateLimits } from './rate-limits.ts';
import { isMoreUrgent, ReadyLines, type Standing } from './ready-lines.ts';

/** How to put a key into a queue. */
export interface AddOptions {
  /** @default 'change' */
  readonly priority?: WorkPriority;
  /** @default 0 */
  readonly afterMs?: number;
}

/** A key that a worker has now, until it says `done`. */
export interface Taken {
  readonly key: string;
  readonly priority: WorkPriority;
  /** How long the key could have been worked on before. */
  readonly waitedMs: number;
}

/** What a queue tells whoever counts. */
export interface QueueMeter {
  readonly added: (priority: WorkPriority) => void;
  readonly retried: () => void;
  readonly taken: (waitedMs: number) => void;
}

/**
 * Keys to be worked on. A key is there at most once however often it is added, no two workers ever have the same key,
 * and one that is added while a worker has it comes again afterwards. Of two requests for a key the earlier time and
 * the more urgent priority count. Adding and taking cost O(log n) with n delayed keys, and O(1) without a delay.
 */
export interface WorkQueue {
  readonly add: (key: string, options?: AddOptions) => void;
  /**
   * Adds a key after a delay that grows with each failure, within what all keys together may repeat, and no earlier than
   * after `askedMs`. Whatever else adds the key meanwhile does not wait for that.
   */
  readonly addFailed: (key: string, priority?: WorkPriority, askedMs?: number) => void;
  /** Adds a key after a delay that grows each time, for repeats that are no failures. */
  readonly addAgain: (key: string, priority?: WorkPriority) => void;
  /** The next failure of this key is its first one again. */
  readonly forget: (key: string) => void;
  /** Failures and repeats of this key since it was last forgotten. */
  readonly failures: (key: string) => number;
  /** The next key, when there is one; undefined once the queue is shut down. */
  readonly take: () => Promise<Taken | undefined>;
  /** Gives back a key that was taken. */
  readonly done: (key: string) => void;
  readonly reading: () => QueueReading;
  /** Nothing more is added. With `drain` what is ready is still handed out; otherwise it is dropped, as are delays. */
  readonly shutDown: (options?: { readonly drain?: boolean }) => void;
  /** Resolves once no worker has a key and none is ready. Delayed keys do not count. */
  readonly idle: () => Promise<void>;
}

/** What is known of a key while it is in the queue or with a worker. */
interface Entry extends Delayed, Standing<Entry> {
  readonly key: string;
  /** What it will be taken for when its delay is over. */
  delayedPriority: WorkPriority;
  readySince: number;
  /** While a worker has it. */
  run: Run | undefined;
  /** Asked for while a worker has it. */
  again: WorkPriority | undefined;
}

/** A worker's time with a key. */
interface Run extends Enrolled {
  readonly since: number;
}

/** Makes a queue; time is measured with the clock's `elapsed`, so that a clock set back delays nothing. */
export function createWorkQueue(options: {
  readonly clock: Clock;
  readonly limits?: RateLimits;
  readonly meter?: QueueMeter;
}): WorkQueue {
  const { clock, meter } = options;
  const limiter = new RateLimiter(clock, options.limits);
  const entries = new Map<string, Entry>();
  const lines = new ReadyLines<Entry>();
  const delays = new DelayHeap<Entry>();
  // Not a Set: one that keys go through for ever keeps the dead alive until the next full collection.
  const running = new Roster<Run>();
  /** Workers without work, the one that has waited longest first. */
  const workers: ((taken: Taken | undefined) => void)[] = [];
  const idlers: (() => void)[] = [];
  let alarm: { readonly dueAt: number; readonly timer: Disposable } | undefined;
  let state: 'open' | 'draining' | 'closed' = 'open';

  function entryOf(key: string): Entry {
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry: Entry = {
      key,
      dueAt: 0,
      place: -1,
      line: undefined,
      ahead: undefined,
      behind: undefined,
      delayedPriority: 'resync',
      readySince: 0,
      run: undefined,
      again: undefined,
    };
    entries.set(key, entry);
    return entry;
  }

  function makeReady(entry: Entry, priority: WorkPriority): void {
    let wanted = priority;
    if (entry.place >= 0) {
      delays.remove(entry);
      if (isMoreUrgent(entry.delayedPriority, wanted)) wanted = entry.delayedPriority;
    }
    if (entry.run !== undefined) {
      if (entry.again === undefined || isMoreUrgent(wanted, entry.again)) entry.again = wanted;
      return;
    }
    if (entry.line === undefined) entry.readySince = clock.elapsed();
    lines.add(entry, wanted);
    serve();
  }

  function delay(entry: Entry, priority: WorkPriority, afterMs: number): void {
    // Ready is earlier than any delay.
    if (entry.line !== undefined || entry.again !== undefined) {
      makeReady(entry, priority);
      return;
    }
    const dueAt = clock.elapsed() + afterMs;
    if (entry.place < 0) {
      entry.dueAt = dueAt;
      entry.delayedPriority = priority;
      delays.push(entry);
    } else {
      if (isMoreUrgent(priority, entry.delayedPriority)) entry.delayedPriority = priority;
      if (dueAt < entry.dueAt) {
        entry.dueAt = dueAt;
        delays.hasten(entry);
      }
    }
    setAlarm();
  }

  function setAlarm(): void {
    const first = delays.first;
    if (first === undefined || (alarm !== undefined && alarm.dueAt <= first.dueAt)) return;
    alarm?.timer[Symbol.dispose]();
    const { dueAt } = first;
    alarm = { dueAt, timer: clock.later(Math.max(0, dueAt - clock.elapsed()), ring) };
  }

  function ring(): void {
    alarm = undefined;
    // A timer may come a fraction of a millisecond early; then it is set once more.
    const now = clock.elapsed();
    for (
      let first = delays.first;
      first !== undefined && first.dueAt <= now;
      first = delays.first
    ) {
      makeReady(first, first.delayedPriority);
    }
    setAlarm();
  }

  /** Hands ready keys to waiting workers. */
  function serve(): void {
    while (workers.length > 0 && lines.size > 0) workers.shift()?.(next());
  }

  function next(): Taken | undefined {
    const taken = lines.take();
    if (taken === undefined) return undefined;
    const { entry, priority } = taken;
    const now = clock.elapsed();
    entry.run = { since: now, place: -1 };
    running.add(entry.run);
    const waitedMs = now - entry.readySince;
    meter?.taken(waitedMs);
    return { key: entry.key, priority, waitedMs };
  }

  function settleIfIdle(): void {
    if (running.size > 0 || lines.size > 0) return;
    for (const resolve of idlers.splice(0)) resolve();
    if (state !== 'open') for (const resolve of workers.splice(0)) resolve(undefined);
  }

  function add(key: string, { priority = 'change', afterMs = 0 }: AddOptions = {}): void {
    if (state !== 'open') return;
    meter?.added(priority);
    const entry = entryOf(key);
    if (afterMs > 0) delay(entry, priority, afterMs);
    else makeReady(entry, priority);
  }

  return {
    add,
    addFailed: (key, priority = 'other', askedMs = 0) => {
      meter?.retried();
      add(key, { priority, afterMs: limiter.failed(key, askedMs) });
    },
    addAgain: (key, priority = 'other') => add(key, { priority, afterMs: limiter.again(key) }),
    forget: (key) => limiter.forget(key),
    failures: (key) => limiter.failures(key),
    take: () => {
      if (lines.size > 0) return Promise.resolve(next());
      // A running key may come again while the queue drains; then somebody must still be there for it.
      if (state === 'closed' || (state === 'draining' && running.size === 0)) {
        return Promise.resolve(undefined);
      }
      return new Promise((resolve) => workers.push(resolve));
    },
    done: (key) => {
      const entry = entries.get(key);
      if (entry?.run === undefined) return;
      running.delete(entry.run);
      entry.run = undefined;
      const { again } = entry;
      entry.again = undefined;
      if (again !== undefined && state !== 'closed') makeReady(entry, again);
      else if (entry.place < 0) entries.delete(key);
      settleIfIdle();
    },
    reading: () => {
      const now = clock.elapsed();
      let unfinishedMs = 0;
      let longestRunningMs = 0;
      for (const { since } of running.list()) {
        unfinishedMs += now - since;
        longestRunningMs = Math.max(longestRunningMs, now - since);
      }
      return {
        ready: lines.counts(),
        delayed: delays.size,
        running: running.size,
        unfinishedMs,
        longestRunningMs,
      };
    },
    shutDown: ({ drain = false } = {}) => {
      state = drain ? 'draining' : 'closed';
      alarm?.timer[Symbol.dispose]();
      alarm = undefined;
      delays.clear();
      if (!drain) while (lines.take() !== undefined);
      for (const [key, entry] of entries) {
        if (entry.line === undefined && entry.run === undefined) entries.delete(key);
      }
      if (state === 'closed') for (const resolve of workers.splice(0)) resolve(undefined);
      settleIfIdle();
    },
    idle: () =>
      running.size === 0 && lines.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => idlers.push(resolve)),
  };
}
