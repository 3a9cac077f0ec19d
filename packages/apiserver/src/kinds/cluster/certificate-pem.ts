import { X509Certificate } from 'node:crypto';
import { goQuote } from '@flotilla/machinery';
import { pemBlocks } from '../core/key-pair.ts';

/** Why bytes are no certificate request in PEM; undefined when they are. Its signature is the signer's to check. */
export function requestProblem(pem: Buffer): string | undefined {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') return 'PEM block type must be CERTIFICATE REQUEST';
  const der = Buffer.from(block.text.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  return isSequence(der) ? undefined : "asn1: structure error: tags don't match";
}

/** Why bytes are no chain of certificates in PEM; undefined when they are, or when there are none. */
export function certificateProblem(pem: Buffer): string | undefined {
  if (pem.length === 0) return undefined;
  const blocks = pemBlocks(pem);
  for (const { type, text } of blocks) {
    if (type !== 'CERTIFICATE') {
      return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(type)}`;
    }
    if (/^[\w-]+:/m.test(text)) return 'no PEM block headers are permitted';
    if (!isCertificate(text)) return 'x509: malformed certificate';
  }
  return blocks.length === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
}

/** True when the bytes are one DER SEQUENCE and nothing else. */
function isSequence(der: Buffer): boolean {
  const first = der[1];
  if (der[0] !== 0x30 || first === undefined) return false;
  if (first < 0x80) return der.length === 2 + first;
  const width = first & 0x7f;
  if (width === 0 || width > 4 || der.length < 2 + width) return false;
  return der.length === 2 + width + der.readUIntBE(2, width);
}

function isCertificate(pem: string): boolean {
  try {
    new X509Certificate(pem);
    return true;
  } catch {
    return false;
  }
}

/** Whether Base64 holds certificates in PEM that could be trusted as roots. */
export function isCertificateBundle(base64: string): boolean {
  const blocks = pemBlocks(Buffer.from(base64, 'base64'));
  return blocks.some(({ type, text }) => type === 'CERTIFICATE' && isCertificate(text));
}
