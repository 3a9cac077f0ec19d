import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import { x509 } from '@flotilla/machinery';

const YEAR_MS = 365 * 24 * 3_600_000;

/**
 * A certificate that signs itself, made at each start, as kubelets do that nobody gives one. API servers do not verify
 * kubelets unless they are told whom to believe.
 */
export function servingCertificate(host: string, nowMs: number): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = x509.nameOf([{ oid: x509.OID.commonName, text: 'flotilla-simulator' }]);
  const serialNumber = randomBytes(16);
  // Positive, and of the same length always.
  serialNumber[0] = ((serialNumber[0] ?? 0) & 0x7f) | 0x40;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const der = x509.encodeCertificate(
    {
      serialNumber,
      issuer: name,
      subject: name,
      notBefore: new Date(nowMs - 60_000),
      notAfter: new Date(nowMs + YEAR_MS),
      publicKey: spki,
      extensions: [
        x509.keyUsage(['digitalSignature']),
        x509.extendedKeyUsage([x509.OID.serverAuth]),
        x509.basicConstraints(false),
        x509.subjectKeyId(createHash('sha256').update(spki).digest().subarray(0, 20)),
        x509.subjectAltName([x509.hostName(host)]),
      ],
    },
    (body) => sign('sha256', body, privateKey),
  );
  return {
    cert: new X509Certificate(der).toString(),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
