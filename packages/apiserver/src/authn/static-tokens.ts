import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readPrivateFile, writePrivateFile } from './private-file.ts';
import type { UserInfo } from './user-info.ts';

/** A token that stands for a user as long as the server runs. */
export interface StaticToken {
  readonly token: string;
  readonly user: UserInfo;
}

/** Finds the user of a token; undefined when nobody has it. */
export type StaticTokens = (token: string) => UserInfo | undefined;

/** Compares with every token in constant time, so that timing tells nothing about any of them. */
export function staticTokens(entries: readonly StaticToken[]): StaticTokens {
  const known = entries.map(({ token, user }) => ({ digest: digestOf(token), user }));
  return (token) => {
    const digest = digestOf(token);
    let found: UserInfo | undefined;
    for (const entry of known) {
      if (timingSafeEqual(entry.digest, digest)) found = entry.user;
    }
    return found;
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Reads upstream's token file: `token,user,uid,"group1,group2"` on each line. */
export function parseTokenFile(text: string): StaticToken[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [token = '', name = '', uid, groups = ''] = csvFields(line);
    if (uid === undefined) {
      throw new Error(
        `Cannot read the token file: line ${index + 1} needs a token, a user name and a uid`,
      );
    }
    if (token === '') return [];
    const user: UserInfo = {
      name,
      ...(uid === '' ? {} : { uid }),
      groups: groups === '' ? [] : groups.split(',').map((group) => group.trim()),
    };
    return [{ token, user }];
  });
}

function csvFields(line: string): string[] {
  const fields: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

/** The token kept in a file; made, 256 bits of it, when there is none. */
export function ensureTokenFile(path: string): string {
  const kept = readPrivateFile(path)?.trim();
  if (kept !== undefined && kept !== '') return kept;
  const token = randomBytes(32).toString('base64url');
  writePrivateFile(path, `${token}\n`);
  return token;
}
