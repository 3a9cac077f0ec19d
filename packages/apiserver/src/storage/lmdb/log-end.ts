import type { Table } from './tables.ts';

/**
 * Knows the end of the log, so that entries behind it can be appended: lmdb then fills its pages, where it would
 * otherwise leave half of each empty, and with objects of a few KB more than half.
 */
export class LogEnd {
  /** At least as far as the last key there is; undefined while the log is empty. */
  #last: string | undefined;

  constructor(log: Table) {
    [this.#last] = log.getKeys({
      start: '\u{10ffff}',
      end: '',
      reverse: true,
      limit: 1,
    });
  }

  /** Whether nothing in the log comes at or behind a key. True moves the end there, whether or not it is then written. */
  passes(at: string): boolean {
    // lmdb compares bytes, and refuses to append what is not last.
    if (this.#last !== undefined && Buffer.compare(Buffer.from(at), Buffer.from(this.#last)) <= 0) {
      return false;
    }
    this.#last = at;
    return true;
  }
}
