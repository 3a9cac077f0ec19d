import type { Transaction } from 'lmdb';
import type { ReadOptions, Tables } from './tables.ts';

/**
 * The data as one commit left it, behind one read transaction that everybody reading it shares.
 *
 * Readers never use lmdb's default transaction: it would show a commit the moment it is on disk,
 * before its revision is announced and its events are delivered.
 */
export class Generation {
  readonly tables: Tables;
  readonly openedAt: number;
  readonly #transaction: Transaction;
  readonly #options: ReadOptions;
  #holders = 1;
  #state: 'open' | 'expired' | 'closed' = 'open';

  constructor(tables: Tables, now: number) {
    this.tables = tables;
    this.openedAt = now;
    // Without the reset lmdb may hand out the transaction it used earlier in this turn.
    tables.root.resetReadTxn();
    this.#transaction = tables.root.useReadTransaction();
    this.#options = { transaction: this.#transaction };
  }

  /** True once nobody reads it any more, or nobody may. */
  get isOver(): boolean {
    return this.#state !== 'open';
  }

  /** True when it was taken away from somebody who held it. */
  get hasExpired(): boolean {
    return this.#state === 'expired';
  }

  /** What to pass to lmdb. An ended transaction must not reach native code, which would crash. */
  get options(): ReadOptions {
    if (this.#state !== 'open') throw new Error('Cannot read: the store is closed');
    return this.#options;
  }

  hold(): this {
    this.#holders++;
    return this;
  }

  release(): void {
    this.#holders--;
    if (this.#holders === 0) this.#end('closed');
  }

  /** Takes it away from whoever still holds it: old pages cannot be reused while it is open. */
  expire(): void {
    this.#end('expired');
  }

  /** Ends it because the environment closes. */
  close(): void {
    this.#end('closed');
  }

  #end(state: 'expired' | 'closed'): void {
    if (this.#state !== 'open') return;
    this.#state = state;
    this.#transaction.done();
  }
}
