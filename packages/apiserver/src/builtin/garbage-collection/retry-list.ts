const FIRST_RETRY_MS = 100;
/** Upstream's longest wait between two attempts. */
const LAST_RETRY_MS = 1_000_000;

interface Failed {
  readonly at: number;
  readonly isUnknown: boolean;
}

/** Keys that could not be dealt with, and when to try them again. */
export class RetryList {
  readonly #failed = new Map<string, Failed>();
  /** Keys that were tried again and have not succeeded yet keep their count. */
  readonly #counts = new Map<string, number>();

  /** Puts a key off, longer each time; returns how often it has failed in a row. */
  failed(key: string, { now, isUnknown }: { now: Date; isUnknown: boolean }): number {
    const failures = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, failures);
    const wait = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20));
    this.#failed.set(key, { at: now.getTime() + wait, isUnknown });
    return failures;
  }

  forget(key: string): void {
    this.#failed.delete(key);
    this.#counts.delete(key);
  }

  /** Takes out the keys whose time has come. */
  takeDue(now: Date): string[] {
    return this.#take(({ at }) => at <= now.getTime());
  }

  /** Takes out the keys that wait for a kind nobody served. */
  takeUnknown(): string[] {
    return this.#take(({ isUnknown }) => isUnknown);
  }

  /** Milliseconds until the next key is due; undefined when none waits. */
  nextMs(now: Date): number | undefined {
    if (this.#failed.size === 0) return undefined;
    let next = Number.POSITIVE_INFINITY;
    for (const { at } of this.#failed.values()) next = Math.min(next, at);
    return Math.max(0, next - now.getTime());
  }

  #take(wanted: (failed: Failed) => boolean): string[] {
    const taken: string[] = [];
    for (const [key, failed] of this.#failed) if (wanted(failed)) taken.push(key);
    for (const key of taken) this.#failed.delete(key);
    return taken;
  }
}
