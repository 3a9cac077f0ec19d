import type { KubeObject } from '@flotilla/machinery';
import type { Subscriber } from './informer.ts';

/** One thing to tell a subscriber. */
export type Notice<T extends KubeObject> =
  | { readonly type: 'added'; readonly object: T; readonly isInitial: boolean }
  | { readonly type: 'updated'; readonly object: T; readonly before: T }
  | { readonly type: 'deleted'; readonly object: T; readonly isFinalStateUnknown: boolean };

/** Calls between two turns of the event loop. */
const SLICE = 256;

/** Tells one subscriber everything in order, at its own pace; what it throws goes to `report`. */
export class Delivery<T extends KubeObject> implements Disposable {
  readonly #subscriber: Subscriber<T>;
  readonly #report: (error: unknown) => void;
  #queue: Notice<T>[] = [];
  #isRunning = false;
  #isOver = false;

  constructor(subscriber: Subscriber<T>, report: (error: unknown) => void) {
    this.#subscriber = subscriber;
    this.#report = report;
  }

  /** Whether there is more to tell than has been. */
  get isBehind(): boolean {
    return this.#isRunning;
  }

  push(notice: Notice<T>): void {
    if (this.#isOver) return;
    this.#queue.push(notice);
    if (this.#isRunning) return;
    this.#isRunning = true;
    // Later, so that whoever subscribes or stores is done with that first.
    queueMicrotask(() => void this.#run());
  }

  async #run(): Promise<void> {
    let told = 0;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      for (const notice of batch) {
        if (this.#isOver) return;
        try {
          const slow = this.#tell(notice);
          if (slow !== undefined) await slow;
        } catch (error) {
          this.#report(error);
        }
        told += 1;
        if (told % SLICE === 0) await nextTurn();
      }
    }
    this.#isRunning = false;
  }

  #tell(notice: Notice<T>): void | Promise<void> {
    const { added, updated, deleted } = this.#subscriber;
    switch (notice.type) {
      case 'added':
        return added?.(notice.object, { isInitial: notice.isInitial });
      case 'updated':
        return updated?.(notice.object, notice.before);
      case 'deleted':
        return deleted?.(notice.object, { isFinalStateUnknown: notice.isFinalStateUnknown });
    }
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#queue = [];
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
