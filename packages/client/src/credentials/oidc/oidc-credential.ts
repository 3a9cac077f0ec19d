import type { Clock } from '@flotilla/machinery';
import type { Access, Credential, Presented } from '../../access.ts';
import type { Transport } from '../../transport.ts';
import { CredentialError } from '../credential-error.ts';
import { authoritiesOf } from '../pem.ts';
import { singleFlight } from '../single-flight.ts';
import { bearer } from '../static-credential.ts';
import { isIdTokenValid } from './id-token.ts';
import { refreshTokens } from './refresh-tokens.ts';

/** The `config` of an auth-provider. */
export type AuthProviderConfig = Readonly<Record<string, string>>;

/** Where a user's tokens are kept, so that the next process finds the renewed ones. */
export interface TokenStore {
  /** Undefined when the user is not there any more. */
  readonly read: () => Promise<AuthProviderConfig | undefined>;
  readonly write: (config: AuthProviderConfig) => Promise<void>;
}

/** How to renew OIDC tokens. */
export interface OidcOptions {
  readonly config: AuthProviderConfig;
  /** PEM of the provider's authority; undefined means those Node knows. */
  readonly ca: string | undefined;
  readonly clock: Clock;
  readonly openTransport: (access: Access) => Transport;
  /** Without one, renewed tokens live as long as the process. */
  readonly store?: TokenStore | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/**
 * An ID token that is renewed with a refresh token. Before the provider is asked, the store is: another process may have
 * renewed the tokens, and a refresh token may be good for one use only. What cannot be stored is still used, and warned of.
 */
export function oidcCredential(options: OidcOptions): Credential {
  const { clock, openTransport, store, warn } = options;
  let config = options.config;
  const { issuer } = required(config);
  const ca = options.ca === undefined ? undefined : authoritiesOf(options.ca);

  const renew = singleFlight(async (signal): Promise<Presented> => {
    config = (await stored(store)) ?? config;
    const valid = validToken(config, clock.now());
    if (valid !== undefined) return valid;
    const refreshToken = config['refresh-token'] ?? '';
    if (refreshToken === '') {
      throw new CredentialError('No valid id-token, and cannot refresh without refresh-token');
    }
    const tokens = await refreshTokens(
      { issuer, ...clientOf(config), refreshToken },
      { openTransport, ca },
      signal,
    );
    config = {
      ...config,
      'refresh-token': tokens.refreshToken ?? refreshToken,
      'id-token': tokens.idToken,
    };
    await store?.write(config).catch((error: unknown) => {
      warn?.(`could not persist new tokens: ${(error as Error).message}`);
    });
    return { authorization: bearer(tokens.idToken) };
  });

  return {
    present: async (signal) => validToken(config, clock.now()) ?? renew(signal),
    refused: async (rejected) => {
      // As kubectl, no renewal of a token that has not expired; but another process may have had a reason.
      config = (await stored(store)) ?? config;
      const now = validToken(config, clock.now());
      return now !== undefined && now.authorization !== rejected.authorization;
    },
  };
}

function required(config: AuthProviderConfig): { issuer: string } {
  for (const field of ['idp-issuer-url', 'client-id']) {
    if ((config[field] ?? '') === '') throw new CredentialError(`Must provide ${field}`);
  }
  return { issuer: config['idp-issuer-url'] ?? '' };
}

function clientOf(config: AuthProviderConfig): { clientId: string; clientSecret: string } {
  return { clientId: config['client-id'] ?? '', clientSecret: config['client-secret'] ?? '' };
}

function validToken(config: AuthProviderConfig, now: number): Presented | undefined {
  const idToken = config['id-token'] ?? '';
  if (idToken === '' || !isIdTokenValid(idToken, now)) return undefined;
  return { authorization: bearer(idToken) };
}

/** A store that cannot be read holds nothing newer. */
async function stored(store: TokenStore | undefined): Promise<AuthProviderConfig | undefined> {
  try {
    return await store?.read();
  } catch {
    return undefined;
  }
}
