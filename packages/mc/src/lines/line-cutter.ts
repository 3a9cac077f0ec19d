/** A line, or a part of one that is too long to be kept until it ends. */
export interface LinePiece {
  /** Without the newline. */
  readonly bytes: Buffer;
  /** False for what goes on with the line of the piece before. */
  readonly isStart: boolean;
  /** False when the line goes on with the next piece, or ends without a newline. */
  readonly isEnd: boolean;
}

const NEWLINE = 0x0a;
/** Longer lines come in pieces: as many as follow logs at once, so many bytes may have to be kept for each. */
const LONGEST_HELD = 256 * 1024;

/** Cuts a stream into lines wherever its chunks end, and holds no more than 256 KiB of a line. */
export class LineCutter {
  readonly #mostBytes: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Whether a part of the line has been handed out. */
  #isBegun = false;

  constructor(mostBytes: number = LONGEST_HELD) {
    this.#mostBytes = mostBytes;
  }

  /** What a chunk completes: lines, and parts of one that is very long. */
  push(chunk: Buffer): LinePiece[] {
    const pieces: LinePiece[] = [];
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      pieces.push(this.#take(chunk.subarray(start, end), true));
      start = end + 1;
    }
    if (start === chunk.length) return pieces;
    this.#hold(chunk.subarray(start));
    if (this.#heldBytes > this.#mostBytes) {
      const all = Buffer.concat(this.#held);
      const end = wholeCharacters(all);
      this.#forget();
      pieces.push(this.#take(all.subarray(0, end), false));
      if (end < all.length) this.#hold(all.subarray(end));
    }
    return pieces;
  }

  /** What follows the last newline; undefined when nothing does. */
  rest(): LinePiece | undefined {
    if (this.#heldBytes === 0) return undefined;
    const piece = this.#take(Buffer.alloc(0), false);
    this.#isBegun = false;
    return piece;
  }

  #take(end: Buffer, isEnd: boolean): LinePiece {
    const bytes = this.#heldBytes === 0 ? end : Buffer.concat([...this.#held, end]);
    const piece = { bytes, isStart: !this.#isBegun, isEnd };
    this.#forget();
    this.#isBegun = !isEnd;
    return piece;
  }

  #hold(part: Buffer): void {
    // A few bytes of a chunk would keep all of it.
    this.#held.push(Buffer.from(part));
    this.#heldBytes += part.length;
  }

  #forget(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }
}

/** Where the last character that is there whole ends. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back < bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}
