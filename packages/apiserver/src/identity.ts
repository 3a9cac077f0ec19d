import { join } from 'node:path';
import { StatusError } from '@flotilla/machinery';
import { authenticator, bearerToken, type TenantIdentity } from './authn/authenticate.ts';
import { clientCertificates } from './authn/client-certificates.ts';
import type { CertificateKeeper } from './authn/keeper.ts';
import {
  JWKS_PATH,
  jwksDocument,
  OPENID_CACHE_CONTROL,
  OPENID_CONFIGURATION_PATH,
  type OpenidDocument,
  openidConfiguration,
} from './authn/openid.ts';
import { ensureSigningKeys } from './authn/signing-key-file.ts';
import { staticTokens } from './authn/static-tokens.ts';
import {
  type BoundKind,
  type BoundLookup,
  issueToken,
  type TokenAuthority,
  TokenRejected,
  tokenLifetime,
  tokenVerifier,
} from './authn/tokens.ts';
import { MASTERS, type UserInfo, withAuthenticatedGroup } from './authn/user-info.ts';
import type { TokenVerdict } from './authz/reviews.ts';
import type { Clock } from './clock.ts';
import type { ApiResponse, Peer } from './http/exchange.ts';
import { findStored } from './objects/stored.ts';
import type { Identity, IdentityContext } from './server.ts';
import type { TokenGrant } from './subresources/token.ts';

/** What makes up the identity of the one control plane there is. */
export interface RootIdentityOptions {
  readonly folder: string;
  readonly adminToken: string;
  readonly certificates: CertificateKeeper;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Base of the URLs in the issuer document. */
  readonly url: () => string;
  /** Hears why a credential was refused. */
  readonly onRejected: (reason: Error) => void;
}

/** Tokens of the root control plane carry the issuer kubeadm clusters have. */
const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** Knows the users of the root control plane: by certificate, admin token, or service-account token. */
export function rootIdentity(
  options: RootIdentityOptions,
  { engine, registry }: IdentityContext,
): Identity {
  const { clock, certificates } = options;
  const authority: TokenAuthority = {
    issuer: ISSUER,
    audiences: [ISSUER],
    keys: ensureSigningKeys(join(options.folder, 'service-account.key')),
  };
  const verifier = tokenVerifier();
  const lookup = boundLookup({ engine, registry });
  const tenant: TenantIdentity = {
    clientCertificates: clientCertificates(certificates.bundle),
    staticTokens: staticTokens([
      { token: options.adminToken, user: { name: 'admin', groups: [MASTERS] } },
    ]),
    tokens: authority,
    lookup,
  };
  const authenticate = authenticator({ clock, verifier, onRejected: options.onRejected });
  // The admin's token never ends and is compared by its hash; a connection shows it once, then only repeats itself.
  const admitted = new WeakMap<Peer, { authorization: string; user: UserInfo }>();
  return {
    authenticate: async (request) => {
      const authorization = request.headers['authorization'] ?? '';
      const known = admitted.get(request.peer);
      if (known !== undefined && known.authorization === authorization) return known.user;
      const user = await authenticate(request, tenant);
      const token = bearerToken(authorization);
      if (token !== undefined && tenant.staticTokens(token) !== undefined) {
        admitted.set(request.peer, { authorization, user });
      }
      return user;
    },
    signToken: async (grant) => sign(authority, grant, options),
    reviewToken: async (_tenant, token, audiences): Promise<TokenVerdict> => {
      const user = tenant.staticTokens(token);
      if (user !== undefined) return { user: withAuthenticatedGroup(user) };
      try {
        const verified = await verifier.verify(token, {
          authority,
          lookup,
          now: clock.now(),
          ...(audiences.length === 0 ? {} : { audiences }),
        });
        if (verified === undefined) return { error: 'invalid bearer token' };
        return { ...verified, user: withAuthenticatedGroup(verified.user) };
      } catch (error) {
        if (!(error instanceof TokenRejected)) throw error;
        return { error: `[invalid bearer token, ${error.message}]` };
      }
    },
    audiences: () => authority.audiences,
    caBundle: certificates.bundle,
    openid: (_tenant, request) => {
      const { path } = request;
      if (path === JWKS_PATH) {
        acceptsKeys(request.headers['accept']);
        return answer(jwksDocument(authority));
      }
      if (path !== OPENID_CONFIGURATION_PATH) return undefined;
      return answer(openidConfiguration(authority, `${options.url()}${JWKS_PATH}`));
    },
  };
}

/** The keys come in one media type only. */
function acceptsKeys(accept: string | undefined): void {
  if (accept === undefined || /application\/jwk-set\+json|\*\/\*/.test(accept)) return;
  throw new StatusError(
    406,
    'NotAcceptable',
    '406: Not Acceptable\n\nAvailable representations: application/jwk-set+json',
    {},
  );
}

function answer({ contentType, body }: OpenidDocument): ApiResponse {
  return {
    status: 200,
    headers: { 'content-type': contentType, 'cache-control': OPENID_CACHE_CONTROL },
    body: Buffer.from(body),
  };
}

function sign(
  authority: TokenAuthority,
  grant: TokenGrant,
  { clock, newId }: RootIdentityOptions,
): string {
  const { namespace, serviceAccount, bound, node, audiences } = grant;
  const ref = bound === undefined ? undefined : { name: bound.name, uid: bound.uid };
  return issueToken(
    authority,
    {
      namespace,
      serviceAccount,
      ...(bound?.kind === 'Pod' && ref !== undefined ? { pod: ref } : {}),
      ...(bound?.kind === 'Secret' && ref !== undefined ? { secret: ref } : {}),
      ...(bound?.kind === 'Node' && ref !== undefined ? { node: ref } : {}),
      ...(node === undefined ? {} : { node }),
    },
    {
      audiences,
      now: clock.now(),
      id: newId(),
      ...tokenLifetime(
        grant.expirationSeconds,
        { boundToPod: bound?.kind === 'Pod', audiences },
        authority,
      ),
    },
  );
}

const RESOURCE_OF: Readonly<Record<BoundKind, string>> = {
  ServiceAccount: 'serviceaccounts',
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
};

/** Tokens end with what they are bound to, so each use looks at the store. */
function boundLookup({ engine, registry }: IdentityContext): BoundLookup {
  return (kind, { namespace, name }) => {
    const def = registry.find('', 'v1', RESOURCE_OF[kind]);
    if (def === undefined) return undefined;
    const stored = findStored(engine, { tenant: 'root', def, namespace, name });
    if (stored === undefined) return undefined;
    const { uid = '', deletionTimestamp } = stored.object.metadata;
    return { uid, deletionTimestamp };
  };
}
