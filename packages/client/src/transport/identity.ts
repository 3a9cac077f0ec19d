import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import type { Presented, ServerTls } from '../access.ts';
import { canVouch } from '../credentials/certificate-shape.ts';
import { pemBlocks } from '../credentials/pem.ts';
import { TransportError } from '../transport-error.ts';
import { printable } from './endpoint.ts';

/** Who connections are made as: one per client certificate. */
export interface Identity {
  readonly certificate: Presented['certificate'];
  /**
   * What the next connection is made with. Those who connect once, as to each member of a fleet, get a context that
   * OpenSSL gives back with the connection and not when the collector finds it; from the second on one is shared.
   */
  readonly nextTls: () => SecureContextOptions | { readonly secureContext: SecureContext };
  /** To resume, so that the next handshake is short. */
  session: Buffer | undefined;
}

/** Certificates and key are read with the first connection and with the second, and no more. */
export function createIdentity(tls: ServerTls, certificate: Presented['certificate']): Identity {
  const material: SecureContextOptions = {
    minVersion: 'TLSv1.2',
    // No text is no authority of its own: the public ones count.
    ...(tls.ca ? { ca: certificatesOf(tls.ca) } : {}),
    ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
  };
  let connections = 0;
  let secureContext: SecureContext | undefined;
  return {
    certificate,
    nextTls: () => {
      connections += 1;
      if (connections === 1) return material;
      secureContext ??= createSecureContext(material);
      return { secureContext };
    },
    session: undefined,
  };
}

/**
 * Those that can vouch for a server, one by one: of a text with many, OpenSSL reads none behind the first that it cannot
 * read.
 */
export function certificatesOf(ca: string): string[] {
  const all = ca.split(/(?<=-----END CERTIFICATE-----\r?\n)/);
  const fit = all.filter((each) => pemBlocks(each).every(({ bytes }) => canVouch(bytes)));
  return fit.length === 0 ? all : fit;
}

/** Says what is wrong with certificates or key; the cause is left out, since OpenSSL's errors may quote what they read. */
export function unusableIdentity(url: string, error: unknown): TransportError {
  return new TransportError('tls', `Cannot connect to "${url}": ${pemProblem(error)}`, {
    wasNotSent: true,
  });
}

/** Whether connections of the identity may carry requests with the certificate. */
export function isSameCertificate(
  a: Presented['certificate'],
  b: Presented['certificate'],
): boolean {
  return a === b || (a?.cert === b?.cert && a?.key === b?.key);
}

function pemProblem(error: unknown): string {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' || code === 'ERR_OSSL_EVP_KEY_VALUES_MISMATCH') {
    return 'its client certificate and key do not belong together';
  }
  if (code === 'ERR_MISSING_PASSPHRASE' || /password|passphrase/i.test(String(reason))) {
    return 'the client key is encrypted; give it without a passphrase';
  }
  const why = typeof reason === 'string' ? ` (${printable(reason, 80)})` : '';
  return `a certificate or key of this access cannot be read${why}`;
}
