import { compareLogTimes, type LogTime } from './log-time.ts';

/** How to go on with a log that was cut off. */
export interface Resumption {
  /** RFC 3339, in whole seconds: servers hand no fractions on to kubelets. */
  readonly sinceTime: string;
  /** Whether a line, in the order they come, was there before. */
  readonly isKnown: (time: LogTime) => boolean;
}

/**
 * How far a log has been read, so that it can be asked for again without a line twice or missing. All a server offers
 * is to begin with a whole second; which of the lines that then come are known is counted here.
 *
 * Lines of standard output and error may be out of order by a little, so that their number counts and not their time,
 * and one more second is asked for. Of a log that began in the middle of it, only times are left.
 */
export class LogPosition {
  readonly #isWhole: boolean;
  #first = 0;
  #second: number | undefined;
  /** Lines of that second, and of the one before it. */
  #count = 0;
  #countBefore = 0;
  #last: LogTime | undefined;
  /** Lines of that very time. */
  #lastCount = 0;

  /** `isWhole` when the log is read from its beginning. */
  constructor({ isWhole }: { readonly isWhole: boolean }) {
    this.#isWhole = isWhole;
  }

  /** A line has been taken. */
  pass(time: LogTime): void {
    const { seconds } = time;
    if (this.#second === undefined || this.#last === undefined) {
      this.#first = seconds;
      this.#advance(time, 0);
    } else if (seconds > this.#second) {
      this.#advance(time, seconds === this.#second + 1 ? this.#count : 0);
    } else if (seconds === this.#second) {
      this.#count += 1;
      const order = compareLogTimes(time, this.#last);
      if (order > 0) {
        this.#last = time;
        this.#lastCount = 1;
      } else if (order === 0) this.#lastCount += 1;
      // Servers leave out what is older, so that it will not come again.
    } else if (seconds === this.#second - 1) this.#countBefore += 1;
  }

  /** Undefined when no line has been taken. */
  resume(): Resumption | undefined {
    const last = this.#last;
    if (last === undefined || this.#second === undefined) return undefined;
    const from = this.#second - 1;
    const count = this.#count + this.#countBefore;
    return {
      sinceTime: new Date(from * 1_000).toISOString().replace(/\.\d+Z$/, 'Z'),
      isKnown:
        this.#isWhole || this.#first < from
          ? countedLines(from, last, count)
          : timedLines(last, this.#lastCount),
    };
  }

  #advance(time: LogTime, before: number): void {
    this.#second = time.seconds;
    this.#count = 1;
    this.#countBefore = before;
    this.#last = time;
    this.#lastCount = 1;
  }
}

function countedLines(from: number, last: LogTime, count: number): Resumption['isKnown'] {
  let left = count;
  return (time) => {
    if (time.seconds < from) return true;
    // What is later cannot have been there, even if some of what was is gone.
    if (left === 0 || compareLogTimes(time, last) > 0) {
      left = 0;
      return false;
    }
    left -= 1;
    return true;
  };
}

function timedLines(last: LogTime, count: number): Resumption['isKnown'] {
  let left = count;
  let isPast = false;
  return (time) => {
    if (isPast) return false;
    const order = compareLogTimes(time, last);
    if (order < 0) return true;
    if (order === 0 && left > 0) {
      left -= 1;
      return true;
    }
    isPast = true;
    return false;
  };
}
