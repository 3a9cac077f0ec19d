import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Io } from '../io.ts';
import { fileProblem } from '../output/formats/template-file.ts';
import { UsageError } from '../usage-error.ts';

/** Reads texts, and refuses when all of them together are too long. */
export interface TextReader {
  readonly file: (path: string) => Promise<string>;
  readonly stdin: () => Promise<string>;
  readonly url: (url: string) => Promise<string>;
}

/** More than any server takes of a hundred objects. */
const MAX_BYTES = 256 << 20;

/** A reader for one run of a verb. */
export function textReader(
  { stdin, cwd, signal }: Pick<Io, 'stdin' | 'cwd' | 'signal'>,
  maxBytes = MAX_BYTES,
): TextReader {
  let left = maxBytes;
  const read = async (stream: Readable, source: string): Promise<string> => {
    const chunks: Buffer[] = [];
    // A terminal or a pipe may never end; whoever waits for it may.
    const stop = () => stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      for await (const chunk of stream) {
        const bytes = Buffer.from(chunk as Buffer | string);
        left -= bytes.length;
        if (left < 0) {
          throw new UsageError(
            `Cannot read "${source}": manifests of more than ${maxBytes >> 20} MiB are not taken at once`,
          );
        }
        chunks.push(bytes);
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
    return Buffer.concat(chunks).toString();
  };
  return {
    file: async (path) => {
      try {
        return await read(createReadStream(resolve(cwd, path)), path);
      } catch (error) {
        if (error instanceof UsageError || signal.aborted) throw error;
        throw new UsageError(fileProblem(path, error));
      }
    },
    stdin: () => read(stdin, 'STDIN'),
    url: async (url) => {
      try {
        return await read(await openUrl(url, signal), url);
      } catch (error) {
        if (error instanceof UsageError || signal.aborted) throw error;
        throw unreadable(url, String((error as Error).cause ?? error));
      }
    },
  };
}

async function openUrl(url: string, signal: AbortSignal): Promise<Readable> {
  const answer = await fetch(url, { signal });
  const { ok, status, statusText, body } = answer;
  if (ok) return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream);
  await body?.cancel();
  throw unreadable(url, `server reported ${status} ${statusText}, status code=${status}`);
}

/** kubectl's words. */
function unreadable(url: string, why: string): UsageError {
  return new UsageError(`unable to read URL "${url}", ${why}`);
}
