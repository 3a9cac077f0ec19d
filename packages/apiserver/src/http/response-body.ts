import type { Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { ApiResponse, StreamBody } from './exchange.ts';

/** Up to here a body is joined and sent in one write. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Upstream compresses answers larger than this. */
export const GZIP_ABOVE_BYTES = 128 * 1024;
/** Large enough that writing costs no more than one big write, small enough to let others in between. */
const PIECE_BYTES = 512 * 1024;
const GZIP_OUTPUT_BYTES = 128 * 1024;

type Whole = Buffer | readonly Buffer[];

/** Tells bodies that are produced while they are sent from those that exist already. */
export function isStream(body: ApiResponse['body']): body is StreamBody {
  return 'start' in body;
}

/** Bytes of a body that exists already. */
export function bodySize(body: Whole): number {
  if (Buffer.isBuffer(body)) return body.length;
  let size = 0;
  for (const part of body) size += part.length;
  return size;
}

/** A small body as one buffer. */
export function joined(body: Whole): Buffer {
  if (Buffer.isBuffer(body)) return body;
  const [only] = body;
  return body.length === 1 && only !== undefined ? only : Buffer.concat(body);
}

/**
 * A large body in pieces of about 512 KB: small parts are joined, large ones are passed on as they
 * are, so that a list of ten thousand objects is neither ten thousand writes nor one copy of it all.
 */
export function* pieces(body: Whole): Generator<Buffer, void> {
  let waiting: Buffer[] = [];
  let size = 0;
  for (const part of Buffer.isBuffer(body) ? [body] : body) {
    if (part.length >= PIECE_BYTES) {
      if (size > 0) yield Buffer.concat(waiting, size);
      waiting = [];
      size = 0;
      for (let from = 0; from < part.length; from += PIECE_BYTES) {
        yield part.subarray(from, from + PIECE_BYTES);
      }
      continue;
    }
    waiting.push(part);
    size += part.length;
    if (size >= PIECE_BYTES) {
      yield Buffer.concat(waiting, size);
      waiting = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

/** Whether upstream would compress this answer for this client. */
export function wantsGzip(
  acceptEncoding: string | undefined,
  response: ApiResponse,
  size: number,
): boolean {
  if (size <= GZIP_ABOVE_BYTES || acceptEncoding === undefined) return false;
  if (response.headers['content-encoding'] !== undefined) return false;
  return acceptEncoding.split(',').some((token) => token.trim() === 'gzip');
}

/** Says how a whole body is sent; a compressed one has no length yet. */
export function setBodyHeaders(
  headers: { 'content-encoding'?: unknown; vary?: unknown; 'content-length'?: unknown },
  size: number,
  gzip: boolean,
): void {
  if (gzip) {
    headers['content-encoding'] = 'gzip';
    headers['vary'] = 'Accept-Encoding';
  } else {
    headers['content-length'] = size;
  }
}

/** Writes a large body as fast as the client reads it, and lets other requests have their turn. */
export function sendPieces(body: Whole, to: Writable): void {
  const rest = pieces(body);
  const more = (): void => {
    if (to.destroyed) return;
    for (;;) {
      const next = rest.next();
      if (next.done) {
        to.end();
        return;
      }
      if (!to.write(next.value)) {
        to.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** As `sendPieces`, compressed on the way in zlib's own threads. */
export function sendGzipped(body: Whole, to: Writable): void {
  const gzip = createGzip({ level: 1, chunkSize: GZIP_OUTPUT_BYTES });
  to.once('close', () => gzip.destroy());
  gzip.once('error', () => to.destroy());
  gzip.pipe(to);
  sendPieces(body, gzip);
}
