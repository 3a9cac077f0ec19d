/** Takes out what comes first, however much there is. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #compare: (one: T, other: T) => number;

  constructor(compare: (one: T, other: T) => number) {
    this.#compare = compare;
  }

  /** What comes first, left where it is. */
  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent] as T;
      if (this.#compare(item, above) >= 0) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const [first] = items;
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      const right = child + 1;
      if (right < items.length && this.#compare(items[right] as T, items[child] as T) < 0) {
        child = right;
      }
      const below = items[child] as T;
      if (this.#compare(last, below) <= 0) break;
      items[at] = below;
      at = child;
    }
    items[at] = last;
    return first;
  }
}
