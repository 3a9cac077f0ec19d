import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import * as x509 from './index.ts';

describe('encodeCertificate', () => {
  test('writes what OpenSSL reads and verifies', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const name = x509.nameOf([
      { oid: x509.OID.organization, text: 'Größe' },
      { oid: x509.OID.commonName, text: 'ca' },
    ]);
    const der = x509.encodeCertificate(
      {
        serialNumber: Uint8Array.of(0, 0x80, 1),
        issuer: name,
        subject: name,
        notBefore: new Date('2026-01-01T00:00:00Z'),
        notAfter: new Date('2051-01-01T00:00:00Z'),
        publicKey: publicKey.export({ type: 'spki', format: 'der' }),
        extensions: [
          x509.keyUsage(['digitalSignature', 'keyCertSign']),
          x509.extendedKeyUsage([x509.OID.serverAuth]),
          x509.basicConstraints(true),
          x509.subjectKeyId(Uint8Array.of(1, 2, 3)),
          x509.subjectAltName(['a.example.com', '127.0.0.1', '2001:db8::1'].map(x509.hostName)),
        ],
      },
      (body) => sign('sha256', body, privateKey),
    );

    const certificate = new X509Certificate(der);

    assert.ok(certificate.verify(publicKey));
    assert.ok(certificate.checkIssued(certificate));
    assert.ok(certificate.ca);
    assert.equal(certificate.serialNumber, '8001');
    assert.equal(certificate.subject, 'O=Größe\nCN=ca');
    assert.equal(
      certificate.subjectAltName,
      'DNS:a.example.com, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:1',
    );
    assert.equal(certificate.validFrom, 'Jan  1 00:00:00 2026 GMT');
    assert.equal(certificate.validTo, 'Jan  1 00:00:00 2051 GMT');
    assert.deepEqual(certificate.keyUsage, [x509.OID.serverAuth]);
  });
});
