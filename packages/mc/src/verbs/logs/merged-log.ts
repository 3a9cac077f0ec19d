import type { WireStream } from '@flotilla/client';
import { LineCutter } from '../../lines/line-cutter.ts';
import type { LogPrinter } from './log-printer.ts';
import { compareLogTimes, type LogTime } from './log-time.ts';
import { type TimedPiece, timedPieces } from './read-log.ts';

const BEGINNING: LogTime = { seconds: Number.NEGATIVE_INFINITY, nanos: 0, text: '' };

/** One of the logs that are merged: read as far as its next line. */
export class MergedLog {
  /** Tells logs apart whose lines have the same time. */
  readonly #order: number;
  readonly #stream: AsyncIterator<Buffer>;
  readonly #printer: LogPrinter;
  readonly #cutter = new LineCutter();
  #pieces: readonly TimedPiece[] = [];
  #at = 0;
  /** Of the next line; one without a time belongs to the line before. */
  #time: LogTime = BEGINNING;

  constructor(
    order: number,
    { stream, printer }: { readonly stream: WireStream; readonly printer: LogPrinter },
  ) {
    this.#order = order;
    this.#stream = stream[Symbol.asyncIterator]();
    this.#printer = printer;
  }

  /** Which of two logs has the earlier next line. */
  static compare(one: MergedLog, other: MergedLog): number {
    return compareLogTimes(one.#time, other.#time) || one.#order - other.#order;
  }

  /** Reads on where nothing is left; false at the end of the log. */
  async fill(): Promise<boolean> {
    while (this.#at >= this.#pieces.length) {
      const { done, value } = await this.#stream.next();
      if (done === true) return await this.#end();
      this.#take(this.#cutter.push(value));
    }
    return true;
  }

  /** Prints the next line, and those that are there and come before `next`. */
  async print(next: MergedLog | undefined): Promise<void> {
    const start = this.#at;
    do this.#advance();
    while (
      this.#at < this.#pieces.length &&
      (!this.#isAtStart() || next === undefined || MergedLog.compare(this, next) < 0)
    );
    await this.#printer.print(this.#pieces.slice(start, this.#at));
    // What is very long is not left before its end.
    if (this.#pieces[this.#at - 1]?.isEnd === false && (await this.fill())) await this.print(next);
  }

  #take(pieces: Parameters<typeof timedPieces>[0]): void {
    this.#pieces = timedPieces(pieces);
    this.#at = 0;
    this.#readTime();
  }

  #advance(): void {
    this.#at += 1;
    this.#readTime();
  }

  #isAtStart(): boolean {
    return this.#pieces[this.#at]?.isStart !== false;
  }

  #readTime(): void {
    this.#time = this.#pieces[this.#at]?.time ?? this.#time;
  }

  /** A last line without a newline is a line like any other. */
  async #end(): Promise<boolean> {
    const rest = this.#cutter.rest();
    if (rest === undefined) return false;
    if (rest.isStart) {
      this.#take([{ ...rest, isEnd: true }]);
      return true;
    }
    await this.#printer.end(rest);
    return false;
  }
}
