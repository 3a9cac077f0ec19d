import { hash, type KeyObject, X509Certificate } from 'node:crypto';
import { x509 } from '@flotilla/machinery';
import type { Peer } from '../http/exchange.ts';
import { BoundedCache } from './bounded-cache.ts';
import { type ParsedCertificate, parseCertificate } from './parse-certificate.ts';
import { CREDENTIAL_ID, type UserInfo } from './user-info.ts';

const { OID } = x509;

/** More issuers than any sane chain has. */
const LONGEST_CHAIN = 5;
const CACHED_CERTIFICATES = 1000;

/** A certificate was shown but proves nothing; the reason goes to the log, never to the client. */
export class CertificateRejected extends Error {
  constructor(reason: string) {
    super(`x509: ${reason}`);
    this.name = 'CertificateRejected';
  }
}

/** Checks client certificates of one control plane. */
export interface ClientCertificates {
  /**
   * The user a certificate stands for; undefined when none was shown or it names nobody.
   * Throws CertificateRejected when it does not hold.
   */
  readonly verify: (peer: Peer, now: Date) => UserInfo | undefined;
}

interface Link {
  readonly parsed: ParsedCertificate;
  readonly x509: X509Certificate;
}

interface Verdict {
  /** The bundle it was verified against. */
  readonly bundle: string;
  readonly user: UserInfo | undefined;
  /** While every certificate of the chain is valid, in milliseconds. */
  readonly from: number;
  readonly until: number;
}

/**
 * Verifies certificates against a bundle that may change at any time.
 *
 * Verifying costs two signatures, so verdicts are kept: per connection, where the certificate is the
 * same buffer for each request, and by fingerprint for the connections of one client.
 */
export function clientCertificates(bundle: () => string): ClientCertificates {
  const byConnection = new WeakMap<Buffer, Verdict>();
  let byFingerprint: BoundedCache<Verdict> | undefined;
  let roots: { bundle: string; links: readonly Link[] } | undefined;

  const judge = (certificate: Buffer, chain: readonly Buffer[], now: number): Verdict => {
    const trusted = bundle();
    if (roots?.bundle !== trusted) roots = { bundle: trusted, links: readBundle(trusted) };
    return { bundle: trusted, ...verifyChain(certificate, { chain, roots: roots.links, now }) };
  };

  return {
    verify: ({ certificate, certificateChain = [] }, now) => {
      if (certificate === undefined) return undefined;
      const time = now.getTime();
      const holds = (verdict: Verdict | undefined): verdict is Verdict =>
        verdict !== undefined &&
        verdict.bundle === bundle() &&
        verdict.from <= time &&
        time <= verdict.until;

      const known = byConnection.get(certificate);
      if (holds(known)) return known.user;
      byFingerprint ??= new BoundedCache(CACHED_CERTIFICATES);
      const fingerprint = hash('sha256', certificate, 'hex');
      let verdict = byFingerprint.get(fingerprint);
      if (!holds(verdict)) {
        verdict = judge(certificate, certificateChain, time);
        byFingerprint.set(fingerprint, verdict);
      }
      byConnection.set(certificate, verdict);
      return verdict.user;
    },
  };
}

function readBundle(pem: string): Link[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
  return blocks.map((block) => linkOf(new X509Certificate(block)));
}

function linkOf(x509: X509Certificate): Link {
  return { x509, parsed: parseCertificate(x509.raw) };
}

function read(der: Buffer): Link {
  try {
    return linkOf(new X509Certificate(der));
  } catch {
    throw new CertificateRejected('malformed certificate');
  }
}

interface ChainOptions {
  readonly chain: readonly Buffer[];
  readonly roots: readonly Link[];
  readonly now: number;
}

/** Walks from the certificate to a trusted authority through the issuers the client sent. */
function verifyChain(
  certificate: Buffer,
  { chain, roots, now }: ChainOptions,
): Omit<Verdict, 'bundle'> {
  if (chain.length > LONGEST_CHAIN) throw new CertificateRejected('too many intermediates');
  const leaf = read(certificate);
  const intermediates = chain.map(read);
  checkEnd(leaf.parsed, now);

  let current = leaf;
  let from = leaf.parsed.notBefore;
  let until = leaf.parsed.notAfter;
  const covers = ({ parsed }: Link): void => {
    from = Math.max(from, parsed.notBefore);
    until = Math.min(until, parsed.notAfter);
  };
  for (let depth = 0; depth <= LONGEST_CHAIN; depth += 1) {
    const root = issuerOf(current, { candidates: roots, depth, now });
    if (root !== undefined) {
      covers(root);
      return { user: userOf(leaf), from, until };
    }
    const next = issuerOf(current, { candidates: intermediates, depth, now });
    if (next === undefined) break;
    covers(next);
    current = next;
  }
  throw new CertificateRejected('certificate signed by unknown authority');
}

function checkEnd(parsed: ParsedCertificate, now: number): void {
  checkTime(parsed, now);
  if (parsed.hasUnknownCritical) throw new CertificateRejected('unhandled critical extension');
  if (!allowsClientAuth(parsed)) {
    throw new CertificateRejected('certificate specifies an incompatible key usage');
  }
}

function checkTime(parsed: ParsedCertificate, now: number): void {
  if (now >= parsed.notBefore && now <= parsed.notAfter) return;
  const at = new Date(now).toISOString();
  const detail =
    now < parsed.notBefore
      ? `current time ${at} is before ${new Date(parsed.notBefore).toISOString()}`
      : `current time ${at} is after ${new Date(parsed.notAfter).toISOString()}`;
  throw new CertificateRejected(`certificate has expired or is not yet valid: ${detail}`);
}

/** A certificate that lists no purposes serves all of them, as in Go. */
function allowsClientAuth({ extendedKeyUsages }: ParsedCertificate): boolean {
  if (extendedKeyUsages === undefined) return true;
  return (
    extendedKeyUsages.includes(OID.clientAuth) ||
    extendedKeyUsages.includes(OID.anyExtendedKeyUsage)
  );
}

interface IssuerSearch {
  readonly candidates: readonly Link[];
  /** How many authorities stand between the candidate and the end certificate. */
  readonly depth: number;
  readonly now: number;
}

function issuerOf(of: Link, { candidates, depth, now }: IssuerSearch): Link | undefined {
  return candidates.find(({ parsed, x509 }) => {
    if (!parsed.subject.equals(of.parsed.issuer)) return false;
    if (!parsed.isAuthority || parsed.mayCertify === false) return false;
    if (parsed.hasUnknownCritical || !allowsClientAuth(parsed)) return false;
    if (parsed.pathLength !== undefined && parsed.pathLength < depth) return false;
    if (now < parsed.notBefore || now > parsed.notAfter) return false;
    return verifies(of.x509, x509.publicKey);
  });
}

function verifies(certificate: X509Certificate, key: KeyObject): boolean {
  try {
    return certificate.verify(key);
  } catch {
    return false;
  }
}

function userOf({ parsed, x509 }: Link): UserInfo | undefined {
  if (parsed.commonName === '') return undefined;
  const [uid, another] = parsed.uids;
  if (another !== undefined) throw new CertificateRejected('more than one UID in the subject');
  if (uid === '') throw new CertificateRejected('empty UID in the subject');
  const fingerprint = hash('sha256', x509.raw, 'hex');
  return {
    name: parsed.commonName,
    ...(uid === undefined ? {} : { uid }),
    groups: parsed.organizations,
    extra: { [CREDENTIAL_ID]: [`X509SHA256=${fingerprint}`] },
  };
}
