import type { LinePiece } from '../../lines/line-cutter.ts';
import type { LineOutput, LineSource } from '../../lines/line-output.ts';
import { printableLogLine } from '../../text/printable.ts';
import type { LogSource } from './log-source.ts';
import type { LogTime } from './log-time.ts';
import type { TimedPiece } from './read-log.ts';

/** How lines look. */
export interface LogStyle {
  readonly isJson: boolean;
  /** Whether times that lines begin with are shown. */
  readonly hasTimestamps: boolean;
  /** Whether lines go to a terminal, which must not obey them. */
  readonly isForTerminal: boolean;
  /** Before each line; empty for none. */
  readonly prefixOf: (cluster: string, source: LogSource) => string;
}

/** Whose log it is. */
export interface PrintedLog {
  readonly cluster: string;
  readonly source: LogSource;
  /** Who shares the turn at the output. */
  readonly owner?: object | undefined;
}

/** Writes one log to the output that all share. */
export class LogPrinter {
  readonly #log: PrintedLog;
  readonly #style: LogStyle;
  readonly #output: LineOutput;
  readonly #line: LineSource;
  #time: LogTime | undefined;

  constructor(log: PrintedLog, style: LogStyle, output: LineOutput) {
    this.#log = log;
    this.#style = style;
    this.#output = output;
    const prefix = style.isJson ? '' : style.prefixOf(log.cluster, log.source);
    this.#line = { prefix: Buffer.from(prefix), owner: log.owner };
  }

  /** Whether chunks may be written as they come: there is nothing to add, to take away or to make safe. */
  get isPlain(): boolean {
    const { isJson, isForTerminal } = this.#style;
    return !isJson && !isForTerminal && this.#line.prefix.length === 0;
  }

  async print(pieces: readonly TimedPiece[]): Promise<void> {
    await this.#output.put(
      this.#line,
      pieces.map((piece) => this.#shown(piece)),
    );
  }

  /** Writes a chunk of a plain log. */
  async printRaw(chunk: Buffer): Promise<void> {
    await this.#output.putRaw(this.#line, chunk);
  }

  /** What is left when the log has ended, and nothing more. */
  async end(rest?: TimedPiece): Promise<void> {
    if (rest !== undefined) {
      await this.#output.put(this.#line, [this.#shown(rest, true)]);
    }
    this.#output.end(this.#line);
  }

  /** Tells of a failure in the log's place, as kubectl does with `--ignore-errors`. */
  async fail(message: string): Promise<void> {
    const { isJson } = this.#style;
    const text = isJson
      ? JSON.stringify({ ...this.#names(), error: message })
      : `error: ${message}`;
    await this.#output.put(this.#line, [{ bytes: Buffer.from(text), isStart: true, isEnd: true }]);
  }

  #shown(piece: TimedPiece, isLast = false): LinePiece {
    const { isJson, hasTimestamps, isForTerminal } = this.#style;
    const { isStart, isEnd, time } = piece;
    const skipped = time === undefined || (hasTimestamps && !isJson) ? 0 : time.text.length + 1;
    const bytes = skipped === 0 ? piece.bytes : piece.bytes.subarray(skipped);
    if (isStart) this.#time = time;
    if (isJson) {
      const isPartial = !isStart || !(isEnd || isLast);
      return { bytes: this.#json(bytes, isPartial), isStart: true, isEnd: true };
    }
    if (!isForTerminal) return skipped === 0 ? piece : { bytes, isStart, isEnd };
    return { bytes: Buffer.from(printableLogLine(bytes.toString())), isStart, isEnd };
  }

  #json(bytes: Buffer, isPartial: boolean): Buffer {
    const object = {
      ...this.#names(),
      ...(this.#time === undefined ? {} : { time: this.#time.text }),
      message: bytes.toString(),
      ...(isPartial ? { partial: true } : {}),
    };
    return Buffer.from(JSON.stringify(object));
  }

  #names() {
    const { cluster, source } = this.#log;
    const { namespace, pod, container } = source;
    return { cluster, namespace, pod, container };
  }
}
