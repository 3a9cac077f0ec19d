import { createPrivateKey, X509Certificate } from 'node:crypto';
import {
  type CertificatePair,
  certificatesIn,
  createAuthority,
  isFor,
  isIssuedBy,
  issueServing,
  type Validity,
} from './certificates.ts';

/** What replicas share: what to serve with, and whom API servers are to trust. */
export interface CertificateSet {
  /** Authorities that may have signed what some replica serves, PEM, the newest first. */
  readonly authorities: readonly string[];
  /** The private key of the newest. */
  readonly authorityKey: string;
  readonly serving: CertificatePair;
}

/** How long certificates live, and for whom. */
export interface CertificatePolicy {
  readonly hosts: readonly string[];
  /** @default 365 days */
  readonly authorityLifeMs: number;
  /** At most a third of the authority's. @default 90 days */
  readonly servingLifeMs: number;
}

/** The moment of planning. */
export interface Planning {
  readonly now: number;
  /** Whether every API server has had time to learn of all of `authorities`. */
  readonly isTrusted: boolean;
}

/** Clocks of API servers may be behind ours. */
const BACKDATE_MS = 60 * 60_000;
const COMMON_NAME = 'flotilla-webhook-ca';

/**
 * What the set should be now: the same, or one with what is due made anew. Both kinds are renewed after two thirds of
 * their life.
 *
 * Nothing is ever served that callers might not trust yet: a new authority first only joins the others, and signs a
 * serving certificate once everyone trusts it. An old one stays until it ends by itself, since some replica may still
 * serve with it.
 */
export function planCertificates(
  stored: CertificateSet | undefined,
  policy: CertificatePolicy,
  { now, isTrusted }: Planning,
): CertificateSet {
  if (stored === undefined || !isUsable(stored, now)) return freshSet(policy, now);
  const authorities = stored.authorities.filter(
    (pem, index) => index === 0 || validityOf(new X509Certificate(pem)).notAfter.getTime() > now,
  );
  const [newest = ''] = authorities;
  if (isPastTwoThirds(new X509Certificate(newest), now)) {
    const authority = newAuthority(policy, now);
    return {
      authorities: [authority.certificate, ...authorities],
      authorityKey: authority.key,
      serving: stored.serving,
    };
  }
  const kept = { ...stored, authorities };
  if (!isServingDue(kept, policy, now)) {
    return authorities.length === stored.authorities.length ? stored : kept;
  }
  // One authority alone has been trusted for as long as the webhooks have worked.
  if (!isTrusted && authorities.length > 1 && isServable(kept, now)) return kept;
  return {
    ...kept,
    serving: newServing({ certificate: newest, key: stored.authorityKey }, policy, now),
  };
}

/** From when until when. */
export function validityOf({ validFrom, validTo }: X509Certificate): Validity {
  return { notBefore: new Date(validFrom), notAfter: new Date(validTo) };
}

/** Reads a set from PEM texts; undefined when a part is missing or no certificate. */
export function readSet(parts: {
  readonly bundle: string;
  readonly authorityKey: string;
  readonly certificate: string;
  readonly key: string;
}): CertificateSet | undefined {
  const { bundle, authorityKey, certificate, key } = parts;
  const authorities = certificatesIn(bundle);
  const [newest] = authorities;
  try {
    const isWhole =
      newest !== undefined &&
      new X509Certificate(newest).checkPrivateKey(createPrivateKey(authorityKey)) &&
      new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    return isWhole ? { authorities, authorityKey, serving: { certificate, key } } : undefined;
  } catch {
    // Whoever wrote it, it cannot be served with, and is made anew.
    return undefined;
  }
}

function isUsable({ authorities: [newest = ''] }: CertificateSet, now: number): boolean {
  return validityOf(new X509Certificate(newest)).notAfter.getTime() > now;
}

function isPastTwoThirds(certificate: X509Certificate, now: number): boolean {
  const { notBefore, notAfter } = validityOf(certificate);
  const life = notAfter.getTime() - notBefore.getTime();
  return now >= notBefore.getTime() + (life * 2) / 3;
}

function isServingDue(set: CertificateSet, policy: CertificatePolicy, now: number): boolean {
  const serving = new X509Certificate(set.serving.certificate);
  const [newest = ''] = set.authorities;
  return (
    isPastTwoThirds(serving, now) ||
    !policy.hosts.every((host) => isFor(serving, host)) ||
    !isIssuedBy(serving, new X509Certificate(newest))
  );
}

/** Whether anyone could accept the serving certificate now. */
function isServable({ authorities, serving }: CertificateSet, now: number): boolean {
  const certificate = new X509Certificate(serving.certificate);
  return (
    validityOf(certificate).notAfter.getTime() > now &&
    authorities.some((pem) => isIssuedBy(certificate, new X509Certificate(pem)))
  );
}

function freshSet(policy: CertificatePolicy, now: number): CertificateSet {
  const authority = newAuthority(policy, now);
  return {
    authorities: [authority.certificate],
    authorityKey: authority.key,
    serving: newServing(authority, policy, now),
  };
}

function newAuthority({ authorityLifeMs }: CertificatePolicy, now: number): CertificatePair {
  // A name of its own: callers look authorities up by name.
  const seconds = Math.floor(now / 1000);
  return createAuthority(`${COMMON_NAME}@${seconds}`, lifeOf(authorityLifeMs, now));
}

function newServing(
  authority: CertificatePair,
  { hosts, servingLifeMs }: CertificatePolicy,
  now: number,
): CertificatePair {
  const { notBefore, notAfter } = lifeOf(servingLifeMs, now);
  const end = validityOf(new X509Certificate(authority.certificate)).notAfter;
  return issueServing(authority, { hosts, notBefore, notAfter: end < notAfter ? end : notAfter });
}

/** Certificates know no fractions of a second. */
function lifeOf(lifeMs: number, now: number): Validity {
  const second = Math.floor(now / 1000) * 1000;
  return {
    notBefore: new Date(second - Math.min(BACKDATE_MS, lifeMs / 10)),
    notAfter: new Date(second + lifeMs),
  };
}
