import type { Clock } from '@flotilla/machinery';
import type { LinePiece } from './line-cutter.ts';

/** One of those who write lines to the same output. */
export interface LineSource {
  /** Before each of its lines. */
  readonly prefix: Buffer;
  /** Sources of one owner share its turn. @default the source itself */
  readonly owner?: object | undefined;
}

/** What an output needs of the world. */
export interface LineOutputDeps {
  /** Resolves when more can be taken. */
  readonly write: (bytes: Buffer) => Promise<void>;
  readonly clock: Clock;
}

const NEWLINE = Buffer.from('\n');
/** A line that is not going on for so long is ended, so that others can go on. */
const PATIENCE_MS = 5_000;

interface Waiter {
  readonly owner: object;
  readonly go: () => void;
}

/**
 * Writes the lines of many sources to one output, none in the middle of another. A line that comes in pieces has the
 * output for itself until it ends, or does not go on for five seconds while others wait.
 */
export class LineOutput {
  readonly #deps: LineOutputDeps;
  /** Whose turn it is. */
  #holder: object | undefined;
  /** Whether the turn lasts until it is given back. */
  #isBlock = false;
  /** Whose line has no end yet. */
  #open: LineSource | undefined;
  #isWriting = false;
  readonly #waiting: Waiter[] = [];
  #impatience: Disposable | undefined;

  constructor(deps: LineOutputDeps) {
    this.#deps = deps;
  }

  /** Writes pieces of a source; resolves when more can be taken. */
  async put(source: LineSource, pieces: readonly LinePiece[]): Promise<void> {
    if (pieces.length === 0) return;
    await this.#turn(source.owner ?? source);
    const parts: Buffer[] = [];
    for (const { bytes, isStart, isEnd } of pieces) {
      // A line that was cut short goes on as another one.
      if (isStart || this.#open !== source) {
        if (this.#open !== undefined) parts.push(NEWLINE);
        parts.push(source.prefix);
      }
      parts.push(bytes);
      if (isEnd) parts.push(NEWLINE);
      this.#open = isEnd ? undefined : source;
    }
    await this.#write(Buffer.concat(parts));
    this.#pass();
  }

  /** Writes bytes as they are, in the turn of an owner that has taken it. */
  async putRaw(source: LineSource, bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    await this.#turn(source.owner ?? source);
    const isCut = this.#open !== undefined && this.#open !== source;
    this.#open = bytes.at(-1) === NEWLINE[0] ? undefined : source;
    await this.#write(isCut ? Buffer.concat([NEWLINE, bytes]) : bytes);
    this.#pass();
  }

  /** A source has no more: a line that it did not end is ended when somebody goes on. */
  end(source: LineSource): void {
    const owner = source.owner ?? source;
    if (this.#holder === owner && !this.#isBlock) this.#release();
  }

  /** Takes the turn until `release`, so that what comes meanwhile stands together. */
  async hold(owner: object): Promise<void> {
    await this.#turn(owner);
    this.#isBlock = true;
  }

  /** Gives the turn back. */
  release(owner: object): void {
    if (this.#holder === owner) this.#release();
  }

  async #turn(owner: object): Promise<void> {
    if (this.#holder === undefined) this.#holder = owner;
    if (this.#holder === owner) return;
    await new Promise<void>((resolve) => {
      this.#waiting.push({ owner, go: resolve });
      this.#watchLine();
    });
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#isWriting = true;
    this.#impatience?.[Symbol.dispose]();
    this.#impatience = undefined;
    try {
      await this.#deps.write(bytes);
    } finally {
      this.#isWriting = false;
    }
  }

  /** After a write: the next one, unless a line or a block is not at its end. */
  #pass(): void {
    if (this.#isBlock) return;
    if (this.#open === undefined) this.#release();
    else this.#watchLine();
  }

  #release(): void {
    this.#isBlock = false;
    const next = this.#waiting.shift();
    this.#holder = next?.owner;
    next?.go();
  }

  #watchLine(): void {
    if (this.#isBlock || this.#isWriting || this.#open === undefined) return;
    if (this.#waiting.length === 0 || this.#impatience !== undefined) return;
    this.#impatience = this.#deps.clock.later(PATIENCE_MS, () => {
      this.#impatience = undefined;
      // Whoever comes next ends the line.
      if (!this.#isWriting && !this.#isBlock) this.#release();
    });
  }
}
