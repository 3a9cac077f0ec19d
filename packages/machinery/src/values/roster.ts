/** Who can be on a roster, and knows where. */
export interface Enrolled {
  /** -1 on none. */
  place: number;
}

/**
 * Those who are there now. A Set that thousands pass through outgrows one table after another, and each keeps those who
 * were in it until the next full collection; here nobody is kept.
 */
export class Roster<T extends Enrolled> {
  readonly #present: T[] = [];

  add(one: T): void {
    one.place = this.#present.push(one) - 1;
  }

  /** Does nothing for who is not there. */
  delete(one: T): void {
    const { place } = one;
    if (place < 0) return;
    one.place = -1;
    const last = this.#present.pop();
    if (last === undefined || last === one) return;
    this.#present[place] = last;
    last.place = place;
  }

  get size(): number {
    return this.#present.length;
  }

  /** Everybody at this moment. */
  list(): T[] {
    return [...this.#present];
  }
}
