import { unauthorized } from '@flotilla/machinery';
import type { Clock } from '../clock.ts';
import type { ApiRequest } from '../http/exchange.ts';
import type { ClientCertificates } from './client-certificates.ts';
import type { FrontProxy } from './front-proxy.ts';
import type { StaticTokens } from './static-tokens.ts';
import type { BoundLookup, TokenAuthority, TokenVerifier } from './tokens.ts';
import { anonymousUser, type UserInfo, withAuthenticatedGroup } from './user-info.ts';

/** How one control plane knows its users. */
export interface TenantIdentity {
  readonly clientCertificates: ClientCertificates;
  readonly staticTokens: StaticTokens;
  readonly tokens: TokenAuthority;
  /** Finds the objects service-account tokens are bound to. */
  readonly lookup: BoundLookup;
  /** Knows tokens that are kept in Secrets. */
  readonly storedTokens?: (token: string) => Promise<UserInfo | undefined>;
  /** Believes a proxy in front of us about its users. */
  readonly frontProxy?: FrontProxy;
  /** Whether someone without a credential is refused instead of being taken for anonymous. */
  readonly refusesAnonymous?: boolean;
}

/** What the check needs beside the request and the tenant. */
export interface AuthenticateDeps {
  readonly clock: Clock;
  readonly verifier: TokenVerifier;
  /** Hears why a credential was refused; the client only learns that it was. */
  readonly onRejected: (reason: Error) => void;
}

/** Who sends this request? Throws 401 when a credential is shown and none holds. */
export type Authenticate = (request: ApiRequest, tenant: TenantIdentity) => Promise<UserInfo>;

/**
 * Tries the headers of a proxy, the client certificate, then the bearer token. One good credential is enough; a bad one with
 * no good one beside it is refused rather than taken for anonymous, so that a client with an expired
 * certificate learns of it. Whether anonymous may pass is for authorization to say.
 */
export function authenticator({ clock, verifier, onRejected }: AuthenticateDeps): Authenticate {
  return async (request, tenant) => {
    const now = clock.now();
    let rejected = false;
    const reject = (reason: unknown): void => {
      rejected = true;
      onRejected(reason instanceof Error ? reason : new Error(String(reason)));
    };

    try {
      const user = tenant.frontProxy?.(request, now);
      if (user !== undefined) return withAuthenticatedGroup(user);
    } catch (reason) {
      reject(reason);
    }

    try {
      const user = tenant.clientCertificates.verify(request.peer, now);
      if (user !== undefined) return withAuthenticatedGroup(user);
    } catch (reason) {
      reject(reason);
    }

    const token = bearerToken(request.headers['authorization']);
    if (token !== undefined) {
      const admin = tenant.staticTokens(token);
      if (admin !== undefined) return withAuthenticatedGroup(admin);
      try {
        const verified = await verifier.verify(token, {
          authority: tenant.tokens,
          lookup: tenant.lookup,
          now,
        });
        if (verified !== undefined) return withAuthenticatedGroup(verified.user);
        const stored = await tenant.storedTokens?.(token);
        if (stored !== undefined) return withAuthenticatedGroup(stored);
        reject(new Error('invalid bearer token'));
      } catch (reason) {
        reject(reason);
      }
    }

    if (rejected || tenant.refusesAnonymous === true) throw unauthorized('Unauthorized');
    return anonymousUser;
  };
}

/** The token of an Authorization header; undefined for other schemes, which mean nothing here. */
export function bearerToken(authorization: string | undefined): string | undefined {
  const [scheme, token] = authorization?.trim().split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || token === '') return undefined;
  return token;
}
