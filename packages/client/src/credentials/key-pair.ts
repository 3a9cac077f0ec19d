import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { CredentialError } from './credential-error.ts';
import { type PemBlock, pemBlocks } from './pem.ts';

/** A client certificate and the key that must belong to it. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
  /** How to call the key when it is encrypted: a path or a field. */
  readonly keyName: string;
}

/** What is said of a key that belongs to another certificate. */
export const KEY_MISMATCH = 'tls: private key does not match public key';

/** Checks a client certificate and its key in the order and the words of kubectl, before a handshake fails on them. */
export function checkKeyPair({ cert, key, keyName }: KeyPair): void {
  const leaf = leafOf(pemBlocks(cert));
  const privateKey = keyOf(pemBlocks(key), keyName);
  if (!leaf.checkPrivateKey(privateKey)) {
    throw new CredentialError(KEY_MISMATCH);
  }
}

function leafOf(blocks: readonly PemBlock[]): X509Certificate {
  const first = blocks.find(({ type }) => type === 'CERTIFICATE');
  if (first === undefined) {
    const [other] = blocks;
    if (other === undefined) {
      throw new CredentialError('tls: failed to find any PEM data in certificate input');
    }
    throw new CredentialError(
      other.type.endsWith('PRIVATE KEY')
        ? 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
        : `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${blocks.map(({ type }) => type).join(' ')}]`,
    );
  }
  try {
    return new X509Certificate(first.bytes);
  } catch (error) {
    throw new CredentialError('x509: malformed certificate', { cause: error });
  }
}

function keyOf(blocks: readonly PemBlock[], keyName: string): KeyObject {
  const found = blocks.find(({ type }) => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY'));
  if (found === undefined) {
    const [other] = blocks;
    if (other === undefined) {
      throw new CredentialError('tls: failed to find any PEM data in key input');
    }
    throw new CredentialError(
      other.type === 'CERTIFICATE'
        ? 'tls: found a certificate rather than a key in the PEM for the private key'
        : `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${blocks.map(({ type }) => type).join(' ')}]`,
    );
  }
  if (found.type === 'ENCRYPTED PRIVATE KEY' || found.isEncrypted) {
    throw new CredentialError(
      `Cannot use the private key of ${keyName}: it is encrypted, and kubeconfigs have no place for its passphrase; decrypt it (openssl pkey -in KEY -out DECRYPTED-KEY) or use a credential plugin`,
    );
  }
  try {
    return createPrivateKey(found.text);
  } catch {
    // Without the cause, which might quote the key.
    throw new CredentialError('tls: failed to parse private key');
  }
}
