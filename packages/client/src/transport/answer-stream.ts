import type { Clock } from '@flotilla/machinery';
import type { WireHead, WireStream } from '../transport.ts';
import type { TransportError } from '../transport-error.ts';

/** Where the bytes of a stream come from. */
export interface StreamSource {
  readonly pause: () => void;
  readonly resume: () => void;
  /** Ends it before the server does; nothing is pushed after it. */
  readonly cancel: () => void;
}

/** What a stream must know beside its bytes. */
export interface AnswerStreamOptions {
  readonly head: WireHead;
  readonly source: StreamSource;
  readonly clock: Clock;
  readonly maxBytes: number;
  /** Longest silence; 0 is no bound. */
  readonly idleMs: number;
  readonly tooLarge: () => TransportError;
  readonly tooQuiet: () => TransportError;
}

type Waiting = {
  resolve: (result: IteratorResult<Buffer, undefined>) => void;
  reject: (error: Error) => void;
};

/** What an unread stream holds before its source is told to wait. */
const HIGH_BYTES = 1024 * 1024;
/** What one piece costs beside its bytes. */
const PIECE_BYTES = 128;

/** A body as it arrives, for one reader. */
export class AnswerStream implements WireStream, AsyncIterator<Buffer, undefined> {
  readonly status: number;
  readonly headers: WireHead['headers'];
  readonly warnings: WireHead['warnings'];
  readonly #options: AnswerStreamOptions;
  #pieces: Buffer[] = [];
  #held = 0;
  #received = 0;
  #isPaused = false;
  #waiting: Waiting | undefined;
  #error: TransportError | undefined;
  #isDone = false;
  #onDone: (() => void) | undefined;
  #heardAt = 0;
  #idle: Disposable | undefined;

  constructor(options: AnswerStreamOptions) {
    this.#options = options;
    this.status = options.head.status;
    this.headers = options.head.headers;
    this.warnings = options.head.warnings;
    if (options.idleMs > 0) {
      this.#heardAt = options.clock.now();
      this.#watchSilence(options.idleMs);
    }
  }

  /** The source has more. */
  push(piece: Buffer): void {
    if (this.#isDone) return;
    const { maxBytes, idleMs, clock, source } = this.#options;
    if (idleMs > 0) this.#heardAt = clock.now();
    this.#received += piece.length;
    if (this.#received > maxBytes) {
      this.fail(this.#options.tooLarge());
      return;
    }
    const waiting = this.#waiting;
    if (waiting !== undefined) {
      this.#waiting = undefined;
      waiting.resolve({ done: false, value: piece });
      return;
    }
    this.#pieces.push(piece);
    this.#held += piece.length + PIECE_BYTES;
    if (this.#held > HIGH_BYTES && !this.#isPaused) {
      this.#isPaused = true;
      source.pause();
    }
  }

  /** The source has no more, or failed. What was received can still be read. */
  finish(error?: TransportError): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#error = error;
    this.#idle?.[Symbol.dispose]();
    this.#onDone?.();
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    this.#waiting = undefined;
    if (error === undefined) waiting.resolve({ done: true, value: undefined });
    else {
      this.#error = undefined;
      waiting.reject(error);
    }
  }

  /** Ends it before the server does; the reader is told why, after what was received. */
  fail(error: TransportError): void {
    if (this.#isDone) return;
    this.#options.source.cancel();
    this.finish(error);
  }

  /** Calls back when nothing more comes; at once when that is so. */
  onceDone(run: () => void): void {
    if (this.#isDone) run();
    else this.#onDone = run;
  }

  readonly close = (): void => {
    this.#pieces = [];
    this.#held = 0;
    if (!this.#isDone) {
      this.#options.source.cancel();
      this.finish();
    }
    this.#error = undefined;
  };

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Buffer, undefined>> {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#held -= piece.length + PIECE_BYTES;
      if (this.#isPaused && this.#held < HIGH_BYTES / 2 && !this.#isDone) {
        this.#isPaused = false;
        // Silence counts from when the server may speak again.
        if (this.#options.idleMs > 0) this.#heardAt = this.#options.clock.now();
        this.#options.source.resume();
      }
      return Promise.resolve({ done: false, value: piece });
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#isDone) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => {
      if (this.#waiting === undefined) this.#waiting = { resolve, reject };
      else reject(new Error('Cannot read a stream twice at once'));
    });
  }

  return(): Promise<IteratorResult<Buffer, undefined>> {
    this.close();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** One timer that looks back, rather than one for each piece. */
  #watchSilence(afterMs: number): void {
    const { clock, idleMs } = this.#options;
    this.#idle = clock.later(afterMs, () => {
      const silentMs = this.#isPaused ? 0 : clock.now() - this.#heardAt;
      if (silentMs < idleMs) {
        this.#watchSilence(idleMs - silentMs);
        return;
      }
      this.fail(this.#options.tooQuiet());
    });
  }
}
