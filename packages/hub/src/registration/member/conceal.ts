import { REDACTED } from '@flotilla/runtime';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';

/** Takes a credential out of what somebody said. */
export type Conceal = <T extends string | undefined>(text: T) => T;

/** Shorter ones stand in ordinary words, such as the name of a user. */
const SHORTEST = 12;

/**
 * Keeps a member from telling the whole hub what it was shown: who reads a status may not be allowed to read Secrets. A
 * private key is never shown to anybody.
 */
export function concealing({ credential }: MemberAccess): Conceal {
  const token = credential.type === 'ServiceAccountToken' ? credential.token.reveal() : '';
  if (token.length < SHORTEST) return (text) => text;
  return <T extends string | undefined>(text: T): T => text?.replaceAll(token, REDACTED) as T;
}
