import { jwks } from './jwt.ts';
import { type TokenAuthority, verifyingKeys } from './tokens.ts';

/** Where the two documents are served. */
export const OPENID_CONFIGURATION_PATH = '/.well-known/openid-configuration';
export const JWKS_PATH = '/openid/v1/jwks';

/** Both documents may be kept for an hour; a new key must be published that long before it signs. */
export const OPENID_CACHE_CONTROL = 'public, max-age=3600';

/** A document and the type it is served as. */
export interface OpenidDocument {
  readonly contentType: string;
  readonly body: string;
}

/** Tells others where to find the keys that verify this control plane's tokens. */
export function openidConfiguration(authority: TokenAuthority, jwksUri: string): OpenidDocument {
  const algorithms = [...new Set(verifyingKeys(authority).map((key) => key.algorithm))].sort();
  const document = {
    issuer: authority.issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: algorithms,
  };
  return { contentType: 'application/json', body: JSON.stringify(document) };
}

/** The keys themselves. */
export function jwksDocument(authority: TokenAuthority): OpenidDocument {
  return {
    contentType: 'application/jwk-set+json',
    body: JSON.stringify(jwks(verifyingKeys(authority))),
  };
}
