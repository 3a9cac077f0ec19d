import type { DetailedPeerCertificate } from 'node:tls';
import { TransportError } from '../transport-error.ts';
import { printable } from './endpoint.ts';

/** The server did not take our client certificate: another one may help. */
export class CertificateRefused extends TransportError {}

/** What is known when TLS fails. */
export interface TlsCircumstances {
  /** Of the server or proxy, for the text. */
  readonly url: string;
  /** The name the certificate was checked against. */
  readonly name: string;
  readonly hasClientCertificate: boolean;
  readonly now: number;
  readonly peer?: DetailedPeerCertificate | undefined;
}

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_UNTRUSTED',
  'CERT_SIGNATURE_FAILURE',
  'INVALID_CA',
  'CERT_CHAIN_TOO_LONG',
]);
const ALERT = /^ERR_SSL_.*ALERT_(.+)$/;
const MOST_NAMES = 12;

/** Whether an error comes from TLS rather than from the connection below it. */
export function isTlsFault(error: unknown): boolean {
  const code = codeOf(error);
  return (
    code.startsWith('ERR_SSL_') ||
    code.startsWith('ERR_TLS_') ||
    code.startsWith('CERT_') ||
    code === 'EPROTO' ||
    UNKNOWN_AUTHORITY.has(code)
  );
}

/** Says what is wrong between us and the server, and what to do about it. */
export function tlsFault(error: unknown, about: TlsCircumstances): TransportError {
  const code = codeOf(error);
  const refusal = certificateRefusal(code, about.hasClientCertificate);
  if (refusal !== undefined) {
    return new CertificateRefused('tls', `Cannot connect to "${about.url}": ${refusal}`, {
      cause: error,
      wasNotSent: true,
    });
  }
  const isTrust = UNKNOWN_AUTHORITY.has(code) || code.startsWith('CERT_') || isWrongName(code);
  const action = isTrust ? 'trust' : 'speak TLS with';
  const state = isTrust ? mistrust(code, about) : failedHandshake(code, error);
  return new TransportError('tls', `Cannot ${action} "${about.url}": ${state}`, {
    cause: error,
    wasNotSent: true,
  });
}

function isWrongName(code: string): boolean {
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID';
}

function mistrust(code: string, about: TlsCircumstances): string {
  const { peer, name } = about;
  if (code === 'CERT_HAS_EXPIRED') {
    const old = chain(peer).find(({ valid_to }) => Date.parse(valid_to) < about.now);
    const since = old === undefined ? '' : ` on ${instant(old.valid_to)}`;
    return `${whose(old, peer)} expired${since}; renew it on the server, or set this machine's clock`;
  }
  if (code === 'CERT_NOT_YET_VALID') {
    const young = chain(peer).find(({ valid_from }) => Date.parse(valid_from) > about.now);
    const from = young === undefined ? 'later on' : `from ${instant(young.valid_from)} on`;
    return `${whose(young, peer)} is valid only ${from}; set this machine's clock, or wait`;
  }
  if (isWrongName(code)) {
    const names = certificateNames(peer);
    const has = names === '' ? 'names no host' : `is for ${names}`;
    return `its certificate ${has} and not for "${printable(name)}"; use one of its names as the address or as tls-server-name`;
  }
  if (code === 'CERT_REVOKED') return 'its certificate was revoked';
  const last = chain(peer).at(-1);
  if (last === undefined) {
    return 'its certificate is of an unknown authority; check the certificate authority of this access';
  }
  const issuer = subjectOf(last.issuer);
  const isSelfSigned = code === 'DEPTH_ZERO_SELF_SIGNED_CERT';
  return isSelfSigned
    ? `its certificate is signed by itself ("${issuer}"); give it as the certificate authority of this access if it is the right one`
    : `its certificate was issued by "${issuer}", which is not among the certificate authorities of this access; check that they belong to this server`;
}

function failedHandshake(code: string, error: unknown): string {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG') {
    return 'it does not answer in TLS; does it speak plain HTTP (http:// instead of https://)?';
  }
  if (code === 'ERR_SSL_HTTP_REQUEST') return 'it speaks plain HTTP';
  const [, alert] = ALERT.exec(code) ?? [];
  if (alert === 'PROTOCOL_VERSION' || code === 'ERR_SSL_UNSUPPORTED_PROTOCOL') {
    return 'it offers no TLS version that is still safe (1.2 or newer)';
  }
  if (alert === 'NO_APPLICATION_PROTOCOL') return 'it speaks neither HTTP/1.1 nor HTTP/2 there';
  if (alert === 'UNRECOGNIZED_NAME' || code === 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME') {
    return 'it does not know the name it was asked by; check the address and tls-server-name';
  }
  const reason = (error as { reason?: unknown }).reason;
  return `the handshake failed (${printable(typeof reason === 'string' ? reason : code)})`;
}

function certificateRefusal(code: string, hasCertificate: boolean): string | undefined {
  const [, alert = ''] = ALERT.exec(code) ?? [];
  if (alert === 'CERTIFICATE_REQUIRED') {
    return 'it asks for a client certificate, and this access has none that it accepts';
  }
  if (alert === 'HANDSHAKE_FAILURE' && !hasCertificate) return undefined;
  if (alert === 'CERTIFICATE_EXPIRED') return 'it says that our client certificate has expired';
  if (alert === 'CERTIFICATE_REVOKED') return 'it says that our client certificate was revoked';
  if (alert === 'UNKNOWN_CA' && hasCertificate) {
    return 'it does not know the authority of our client certificate';
  }
  if (
    ['BAD_CERTIFICATE', 'CERTIFICATE_UNKNOWN', 'UNSUPPORTED_CERTIFICATE', 'ACCESS_DENIED'].includes(
      alert,
    ) &&
    hasCertificate
  ) {
    return `it refused our client certificate (${alert.toLowerCase().replaceAll('_', ' ')})`;
  }
  return undefined;
}

/** The certificates as the server sent them, leaf first. */
function chain(peer: DetailedPeerCertificate | undefined): DetailedPeerCertificate[] {
  const found: DetailedPeerCertificate[] = [];
  let next: DetailedPeerCertificate | undefined = peer;
  while (next?.fingerprint256 !== undefined && !found.includes(next) && found.length < 10) {
    found.push(next);
    next = next.issuerCertificate;
  }
  return found;
}

function whose(
  certificate: DetailedPeerCertificate | undefined,
  leaf: DetailedPeerCertificate | undefined,
): string {
  if (certificate === undefined || certificate === leaf) return 'its certificate';
  return `the certificate of its authority "${subjectOf(certificate.subject)}"`;
}

function subjectOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);
  return printable(one(name?.CN) ?? one(name?.O) ?? one(name?.OU) ?? 'unnamed', 100);
}

function certificateNames(peer: DetailedPeerCertificate | undefined): string {
  const all = [
    ...(peer?.subjectaltname ?? '').matchAll(/(?:DNS|IP Address|URI):("[^"]*"|[^,]+)/g),
  ].map(([, name = '']) => `"${printable(name.replace(/^"|"$/g, ''), 100)}"`);
  const more = all.length > MOST_NAMES ? ` and ${all.length - MOST_NAMES} more` : '';
  return all.slice(0, MOST_NAMES).join(', ') + more;
}

function instant(date: string): string {
  const time = Date.parse(date);
  return Number.isNaN(time) ? printable(date) : new Date(time).toISOString().replace('.000', '');
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
