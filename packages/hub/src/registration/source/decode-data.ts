import { X509Certificate } from 'node:crypto';
import {
  authoritiesOf,
  CredentialError,
  checkKeyPair,
  isReadableCertificate,
  KEY_MISMATCH,
} from '@flotilla/client';
import { SecretValue } from '@flotilla/runtime';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { SourceProblem } from './source-problem.ts';

/** The public authorities are about 150. */
const MAX_AUTHORITIES = 1000;
const LONGEST_CHAIN = 65_536;
/** Signing with one of these takes a tenth of a second, with one of twice the length a whole one. */
const LONGEST_RSA_BITS = 8192;

/** Decodes base64, strictly but for white space; `field` is how to call it. */
export function decodeBase64Field(text: string, field: string): string {
  const compact = text.replace(/\s+/g, '');
  if (compact.endsWith('...')) {
    throw invalid(field, 'it is cut short: "..." stands where the rest should be');
  }
  if (compact.startsWith('-----BEGIN')) {
    throw invalid(field, 'it must be base64-encoded, and is PEM as it stands; encode the PEM text');
  }
  if (compact.includes('.')) {
    throw invalid(field, 'it must be base64-encoded, and looks like a raw token; encode it');
  }
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(compact) || compact.replace(/=+$/, '').length % 4 === 1) {
    throw invalid(field, 'it must be base64-encoded');
  }
  return Buffer.from(compact, 'base64').toString();
}

/** A token as the gateway needs it: one word that a header can carry. */
export function tokenOf(text: string, field: string): MemberCredential {
  const token = text.trim();
  if (token === '') throw new SourceProblem('NoCredential', `Cannot use ${field}: it is empty`);
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw invalid(
      field,
      'it is no token: tokens have no spaces, line ends or odd bytes; if it is a token in base64, it must be base64-encoded once more',
    );
  }
  return { type: 'ServiceAccountToken', token: new SecretValue(token) };
}

/**
 * Refuses client certificates whose every handshake would keep the hub busy for long: with keys of thousands of digits, or
 * with a chain of thousands of certificates.
 */
export function checkHandshakeCost(certificate: string, field: string): void {
  if (certificate.length > LONGEST_CHAIN) {
    throw invalid(field, `it is longer than ${LONGEST_CHAIN} characters`);
  }
  const { modulusLength = 0 } =
    new X509Certificate(certificate).publicKey.asymmetricKeyDetails ?? {};
  if (modulusLength > LONGEST_RSA_BITS) {
    throw invalid(field, `its key has more than ${LONGEST_RSA_BITS} bits; use a shorter one`);
  }
}

/** A client certificate and its key, which must belong together. */
export function keyPairOf(
  certificate: { readonly text: string; readonly field: string },
  key: { readonly text: string; readonly field: string },
): MemberCredential {
  const cert = `${certificate.text.trim()}\n`;
  const privateKey = `${key.text.trim()}\n`;
  try {
    checkKeyPair({ cert, key: privateKey, keyName: key.field });
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    const fields = `${certificate.field} and ${key.field}`;
    throw error.message === KEY_MISMATCH
      ? new SourceProblem(
          'KeyPairMismatch',
          `Cannot use ${fields}: the key is of another certificate`,
        )
      : invalid(fields, error.message);
  }
  checkHandshakeCost(cert, certificate.field);
  return { type: 'X509Certificate', certificate: cert, key: new SecretValue(privateKey) };
}

/** The certificates of an authority; empty where there is nothing. */
export function authorityOf(text: string, field: string): string {
  if (text.trim() === '') return '';
  if (text.split('-----BEGIN').length - 1 > MAX_AUTHORITIES) {
    throw invalid(field, `it has more than ${MAX_AUTHORITIES} certificates`);
  }
  try {
    return authoritiesOf(text, isReadableCertificate);
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    throw invalid(field, 'it is not a PEM text with at least one certificate');
  }
}

function invalid(field: string, state: string): SourceProblem {
  return new SourceProblem('KubeconfigInvalid', `Cannot use ${field}: ${state}`);
}
