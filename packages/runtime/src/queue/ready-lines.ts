import type { WorkPriority } from '../observer.ts';

/** Most urgent first. */
export const priorities = ['change', 'other', 'resync'] as const satisfies readonly WorkPriority[];

/**
 * How often a line is passed over by more urgent ones before it has its turn. So resyncs get about a twentieth of the
 * workers while users change things without pause: enough never to starve, too little to be noticed.
 */
const PATIENCE: Readonly<Record<WorkPriority, number>> = {
  change: Number.POSITIVE_INFINITY,
  other: 8,
  resync: 20,
};

/** Whoever stands in a line; the links are the line's own. */
export interface Standing<T> {
  /** The line it stands in. */
  line: WorkPriority | undefined;
  ahead: T | undefined;
  behind: T | undefined;
}

/**
 * The lines in which keys stand that can be worked on: first come, first served, a more urgent line before the others.
 * Linked lists, because a Map from whose front much was taken is slow to find its front.
 */
export class ReadyLines<T extends Standing<T>> {
  readonly #ends: Record<WorkPriority, { first: T | undefined; last: T | undefined }> = {
    change: { first: undefined, last: undefined },
    other: { first: undefined, last: undefined },
    resync: { first: undefined, last: undefined },
  };
  readonly #counts: Record<WorkPriority, number> = { change: 0, other: 0, resync: 0 };
  readonly #passedOver: Record<WorkPriority, number> = { change: 0, other: 0, resync: 0 };

  get size(): number {
    return this.#counts.change + this.#counts.other + this.#counts.resync;
  }

  counts(): Record<WorkPriority, number> {
    return { ...this.#counts };
  }

  /** Puts it at the end of a line. Whoever stands in a less urgent one moves; in a more urgent one, it stays. */
  add(entry: T, priority: WorkPriority): void {
    if (entry.line !== undefined) {
      if (!isMoreUrgent(priority, entry.line)) return;
      this.#leave(entry, entry.line);
    }
    const ends = this.#ends[priority];
    entry.line = priority;
    entry.ahead = ends.last;
    if (ends.last === undefined) ends.first = entry;
    else ends.last.behind = entry;
    ends.last = entry;
    this.#counts[priority]++;
  }

  /** Takes out whoever is next. */
  take(): { readonly entry: T; readonly priority: WorkPriority } | undefined {
    const priority = this.#nextLine();
    if (priority === undefined) return undefined;
    const entry = this.#ends[priority].first as T;
    this.#leave(entry, priority);
    return { entry, priority };
  }

  #leave(entry: T, line: WorkPriority): void {
    const ends = this.#ends[line];
    if (entry.ahead === undefined) ends.first = entry.behind;
    else entry.ahead.behind = entry.behind;
    if (entry.behind === undefined) ends.last = entry.ahead;
    else entry.behind.ahead = entry.ahead;
    entry.line = undefined;
    entry.ahead = undefined;
    entry.behind = undefined;
    this.#counts[line]--;
  }

  #nextLine(): WorkPriority | undefined {
    const isWaiting = (line: WorkPriority) => this.#counts[line] > 0;
    const chosen =
      priorities.findLast((line) => isWaiting(line) && this.#passedOver[line] >= PATIENCE[line]) ??
      priorities.find(isWaiting);
    if (chosen === undefined) return undefined;
    this.#passedOver[chosen] = 0;
    for (const line of priorities) {
      if (isWaiting(line) && isMoreUrgent(chosen, line)) this.#passedOver[line]++;
    }
    return chosen;
  }
}

/** Whether work of the one priority goes before work of the other. */
export function isMoreUrgent(one: WorkPriority, other: WorkPriority): boolean {
  return priorities.indexOf(one) < priorities.indexOf(other);
}
