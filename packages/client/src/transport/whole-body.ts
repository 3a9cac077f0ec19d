import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { TransportError } from '../transport-error.ts';

/** Smaller ones are done before another thread would have begun. */
const INLINE_BYTES = 32 * 1024;
const MOST_PIECES = 1024;
/** Node's own 16 KB would go to the other thread and back for each of them, which takes longer than the work. */
const LEAST_STEP = 16 * 1024;
const MOST_STEP = 1024 * 1024;
const gunzipAside = promisify(gunzip);

/** Gathers a body, at most `maxBytes` of it. */
export class WholeBody {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #small = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** False when there is more than there may be. */
  add(piece: Buffer): boolean {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) return false;
    this.#pieces.push(piece);
    this.#small += 1;
    // A body of a million one-byte chunks must not become a million buffers.
    if (this.#small === MOST_PIECES) {
      this.#small = 0;
      const recent = this.#pieces.splice(-MOST_PIECES);
      this.#pieces.push(Buffer.concat(recent));
    }
    return true;
  }

  get bytes(): Buffer {
    const [first] = this.#pieces;
    if (first !== undefined && this.#pieces.length === 1) return first;
    return Buffer.concat(this.#pieces, this.#length);
  }
}

/** Undoes the compression we asked for. `what` is for the text. */
export function unzip(body: Buffer, maxBytes: number, what: string): Buffer | Promise<Buffer> {
  const options = { maxOutputLength: maxBytes, chunkSize: stepFor(body) };
  if (body.length > INLINE_BYTES) {
    return gunzipAside(body, options).catch((error: unknown) => {
      throw unzipFault(error, maxBytes, what);
    });
  }
  try {
    return gunzipSync(body, options);
  } catch (error) {
    throw unzipFault(error, maxBytes, what);
  }
}

/** In one step where that is reasonable: the last four bytes tell the length, or whatever the server wants us to believe. */
function stepFor(body: Buffer): number {
  const told = body.length < 4 ? 0 : body.readUInt32LE(body.length - 4);
  return Math.min(Math.max(told + 1, LEAST_STEP), MOST_STEP);
}

/** The answer is longer than the caller bears. */
export function tooLarge(what: string, maxBytes: number): TransportError {
  return new TransportError(
    'too-large',
    `Cannot ${what}: the answer is longer than ${maxBytes} bytes`,
  );
}

function unzipFault(error: unknown, maxBytes: number, what: string): TransportError {
  if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE')
    return tooLarge(what, maxBytes);
  return new TransportError('malformed', `Cannot ${what}: the answer is no proper gzip`, {
    cause: error,
  });
}
