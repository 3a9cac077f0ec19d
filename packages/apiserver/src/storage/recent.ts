import type { LoggedChange } from './engine.ts';

/** What one change costs beside its values; an estimate for the budget. */
const CHANGE_OVERHEAD = 200;

/**
 * The newest changes of one tenant, so that watches need not read the disk.
 * Always a gapless run that ends at the tenant's newest revision.
 */
export class Recent {
  #changes: LoggedChange[] = [];
  #start = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#changes.length - this.#start;
  }

  push(change: LoggedChange): void {
    this.#changes.push(change);
    this.#bytes += cost(change);
  }

  /** All changes after `revision`, or undefined when they reach further back than this. */
  since(revision: number): LoggedChange[] | undefined {
    const first = this.#changes[this.#start];
    if (first === undefined || first.revision > revision + 1) return undefined;
    return this.#changes.slice(this.#start + (revision + 1 - first.revision));
  }

  /** The change of one revision, when it is here. */
  at(revision: number): LoggedChange | undefined {
    const first = this.#changes[this.#start];
    return first && this.#changes[this.#start + revision - first.revision];
  }

  /** Forgets the oldest until at most that much is left. */
  shrink(limit: { events: number; bytes: number }): void {
    while (this.size > limit.events || (this.#bytes > limit.bytes && this.size > 0)) this.#drop();
    this.#compact();
  }

  /** Forgets everything up to and including `revision`. */
  dropThrough(revision: number): void {
    while (this.size > 0 && (this.#changes[this.#start]?.revision ?? 0) <= revision) this.#drop();
    this.#compact();
  }

  /** Forgets everything accepted before `time`. */
  dropBefore(time: number): void {
    while (this.size > 0 && (this.#changes[this.#start]?.time ?? 0) < time) this.#drop();
    this.#compact();
  }

  #drop(): void {
    const change = this.#changes[this.#start++];
    if (change) this.#bytes -= cost(change);
  }

  /** Moving the array only when half of it is gone keeps dropping cheap; holding more would leak. */
  #compact(): void {
    if (this.#start * 2 < this.#changes.length) {
      // The dropped half still holds values: let go of them now.
      for (let i = this.#start - 1; i >= 0 && this.#changes[i] !== FORGOTTEN; i--) {
        this.#changes[i] = FORGOTTEN;
      }
      return;
    }
    this.#changes = this.#changes.slice(this.#start);
    this.#start = 0;
  }
}

const FORGOTTEN: LoggedChange = {
  tenant: '',
  revision: 0,
  key: '',
  value: undefined,
  previous: undefined,
  previousRevision: 0,
  time: 0,
};

function cost(change: LoggedChange): number {
  return (change.value?.length ?? 0) + (change.previous?.length ?? 0) + CHANGE_OVERHEAD;
}
