import type { LogPosition, Resumption } from '../log-position.ts';
import { compareLogTimes, type LogTime } from '../log-time.ts';
import type { TimedPiece } from '../read-log.ts';

/**
 * What an answer has that answers before it did not have. A line counts once it is there to its end; of a very long one
 * whose beginning has been handed out, only the rest is handed out when it comes again.
 */
export class FreshLines {
  readonly #position: LogPosition;
  #isKnown: Resumption['isKnown'] | undefined;
  /** How much of an unfinished line has been handed out, and of which. */
  #begun = 0;
  #begunAt: LogTime | undefined;
  /** Of the line that is being read. */
  #time: LogTime | undefined;
  #isSkipped = false;
  #offset = 0;

  constructor(position: LogPosition) {
    this.#position = position;
  }

  /** Begins another answer; gives what to ask for, undefined when there is nothing to go on from. */
  resume(): string | undefined {
    const resumption = this.#position.resume();
    this.#isKnown = resumption?.isKnown;
    return resumption?.sinceTime;
  }

  /** The pieces that are new. */
  take(pieces: readonly TimedPiece[]): TimedPiece[] {
    const fresh: TimedPiece[] = [];
    for (const piece of pieces) {
      if (piece.isStart) this.#start(piece.time);
      if (this.#isSkipped) continue;
      const { bytes, isEnd } = piece;
      const known = Math.min(bytes.length, Math.max(0, this.#begun - this.#offset));
      this.#offset += bytes.length;
      if (isEnd) this.#end();
      else if (this.#offset > this.#begun) {
        this.#begun = this.#offset;
        this.#begunAt = this.#time;
      }
      if (known === 0) fresh.push(piece);
      else if (isEnd || known < bytes.length) {
        fresh.push({ bytes: bytes.subarray(known), isStart: false, isEnd });
      }
    }
    return fresh;
  }

  #start(time: LogTime | undefined): void {
    this.#time = time;
    this.#offset = 0;
    this.#isSkipped = time !== undefined && this.#isKnown?.(time) === true;
    if (!this.#isSkipped && !isSame(time, this.#begunAt)) this.#begun = 0;
  }

  #end(): void {
    this.#begun = 0;
    if (this.#time !== undefined) this.#position.pass(this.#time);
  }
}

function isSame(one: LogTime | undefined, other: LogTime | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return compareLogTimes(one, other) === 0;
}
