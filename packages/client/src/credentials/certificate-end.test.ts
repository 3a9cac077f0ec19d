import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { certificateEnd } from './certificate-end.ts';

const [pem = '', other = ''] = rootCertificates;

describe('certificateEnd', () => {
  test('says the same at every look, of PEM and of DER', () => {
    const certificate = new X509Certificate(pem);
    const end = Date.parse(certificate.validTo);
    for (let look = 0; look < 2; look++) {
      assert.equal(certificateEnd(Buffer.from(pem)), end);
      assert.equal(certificateEnd(certificate.raw), end);
    }
    const second = Date.parse(new X509Certificate(other).validTo);
    assert.equal(certificateEnd(Buffer.from(other)), second);
  });

  test('knows what is no certificate, also when it is asked again', () => {
    const cut = new X509Certificate(pem).raw.subarray(0, 100);
    for (let look = 0; look < 2; look++) {
      assert.equal(certificateEnd(cut), undefined);
      assert.equal(certificateEnd(Buffer.alloc(0)), undefined);
    }
  });

  test('forgets the oldest, and reads them again', () => {
    for (let number = 0; number < 9000; number++) certificateEnd(Buffer.from(`no ${number}`));
    const end = Date.parse(new X509Certificate(pem).validTo);
    assert.equal(certificateEnd(Buffer.from(pem)), end);
    assert.equal(certificateEnd(Buffer.from('no 0')), undefined);
  });
});
