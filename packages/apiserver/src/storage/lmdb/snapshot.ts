import { sortKeys } from '../keys.ts';
import { mergedRange, type Overlay, overlayCount } from '../merged-range.ts';
import { Compacted, type Snapshot, type Tenant } from '../store.ts';
import type { Generation } from './generation.ts';
import type { Past } from './past.ts';
import { countRange, readEntry, readRange } from './ranges.ts';

/** The tenant as a generation has it. */
export function currentSnapshot(
  generation: Generation,
  at: { tenant: Tenant; revision: number },
): Snapshot {
  const { tenant, revision } = at;
  const hold = new Hold(generation, revision);
  return {
    revision,
    read: (key) => readEntry(hold.use(), tenant, key),
    range: (prefix, { after, limit }) => readRange(hold.use(), { tenant, prefix, after, limit }),
    count: (prefix, { after }) => countRange(hold.use(), { tenant, prefix, after }),
    [Symbol.dispose]: () => hold.end(),
  };
}

/**
 * The tenant at an older revision: the current data, overlaid for every key that has changed with
 * its value before the first change since. Nothing is copied that did not change.
 */
export function olderSnapshot(
  generation: Generation,
  at: { tenant: Tenant; revision: number },
  past: Past,
): Snapshot {
  const { tenant, revision } = at;
  const hold = new Hold(generation, revision);
  const overlayOf = (prefix: string): Overlay => ({
    keys: sortKeys(past.keys().filter((key) => key.startsWith(prefix))),
    show: (key) => past.before(key, hold.use()),
  });
  let last: { prefix: string; overlay: Overlay } | undefined;
  // Pages of one list ask for the same prefix again and again.
  const overlayFor = (prefix: string): Overlay => {
    if (last?.prefix !== prefix) last = { prefix, overlay: overlayOf(prefix) };
    return last.overlay;
  };
  const current = (key: string) => readEntry(hold.use(), tenant, key);
  return {
    revision,
    read: (key) => (past.has(key) ? past.before(key, hold.use()) : current(key)),
    range: (prefix, { after, limit }) =>
      mergedRange({ prefix, after, limit }, overlayFor(prefix), (pageAfter, pageLimit) =>
        readRange(hold.use(), { tenant, prefix, after: pageAfter, limit: pageLimit }),
      ),
    count: (prefix, { after }) =>
      countRange(hold.use(), { tenant, prefix, after }) +
      overlayCount({ prefix, after }, overlayFor(prefix), current),
    [Symbol.dispose]: () => hold.end(),
  };
}

/** A snapshot's claim on its generation. */
class Hold {
  readonly #generation: Generation;
  readonly #revision: number;
  #isOpen = true;

  constructor(generation: Generation, revision: number) {
    this.#generation = generation.hold();
    this.#revision = revision;
  }

  use(): Generation {
    if (!this.#isOpen) {
      throw new Error(`Cannot read revision ${this.#revision}: the snapshot is closed`);
    }
    if (this.#generation.hasExpired) throw new Compacted(this.#revision, this.#revision + 1);
    return this.#generation;
  }

  end(): void {
    if (this.#isOpen) this.#generation.release();
    this.#isOpen = false;
  }
}
