/** How a pass that went well wants to be repeated. */
export interface Resync {
  /** Undefined: only when something changes. */
  readonly afterMs?: number | undefined;
}

/** Ends a pass well, and has it repeated after about this time (up to a tenth more, so that not all come at once). */
export function resyncAfter(afterMs: number): Resync {
  return { afterMs };
}

/** Ends a pass well; the next change of the object or of what it watches begins another. */
export const untilChanged: Resync = {};

/** Ends a pass early, for a reason that a condition tells. */
export abstract class EarlyEnd extends Error {
  readonly condition: string;
  readonly reason: string;

  constructor(condition: string, reason: string, message: string) {
    super(message);
    this.condition = condition;
    this.reason = reason;
  }
}

/** Something else must happen first: the condition is False, and the pass is repeated after a stated time. */
export class Waiting extends EarlyEnd {
  override readonly name = 'Waiting';
  readonly afterMs: number;

  constructor(condition: string, reason: string, how: { message: string; afterMs: number }) {
    super(condition, reason, how.message);
    this.afterMs = how.afterMs;
  }
}

/** Only the user can help: the condition is False, and nothing is tried until a watched object changes. */
export class Stalled extends EarlyEnd {
  override readonly name = 'Stalled';
}
