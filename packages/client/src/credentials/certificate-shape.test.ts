import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { seeded } from '@flotilla/machinery/testing';
import { canVouch, hasCertificateShape } from './certificate-shape.ts';
import { KINDS_OF_CERTIFICATE } from './testing/certificates.ts';

const ders = rootCertificates.map((pem) => new X509Certificate(pem).raw);

describe('hasCertificateShape', () => {
  test('holds of every public authority', () => {
    assert.ok(ders.length > 100);
    for (const der of ders) assert.ok(hasCertificateShape(der));
  });

  test('holds of nothing that is cut, longer, empty or something else', () => {
    const [der = Buffer.alloc(0)] = ders;
    for (let length = 0; length < der.length; length += 1) {
      assert.ok(!hasCertificateShape(der.subarray(0, length)), `cut at ${length}`);
    }
    assert.ok(!hasCertificateShape(Buffer.concat([der, Buffer.alloc(1)])));
    for (const text of ['', 'x', '0', '\x30\x00', '\x30\x80\x00\x00', '\x30\x84\xff\xff\xff\xff']) {
      assert.ok(!hasCertificateShape(Buffer.from(text, 'latin1')), JSON.stringify(text));
    }
    const key = new X509Certificate(der).publicKey.export({ type: 'spki', format: 'der' });
    assert.ok(!hasCertificateShape(key));
  });

  test('holds of all that OpenSSL reads of certificates with a byte changed', () => {
    const random = seeded(1);
    for (let round = 0; round < 3000; round += 1) {
      const der = Buffer.from(random.pick(ders));
      der[random.below(der.length)] = random.below(256);
      if (isRead(der)) assert.ok(hasCertificateShape(der), der.toString('base64'));
    }
  });
});

describe('canVouch', () => {
  test('holds of authorities, of what may be one, and of servers that vouch for themselves', () => {
    for (const der of ders) assert.ok(canVouch(der));
    const fit = Object.entries(KINDS_OF_CERTIFICATE).filter(([, pem]) =>
      canVouch(new X509Certificate(pem).raw),
    );
    assert.deepEqual(
      fit.map(([kind]) => kind),
      ['authority', 'between', 'withoutConstraints', 'selfSignedServer'],
    );
  });

  test("is nobody's to deny to what is no certificate", () => {
    assert.ok(canVouch(Buffer.from('no certificate')));
  });
});

function isRead(der: Buffer): boolean {
  try {
    return new X509Certificate(der).raw.equals(der);
  } catch {
    return false;
  }
}
