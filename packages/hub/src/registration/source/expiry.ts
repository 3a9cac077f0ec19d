import { X509Certificate } from 'node:crypto';
import { getOwn, isJsonObject } from '@flotilla/machinery';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Lifetimes beyond this are told of at least a day before they end. */
const LONG_MS = 5 * DAY_MS;
/** A credential is renewed when this much of its life is over … */
const RENEWED_AT = 0.8;
/** … and at least this long before its end. */
const MARGIN_MS = 2 * MINUTE_MS;
/** Tokens of identity providers have some KB; what is longer is not searched for a date. */
const LONGEST_TOKEN = 65_536;
/** The last millisecond that a Date can hold. */
const END_OF_TIME = 8.64e15;

/** From when to when a credential is good, as far as it tells. */
export interface Lifetime {
  readonly issuedAt: Date | undefined;
  readonly expiresAt: Date | undefined;
}

/** What to say in CredentialExpiring. */
export type ExpiryState = 'NoExpiry' | 'Fresh' | 'ExpiresSoon' | 'Expired';

/** Reads the dates of a token (where it is a JWT) or of a client certificate. */
export function lifetimeOf(credential: MemberCredential): Lifetime {
  return credential.type === 'ServiceAccountToken'
    ? tokenLifetime(credential.token.reveal())
    : certificateLifetime(credential.certificate);
}

/** The state of a credential: it ends soon when a fifth of its life is left, or a day where it lives long. */
export function expiryState({ issuedAt, expiresAt }: Lifetime, now: Date): ExpiryState {
  if (expiresAt === undefined) return 'NoExpiry';
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return 'Expired';
  return left < warningMs(issuedAt, expiresAt) ? 'ExpiresSoon' : 'Fresh';
}

function warningMs(issuedAt: Date | undefined, expiresAt: Date): number {
  // A token that does not say since when it is good is treated as one that lives long: early is better than late.
  if (issuedAt === undefined) return DAY_MS;
  const life = expiresAt.getTime() - issuedAt.getTime();
  const fifth = life * (1 - RENEWED_AT);
  return life > LONG_MS ? Math.max(fifth, DAY_MS) : fifth;
}

/**
 * When the source of a credential must be read again although nothing says that it changed: at four fifths of its life
 * and at least two minutes before its end; once that is over, at its end. Undefined when nothing is to be gained.
 */
export function refreshTime({ issuedAt, expiresAt }: Lifetime, now: Date): Date | undefined {
  if (expiresAt === undefined) return undefined;
  const end = expiresAt.getTime();
  const start = issuedAt === undefined ? end : issuedAt.getTime();
  // Of a life of minutes, the margin is before its beginning: then its last fifth is all there is.
  const times = [end - MARGIN_MS, Math.floor(start + (end - start) * RENEWED_AT), end];
  const next = Math.min(...times.filter((time) => time > now.getTime()));
  return Number.isFinite(next) ? new Date(next) : undefined;
}

function tokenLifetime(token: string): Lifetime {
  const claims = claimsOf(token);
  return {
    issuedAt: claims && (timeClaim(claims, 'iat') ?? timeClaim(claims, 'nbf')),
    expiresAt: claims && timeClaim(claims, 'exp'),
  };
}

/** The claims of a JWT, whoever signed it: they are a hint for us, and the member decides. */
function claimsOf(token: string): Record<string, unknown> | undefined {
  if (token.length > LONGEST_TOKEN) return undefined;
  const [, payload, signature, ...rest] = token.split('.');
  if (payload === undefined || signature === undefined || rest.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return isJsonObject(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

function timeClaim(claims: Record<string, unknown>, name: string): Date | undefined {
  const seconds = getOwn(claims, name);
  if (typeof seconds !== 'number' || !Number.isFinite(seconds) || seconds <= 0) return undefined;
  return new Date(Math.min(Math.floor(seconds * 1000), END_OF_TIME));
}

function certificateLifetime(pem: string): Lifetime {
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    return { issuedAt: dateOf(validFrom), expiresAt: dateOf(validTo) };
  } catch {
    return { issuedAt: undefined, expiresAt: undefined };
  }
}

function dateOf(text: string): Date | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}
