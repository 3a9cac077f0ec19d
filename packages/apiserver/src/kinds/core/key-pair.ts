import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN ';
const END = '-----END ';
const DASHES = '-----';
/** Names of block types are short. */
const MAX_TYPE = 100;

/** Why a certificate and a private key (PEM) do not belong together, in Go's words; undefined when they do. */
export function keyPairProblem(certificate: Buffer, key: Buffer): string | undefined {
  const certificateBlocks = pemBlocks(certificate);
  const leaf = certificateBlocks.find(({ type }) => type === 'CERTIFICATE');
  if (leaf === undefined) return noCertificate(certificateBlocks.map(({ type }) => type));
  const keyBlocks = pemBlocks(key);
  const keyBlock = keyBlocks.find(({ type }) => isPrivateKey(type));
  if (keyBlock === undefined) return noKey(keyBlocks.map(({ type }) => type));

  const publicKey = readCertificateKey(leaf.text);
  if (publicKey === undefined) return 'x509: malformed certificate';
  const privateKey = readPrivateKey(keyBlock.text);
  if (privateKey === undefined) return 'tls: failed to parse private key';
  if (publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return publicKey.equals(createPublicKey(privateKey))
    ? undefined
    : 'tls: private key does not match public key';
}

/** The PEM blocks of a text, in order; one pass, however many unfinished blocks there are. */
export function pemBlocks(pem: Buffer): { type: string; text: string }[] {
  const text = pem.toString('latin1');
  const blocks: { type: string; text: string }[] = [];
  let end = -1;
  for (let begin = text.indexOf(BEGIN); begin >= 0; begin = text.indexOf(BEGIN, begin + 1)) {
    if (end < begin) end = text.indexOf(END, begin);
    if (end < 0) break;
    const line = text.slice(begin + BEGIN.length, begin + BEGIN.length + MAX_TYPE);
    const type = line.slice(0, Math.max(line.indexOf(DASHES), 0));
    const trailer = `${END}${type}${DASHES}`;
    if (type === '' || !text.startsWith(trailer, end)) continue;
    blocks.push({ type, text: text.slice(begin, end + trailer.length) });
    begin = end;
  }
  return blocks;
}

function isPrivateKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');
}

function noCertificate(skipped: readonly string[]): string {
  const [only] = skipped;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (skipped.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function noKey(skipped: readonly string[]): string {
  const [only] = skipped;
  if (only === undefined) return 'tls: failed to find any PEM data in key input';
  if (skipped.length === 1 && only === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${skipped.join(' ')}]`;
}

function readCertificateKey(pem: string): KeyObject | undefined {
  try {
    return new X509Certificate(pem).publicKey;
  } catch {
    return undefined;
  }
}

function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
