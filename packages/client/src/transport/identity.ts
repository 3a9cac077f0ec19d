import type { SecureContext } from 'node:tls';
import { createSecureContext } from 'node:tls';
import type { Presented, ServerTls } from '../access.ts';
import { TransportError } from '../transport-error.ts';
import { printable } from './endpoint.ts';

/** Who connections are made as: one per client certificate. */
export interface Identity {
  readonly certificate: Presented['certificate'];
  readonly context: SecureContext;
  /** To resume, so that the next handshake is short. */
  session: Buffer | undefined;
}

/** Reads certificates and key once, not for every connection. */
export function createIdentity(
  tls: ServerTls,
  certificate: Presented['certificate'],
  url: string,
): Identity {
  try {
    const context = createSecureContext({
      minVersion: 'TLSv1.2',
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
    });
    return { certificate, context, session: undefined };
  } catch (error) {
    throw new TransportError('tls', `Cannot connect to "${url}": ${pemProblem(error)}`, {
      wasNotSent: true,
      // The cause is left out: OpenSSL's errors may quote what they read.
    });
  }
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
