import type { TlsOptions } from 'node:tls';
import {
  createAuthority,
  issueClientCertificate,
  issueServingCertificate,
} from '../../packages/apiserver/src/authn/certificates.ts';

const HOUR_MS = 3_600_000;

/** From a number of hours ago until a number of hours ahead. */
export function hours(before: number, after: number): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - before * HOUR_MS), notAfter: new Date(now + after * HOUR_MS) };
}

/** The authority that everyone in these tests trusts, unless told otherwise. */
export const authority = createAuthority('fleet-ca', hours(1, 1));

/** Options of a TLS server with a certificate of that authority. */
export function serving(
  options: { hosts?: string[]; validity?: ReturnType<typeof hours>; by?: typeof authority } = {},
): TlsOptions {
  const { hosts = ['127.0.0.1', 'localhost'], validity = hours(1, 1), by = authority } = options;
  const pair = issueServingCertificate(by, { commonName: 'server', hosts, ...validity });
  return { cert: pair.certificate, key: pair.key };
}

/** A client certificate as a credential presents it. */
export function clientCertificate(user: string): { cert: string; key: string } {
  const pair = issueClientCertificate(authority, { user, groups: [], ...hours(1, 1) });
  return { cert: pair.certificate, key: pair.key };
}
