import type { Readable } from 'node:stream';
import { bodyTooLarge } from './status-answer.ts';

/** A request without a body. */
export const NO_BODY: Promise<Buffer> = Promise.resolve(Buffer.alloc(0));

/** The client left before its request was complete; nobody is there to be told. */
export class ClientGone extends Error {
  constructor() {
    super('Cannot finish the request: the client went away');
    this.name = 'ClientGone';
  }
}

/** How a body is to be read. */
export interface BodyOptions {
  readonly limit: number;
  /** The content-length header, when there is one. */
  readonly declared: string | undefined;
  /** How much of a refused body is read and dropped before the connection is given up. */
  readonly discardBytes: number;
  /** Gives the connection up. */
  readonly giveUp: () => void;
}

/**
 * Reads a whole body into memory, within its limit.
 *
 * Past the limit the rest is dropped as it comes rather than left unread: a client that is still
 * sending when its connection closes never gets to see the refusal.
 */
export function readBody(source: Readable, options: BodyOptions): Promise<Buffer> {
  const { limit, declared, discardBytes, giveUp } = options;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    const refuse = (): void => {
      refused = true;
      chunks.length = 0;
      reject(bodyTooLarge(limit));
    };
    if (declared !== undefined && Number(declared) > limit) refuse();
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (refused) {
        if (size > discardBytes) giveUp();
        return;
      }
      if (size > limit) refuse();
      else chunks.push(chunk);
    });
    source.once('end', () => {
      if (refused) return;
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size));
    });
    // After `end` this rejects a settled promise, which does nothing.
    source.once('close', () => {
      // Every request closes; making an error for each would cost more than reading its body.
      if (!source.readableEnded) reject(new ClientGone());
    });
  });
}
