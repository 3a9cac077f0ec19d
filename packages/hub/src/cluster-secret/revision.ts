import { createHmac } from 'node:crypto';
import type { MemberAccess } from './member-access.ts';

/** Long enough that a rotation does not go unseen, too short to tell much. */
const DIGITS = 12;

/**
 * Names a credential without telling it: changes whenever anything about the access does. It is read by people who may
 * not read Secrets, so it is cut short, and it covers the endpoint and its authority too: nothing can be looked up in
 * tables, and equal tokens of two members look different.
 */
export function credentialRevision({ endpoint, ca, credential, proxyUrl }: MemberAccess): string {
  const parts = [
    endpoint,
    ca ?? null,
    proxyUrl ?? null,
    credential.type,
    ...(credential.type === 'ServiceAccountToken'
      ? [credential.token.reveal()]
      : [credential.certificate, credential.key.reveal()]),
  ];
  return createHmac('sha256', 'flotilla credential revision')
    .update(JSON.stringify(parts))
    .digest('hex')
    .slice(0, DIGITS);
}
