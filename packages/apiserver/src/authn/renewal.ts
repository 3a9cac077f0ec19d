import { X509Certificate } from 'node:crypto';
import {
  API_SERVER_HOSTS,
  type Authority,
  type CertificatePair,
  createAuthority,
  derOf,
  hostKey,
  issueServingCertificate,
  loadAuthority,
} from './certificates.ts';
import { parseCertificate } from './parse-certificate.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const YEAR_MS = 365 * DAY_MS;

/**
 * How long certificates live and when they are replaced.
 *
 * A successor of the authority is published at two thirds of its life but signs only from four fifths
 * on: clients have sixteen months to pick up a bundle that holds both, and the old one is trusted to
 * its last day.
 */
export const LIFETIMES = {
  authorityMs: 10 * YEAR_MS,
  servingMs: YEAR_MS,
  renewAfter: 2 / 3,
  handOverAfter: 4 / 5,
  /** Clients whose clock is slow still accept a fresh certificate. */
  backdateMs: 5 * MINUTE_MS,
  /** A clock set back by less than this does not leave the authority in the future. */
  authorityBackdateMs: DAY_MS,
} as const;

/** Everything about one control plane's certificates, as it is kept. */
export interface Pki {
  /** In the order they were made. */
  readonly authorities: readonly Authority[];
  readonly serving: ServingCertificate | undefined;
}

/** The certificate a listener shows. */
export interface ServingCertificate extends CertificatePair {
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly hosts: readonly string[];
  /** The PEM of the authority that signed it. */
  readonly signer: string;
}

/** What the certificates must suit. */
export interface PkiNeeds {
  readonly now: Date;
  /** Appears in the names of authority and server. */
  readonly tenant: string;
  /** Hosts beside those every API server has. */
  readonly extraHosts: readonly string[];
}

/**
 * Brings certificates up to date; returns the same object when nothing is due.
 *
 * It looks only at the clock and at what exists, so a clock that jumps, either way and back again,
 * ends in a state that works: an authority is made only when none is valid, none is thrown away
 * because of what the clock says, and the first one made signs again as soon as it may.
 */
export function renew(pki: Pki, needs: PkiNeeds): Pki {
  const authorities = renewAuthorities(pki.authorities, needs);
  const current = authorities === pki.authorities ? pki : { ...pki, authorities };
  return renewServing(current, needs);
}

/** Only the serving certificate, for when a new authority could not be kept. */
export function renewServing(pki: Pki, needs: PkiNeeds): Pki {
  const signer = signerAt(pki.authorities, needs.now);
  const hosts = [...new Set([...API_SERVER_HOSTS, ...needs.extraHosts])];
  const { serving } = pki;
  if (serving !== undefined && servingSuits(serving, { now: needs.now, hosts, signer })) return pki;
  return { ...pki, serving: issueServing(signer, { ...needs, hosts }) };
}

/** The authority that signs at this moment. */
export function signerAt(authorities: readonly Authority[], now: Date): Authority {
  const usable = authorities.filter((authority) => isValidAt(authority, now));
  const signer =
    usable.find((authority) => !isPast(authority, now, LIFETIMES.handOverAfter)) ?? usable.at(-1);
  if (signer === undefined) throw new Error('Cannot sign: no authority is valid now');
  return signer;
}

/** The authorities that are to be trusted, PEM, for clients and for client certificates alike. */
export function trustBundle(pki: Pki, now: Date): string {
  return pki.authorities
    .filter((authority) => authority.notAfter > now)
    .map((authority) => authority.certificate)
    .join('');
}

/** What is written to disk. */
export interface StoredPki {
  readonly authorities: readonly CertificatePair[];
  readonly serving: CertificatePair | undefined;
}

/** The form that is kept on disk. */
export function storedPki(pki: Pki): StoredPki {
  const pair = ({ certificate, key }: CertificatePair): CertificatePair => ({ certificate, key });
  return {
    authorities: pki.authorities.map(pair),
    serving: pki.serving === undefined ? undefined : pair(pki.serving),
  };
}

/** Reads back what `storedPki` gave; a serving certificate that fits no authority is left out. */
export function loadPki(stored: StoredPki): Pki {
  const authorities = stored.authorities.map(loadAuthority);
  return { authorities, serving: loadServing(stored.serving, authorities) };
}

function loadServing(
  pair: CertificatePair | undefined,
  authorities: readonly Authority[],
): ServingCertificate | undefined {
  if (pair === undefined) return undefined;
  const signed = new X509Certificate(pair.certificate);
  const signer = authorities.find((authority) =>
    signed.verify(new X509Certificate(authority.certificate).publicKey),
  );
  if (signer === undefined) return undefined;
  const { notBefore, notAfter, hosts } = parseCertificate(derOf(pair.certificate));
  return {
    ...pair,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    hosts,
    signer: signer.certificate,
  };
}

function renewAuthorities(
  authorities: readonly Authority[],
  { now, tenant }: PkiNeeds,
): readonly Authority[] {
  const fresh = authorities.some(
    (authority) => isValidAt(authority, now) && !isPast(authority, now, LIFETIMES.renewAfter),
  );
  if (fresh) return authorities;
  const notBefore = seconds(now.getTime() - LIFETIMES.authorityBackdateMs);
  const notAfter = seconds(now.getTime() + LIFETIMES.authorityMs);
  // Names differ, so that a client that trusts two authorities finds the right one at once.
  const commonName = `${tenant}-ca@${Math.floor(now.getTime() / 1000)}`;
  return [...authorities, createAuthority(commonName, { notBefore, notAfter })];
}

function issueServing(
  signer: Authority,
  { now, tenant, hosts }: PkiNeeds & { hosts: readonly string[] },
): ServingCertificate {
  const notBefore = seconds(now.getTime() - LIFETIMES.backdateMs);
  const wanted = now.getTime() + LIFETIMES.servingMs;
  const notAfter = seconds(Math.min(wanted, signer.notAfter.getTime()));
  const commonName = `${tenant}-apiserver`;
  const pair = issueServingCertificate(signer, { commonName, hosts, notBefore, notAfter });
  return {
    ...pair,
    notBefore,
    notAfter,
    hosts: parseCertificate(derOf(pair.certificate)).hosts,
    signer: signer.certificate,
  };
}

function servingSuits(
  serving: ServingCertificate,
  { now, hosts, signer }: { now: Date; hosts: readonly string[]; signer: Authority },
): boolean {
  return (
    isValidAt(serving, now) &&
    !isPast(serving, now, LIFETIMES.renewAfter) &&
    serving.signer === signer.certificate &&
    sameHosts(serving.hosts, hosts)
  );
}

/** A certificate holds addresses as bytes, and so does the list of hosts read from it. */
function sameHosts(certified: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(certified);
  return known.size === wanted.length && wanted.every((host) => known.has(hostKey(host)));
}

function isValidAt({ notBefore, notAfter }: { notBefore: Date; notAfter: Date }, now: Date) {
  return notBefore <= now && now < notAfter;
}

function isPast(
  { notBefore, notAfter }: { notBefore: Date; notAfter: Date },
  now: Date,
  part: number,
): boolean {
  const life = notAfter.getTime() - notBefore.getTime();
  return now.getTime() >= notBefore.getTime() + life * part;
}

/** Certificates know no fractions of a second. */
function seconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
