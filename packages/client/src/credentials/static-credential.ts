import type { Credential, Presented } from '../access.ts';

/** A credential that never changes: a token, a name and password, a certificate, or several of them. */
export function staticCredential(presented: Presented): Credential {
  const answer = Promise.resolve(presented);
  return { present: () => answer, refused: () => Promise.resolve(false) };
}

/** No credential: the server sees an anonymous user. */
export function noCredential(): Credential {
  return staticCredential({});
}

/** The Authorization header of a token. */
export function bearer(token: string): string {
  return `Bearer ${token}`;
}

/** The Authorization header of a name and password, `name:password`. */
export function basic(nameAndPassword: string): string {
  return `Basic ${Buffer.from(nameAndPassword).toString('base64')}`;
}
