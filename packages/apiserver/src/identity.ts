import { join } from 'node:path';
import { StatusError } from '@flotilla/machinery';
import { authenticator, bearerToken, type TenantIdentity } from './authn/authenticate.ts';
import { clientCertificates } from './authn/client-certificates.ts';
import type { CertificateKeeper } from './authn/keeper.ts';
import { issueLegacyToken } from './authn/legacy-tokens.ts';
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
import { storedTokens } from './stored-tokens.ts';
import type { TokenGrant } from './subresources/token.ts';

/** How a control plane knows its users and signs its tokens. */
export interface IdentityOptions extends Omit<TenantIdentity, 'lookup' | 'storedTokens'> {
  /** PEM of the authorities that signed the serving certificate. */
  readonly caBundle: () => string;
  /** Whether machines may join with bootstrap tokens. @default false */
  readonly bootstrapTokens?: boolean;
  /** Signs certificates that clients asked for; undefined where the authority's key is not here. */
  readonly certify?: NonNullable<Identity['certify']>;
  readonly clock: Clock;
  readonly newId: () => string;
  /** Base of the URLs in the issuer document. */
  readonly url: () => string;
  /** Hears why a credential was refused. */
  readonly onRejected: (reason: Error) => void;
}

/** What makes up the identity of the one control plane there is. */
export interface RootIdentityOptions
  extends Pick<IdentityOptions, 'clock' | 'newId' | 'url' | 'onRejected'> {
  readonly folder: string;
  readonly adminToken: string;
  readonly certificates: CertificateKeeper;
}

/** Tokens of the root control plane carry the issuer kubeadm clusters have. */
const ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** Knows the users of the root control plane: by certificate, admin token, or service-account token. */
export function rootIdentity(options: RootIdentityOptions, context: IdentityContext): Identity {
  const { certificates, folder, adminToken } = options;
  return createIdentity(
    {
      ...options,
      clientCertificates: clientCertificates(certificates.bundle),
      staticTokens: staticTokens([
        { token: adminToken, user: { name: 'admin', groups: [MASTERS] } },
      ]),
      tokens: {
        issuer: ISSUER,
        audiences: [ISSUER],
        keys: ensureSigningKeys(join(folder, 'service-account.key')),
      },
      caBundle: certificates.bundle,
      certify: (_tenant, request) => certificates.certify(request),
      bootstrapTokens: true,
    },
    context,
  );
}

/** Knows users by what the options name, and service accounts by the objects in the store. */
export function createIdentity(options: IdentityOptions, context: IdentityContext): Identity {
  const { clock, tokens: authority } = options;
  const verifier = tokenVerifier();
  const lookup = boundLookup(context);
  const stored = storedTokens(context, {
    authority,
    lookup,
    bootstrap: options.bootstrapTokens === true,
  });
  const tenant: TenantIdentity = { ...options, lookup, storedTokens: stored };
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
      // A proxy in front speaks for someone else with every request.
      const isSettled = tenant.frontProxy === undefined;
      if (isSettled && token !== undefined && tenant.staticTokens(token) !== undefined) {
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
        if (verified !== undefined) {
          return { ...verified, user: withAuthenticatedGroup(verified.user) };
        }
        const other = await stored(token);
        // Such a token names no audience: it is meant for this server.
        const meant = authority.audiences.filter(
          (audience) => audiences.length === 0 || audiences.includes(audience),
        );
        if (other === undefined || meant.length === 0) return { error: 'invalid bearer token' };
        return { user: withAuthenticatedGroup(other), audiences: meant };
      } catch (error) {
        if (!(error instanceof TokenRejected)) throw error;
        return { error: `[invalid bearer token, ${error.message}]` };
      }
    },
    signLegacyToken: (_tenant, subject) => issueLegacyToken(authority.keys, subject),
    audiences: () => authority.audiences,
    caBundle: options.caBundle,
    ...(options.certify === undefined ? {} : { certify: options.certify }),
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
  { clock, newId }: Pick<IdentityOptions, 'clock' | 'newId'>,
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
