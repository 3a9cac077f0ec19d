import { clientCertificates } from '../authn/client-certificates.ts';
import { createSigningKey } from '../authn/jwt.ts';
import { type CertificateKeeper, keepCertificates } from '../authn/keeper.ts';
import { staticTokens } from '../authn/static-tokens.ts';
import type { Clock } from '../clock.ts';
import { createIdentity } from '../identity.ts';
import type { ApiServerOptions } from '../server.ts';

/** Certificates and tokens as a real server has them, kept in memory; the token `admin` opens everything. */
export function realIdentity(clock: Clock): {
  readonly identity: ApiServerOptions['identity'];
  readonly certificates: CertificateKeeper;
} {
  const certificates = keepCertificates({
    tenant: 'root',
    storage: { load: () => undefined, save: () => {} },
    clock,
    report: (error) => {
      throw error;
    },
  });
  const issuer = 'https://kubernetes.default.svc';
  let ids = 0;
  return {
    certificates,
    identity: (context) =>
      createIdentity(
        {
          clientCertificates: clientCertificates(certificates.bundle),
          staticTokens: staticTokens([
            { token: 'admin', user: { name: 'admin', groups: ['system:masters'] } },
          ]),
          tokens: { issuer, audiences: [issuer], keys: [createSigningKey()] },
          caBundle: certificates.bundle,
          certify: (_tenant, request) => certificates.certify(request),
          bootstrapTokens: true,
          clock,
          newId: () => {
            ids += 1;
            return `id-${ids}`;
          },
          url: () => 'https://127.0.0.1:6443',
          onRejected: () => {},
        },
        context,
      ),
  };
}
