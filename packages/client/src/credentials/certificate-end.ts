import { createHash, X509Certificate } from 'node:crypto';

/** Enough for the authorities of a few thousand servers; each entry is some hundred bytes. */
const MOST_KNOWN = 8192;

/** By digest, so that no certificate is kept; false where it cannot be read. The oldest goes first. */
const known = new Map<string, number | false>();

/**
 * When a certificate ends, in milliseconds since 1970, and NaN where it does not say; undefined where the bytes, DER or
 * PEM, are no certificate. Reading one takes OpenSSL longer than a small request takes altogether, and the same authority
 * is read with every look at its cluster: what it said is remembered.
 */
export function certificateEnd(bytes: Buffer): number | undefined {
  const digest = createHash('sha256').update(bytes).digest('base64');
  let end = known.get(digest);
  if (end === undefined) {
    end = readEnd(bytes);
    for (const oldest of known.keys()) {
      if (known.size < MOST_KNOWN) break;
      known.delete(oldest);
    }
    known.set(digest, end);
  }
  return end === false ? undefined : end;
}

/** Whether OpenSSL can read it. */
export function isReadableCertificate(bytes: Buffer): boolean {
  return certificateEnd(bytes) !== undefined;
}

function readEnd(bytes: Buffer): number | false {
  try {
    return Date.parse(new X509Certificate(bytes).validTo);
  } catch {
    return false;
  }
}
