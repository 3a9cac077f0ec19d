import { generateKeyPairSync, sign } from 'node:crypto';
import { x509 } from '@flotilla/machinery';

/** A self-signed certificate and its key, PEM. */
export interface TestPair {
  readonly certificate: string;
  readonly key: string;
}

/** Makes a certificate for tests, which is its own authority; with hosts it can be a server's. */
export function testPair(
  name = 'admin',
  {
    notBefore = new Date('2026-01-01T00:00:00Z'),
    notAfter = new Date('2126-01-01T00:00:00Z'),
    hosts = [] as readonly string[],
    keys = generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  } = {},
): TestPair {
  const { publicKey, privateKey } = keys;
  const subject = x509.nameOf([{ oid: x509.OID.commonName, text: name }]);
  const der = x509.encodeCertificate(
    {
      serialNumber: Buffer.from([1]),
      issuer: subject,
      subject,
      notBefore,
      notAfter,
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
      extensions: [
        x509.basicConstraints(true),
        ...(hosts.length === 0 ? [] : [x509.subjectAltName(hosts.map(x509.hostName))]),
      ],
    },
    (bytes) => sign('sha256', bytes, privateKey),
  );
  return {
    certificate: pem('CERTIFICATE', Buffer.from(der)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function pem(type: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
