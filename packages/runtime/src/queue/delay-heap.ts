/** Something that waits for its time. The heap keeps `place`, so that it finds an entry without searching. */
export interface Delayed {
  dueAt: number;
  /** Position in the heap, -1 outside of it. */
  place: number;
}

/** A binary heap by due time whose entries can be moved and removed in O(log n). */
export class DelayHeap<T extends Delayed> {
  readonly #entries: T[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** What is due first. */
  get first(): T | undefined {
    return this.#entries[0];
  }

  push(entry: T): void {
    entry.place = this.#entries.length;
    this.#entries.push(entry);
    this.#rise(entry);
  }

  remove(entry: T): void {
    const { place } = entry;
    if (this.#entries[place] !== entry) return;
    const last = this.#entries.pop() as T;
    entry.place = -1;
    if (last === entry) return;
    this.#put(last, place);
    this.#rise(last);
    this.#sink(last);
  }

  /** Told that the due time of an entry is earlier than before. */
  hasten(entry: T): void {
    this.#rise(entry);
  }

  clear(): void {
    for (const entry of this.#entries) entry.place = -1;
    this.#entries.length = 0;
  }

  #put(entry: T, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }

  #rise(entry: T): void {
    let { place } = entry;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = this.#entries[above] as T;
      if (parent.dueAt <= entry.dueAt) break;
      this.#put(parent, place);
      place = above;
    }
    this.#put(entry, place);
  }

  #sink(entry: T): void {
    let { place } = entry;
    for (;;) {
      const left = 2 * place + 1;
      const right = this.#entries[left + 1];
      let child = this.#entries[left];
      if (child === undefined) break;
      if (right !== undefined && right.dueAt < child.dueAt) child = right;
      if (child.dueAt >= entry.dueAt) break;
      const below = child.place;
      this.#put(child, place);
      place = below;
    }
    this.#put(entry, place);
  }
}
