import type { Clock } from '@flotilla/machinery';
import type { Credential, Presented } from '../access.ts';
import { isSamePresented } from './combine-credentials.ts';
import { checkKeyPair } from './key-pair.ts';
import { type ReadFile, readBytes } from './read-bytes.ts';
import { singleFlight } from './single-flight.ts';

/** As kubectl: often enough for a certificate that is replaced, seldom enough for many connections at once. */
const REREAD_MS = 1000;

/** Where a client certificate and its key are kept. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  readonly readFile: ReadFile;
  readonly clock: Clock;
}

/** A client certificate in files that somebody else renews; read again after a second. */
export function certificateFilesCredential(files: CertificateFiles): Credential {
  const { clock } = files;
  const text = async (path: string) => (await readBytes(path, files.readFile)).toString();
  let last: Presented | undefined;
  let rereadAt = 0;

  const reread = singleFlight(async () => {
    const [cert, key] = await Promise.all([text(files.cert), text(files.key)]);
    const isKnown = last?.certificate?.cert === cert && last.certificate.key === key;
    if (!isKnown || last === undefined) {
      checkKeyPair({ cert, key, keyName: files.key });
      last = { certificate: { cert, key } };
    }
    rereadAt = clock.now() + REREAD_MS;
    return last;
  });

  const present = async (signal?: AbortSignal) =>
    last !== undefined && clock.now() < rereadAt ? last : reread(signal);
  return {
    present,
    refused: async (rejected, signal) =>
      !isSamePresented({ ...rejected, ...(await present(signal)) }, rejected),
  };
}
