import { type Access, staticCredential } from '@flotilla/client';
import type { MemberAccess } from './member-access.ts';

/** What a transport to a member is made with. Nothing of the machine's environment takes part in it. */
export function memberAccess({ endpoint, ca, credential, proxyUrl }: MemberAccess): Access {
  return {
    server: endpoint,
    tls: ca === undefined ? { insecure: true } : ca === '' ? {} : { ca },
    namespace: 'default',
    ...(proxyUrl === undefined ? {} : { proxyUrl }),
    credential: staticCredential(
      credential.type === 'ServiceAccountToken'
        ? { authorization: `Bearer ${credential.token.reveal()}` }
        : { certificate: { cert: credential.certificate, key: credential.key.reveal() } },
    ),
  };
}
