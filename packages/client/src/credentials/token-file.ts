import type { Clock } from '@flotilla/machinery';
import type { Credential, Presented } from '../access.ts';
import { isSamePresented } from './combine-credentials.ts';
import { CredentialError } from './credential-error.ts';
import { fileErrorText } from './file-error.ts';
import type { ReadFile } from './read-bytes.ts';
import { singleFlight } from './single-flight.ts';
import { bearer } from './static-credential.ts';

/** kubectl's own: a minute, less ten seconds. The kubelet renews projected tokens long before they expire. */
const REREAD_MS = 50_000;

/** Where a token is kept, and by whose time it is read again. */
export interface TokenFileOptions {
  readonly path: string;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  /** Used while the file cannot be read. */
  readonly token?: string | undefined;
}

/**
 * A token in a file that somebody else renews. It is read again after 50 s, and at once when a server refuses it; a
 * file that cannot be read any more leaves the last token in use.
 */
export function tokenFileCredential(options: TokenFileOptions): Credential {
  const { path, readFile, clock, token } = options;
  let last: Presented | undefined =
    token === undefined ? undefined : { authorization: bearer(token) };
  let rereadAt = 0;

  const reread = singleFlight(async () => {
    try {
      last = { authorization: bearer(await readToken(path, readFile)) };
    } catch (error) {
      if (last === undefined) throw error;
    }
    rereadAt = clock.now() + REREAD_MS;
    return last;
  });

  return {
    present: async (signal) =>
      last !== undefined && clock.now() < rereadAt ? last : reread(signal),
    refused: async (rejected, signal) => {
      if (last !== undefined && last.authorization !== rejected.authorization) return true;
      const now = await reread(signal);
      return !isSamePresented({ ...rejected, ...now }, rejected);
    },
  };
}

async function readToken(path: string, readFile: ReadFile): Promise<string> {
  let content: Uint8Array;
  try {
    content = await readFile(path);
  } catch (error) {
    const text = fileErrorText(path, error);
    throw new CredentialError(`failed to read token file "${path}": ${text}`, { cause: error });
  }
  const token = Buffer.from(content).toString().trim();
  if (token === '') throw new CredentialError(`read empty token from file "${path}"`);
  return token;
}
