import type { Io } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';

/** It is kept to be given to every cluster. */
const MAX_BYTES = 256 << 20;

/** Standard input to its end: read by one for all, since whoever read first would leave nothing to the others. */
export async function readStdin({ stdin, signal }: Pick<Io, 'stdin' | 'signal'>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const stop = () => stdin.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk as Buffer | string);
      size += bytes.length;
      if (size > MAX_BYTES) {
        throw new UsageError(
          `Cannot give standard input to every cluster: it is longer than ${MAX_BYTES >> 20} MiB`,
        );
      }
      chunks.push(bytes);
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return Buffer.concat(chunks);
}
