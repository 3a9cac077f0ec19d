import { CredentialError } from '../credential-error.ts';

/** Renewed this long before it expires: clocks differ, requests take time. */
const EXPIRY_DELTA_MS = 10_000;

/** Whether an ID token can still be shown. Only its expiry is looked at: judging it is the server's business. */
export function isIdTokenValid(idToken: string, now: number): boolean {
  return now + EXPIRY_DELTA_MS < expiryOf(idToken);
}

function expiryOf(idToken: string): number {
  const parts = idToken.split('.');
  if (parts.length !== 3) throw new CredentialError('ID Token is not a valid JWT');
  const { exp } = claimsOf(parts[1] ?? '');
  // A token that does not say when it expires counts as expired long ago, as in kubectl.
  if (exp === undefined || exp === null) return 0;
  if (typeof exp !== 'number') throw new CredentialError('parsing claims: exp is not a number');
  return Math.trunc(exp) * 1000;
}

function claimsOf(payload: string): { exp?: unknown } {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (typeof claims === 'object' && claims !== null) return claims;
  } catch {
    // Said below, without what the parser quotes.
  }
  throw new CredentialError('parsing claims: they are not a JSON object');
}
