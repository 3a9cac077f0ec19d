import { certificateEnd } from '@flotilla/client';
import { durationToMs, ParseError, parseDuration } from '@flotilla/machinery';
import type { Lifetime } from './expiry.ts';
import type { ExternalSecret } from './external-secret.ts';
import type { SourceWarning } from './resolved-source.ts';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g;

/** Tells of authorities that are over: their servers can no longer be verified. */
export function authorityWarnings(ca: string, now: Date): SourceWarning[] {
  const certificates = [...ca.matchAll(CERTIFICATE)];
  const over = certificates.filter(([, base64 = '']) => isOver(base64, now)).length;
  if (over === 0) return [];
  return [
    {
      reason: 'AuthorityExpired',
      message: `Of the ${certificates.length} certificates of the endpoint's authority, ${over} are over`,
    },
  ];
}

function isOver(base64: string, now: Date): boolean {
  const end = certificateEnd(Buffer.from(base64, 'base64'));
  return end !== undefined && end < now.getTime();
}

/** Tells of an ExternalSecret that is not read again before the credential it gave is over. */
export function refreshWarnings(
  { spec, metadata }: ExternalSecret,
  { issuedAt, expiresAt }: Lifetime,
): SourceWarning[] {
  if (expiresAt === undefined) return [];
  const intervalMs = intervalOf(spec?.refreshInterval);
  const isReadOnce = spec?.refreshPolicy === 'CreatedOnce' || intervalMs === 0;
  const lifeMs = issuedAt === undefined ? undefined : expiresAt.getTime() - issuedAt.getTime();
  if (!isReadOnce && (lifeMs === undefined || intervalMs === undefined || intervalMs < lifeMs))
    return [];
  const how = isReadOnce
    ? 'is read once only, and its credential ends'
    : 'is read again only when its credential has ended';
  return [
    {
      reason: 'ExternalSecretRefreshTooRare',
      message: `ExternalSecret "${metadata.name}" ${how}; give it a refreshInterval that is shorter than the life of the credential`,
    },
  ];
}

function intervalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return durationToMs(parseDuration(text));
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
