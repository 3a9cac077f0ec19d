import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CertificateRefused, isTlsFault, tlsFault } from './tls-fault.ts';

const ABOUT = { url: 'https://a', name: 'a', hasClientCertificate: true, now: 0 };

describe('an alert of the server', () => {
  // The codes that Node gives to what Go's servers send.
  for (const [code, text] of [
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /asks for a client certificate/],
    ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', /refused our client certificate \(bad certificate\)/],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', /our client certificate has expired/],
    ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED', /our client certificate was revoked/],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', /authority of our client certificate/],
    ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', /refused our client certificate \(access denied\)/],
  ] as const) {
    test(`${code} asks for another client certificate`, () => {
      const error = Object.assign(new Error('openssl'), { code });

      assert.ok(isTlsFault(error));
      const fault = tlsFault(error, ABOUT);
      assert.ok(fault instanceof CertificateRefused);
      assert.deepEqual(
        [fault.name, fault.fault, fault.wasNotSent],
        ['TransportError', 'tls', true],
      );
      assert.match(fault.message, text);
    });
  }

  for (const [code, text] of [
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', /no TLS version that is still safe/],
    ['ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL', /neither HTTP\/1.1 nor HTTP\/2/],
    ['ERR_SSL_TLSV1_UNRECOGNIZED_NAME', /does not know the name/],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', /the handshake failed \(why\)/],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', /the handshake failed \(why\)/],
  ] as const) {
    test(`${code} does not`, () => {
      const fault = tlsFault(Object.assign(new Error(), { code, reason: 'why' }), ABOUT);

      assert.ok(!(fault instanceof CertificateRefused));
      assert.match(fault.message, text);
    });
  }

  test('is no fault of TLS when the connection broke below it', () => {
    assert.ok(!isTlsFault(Object.assign(new Error(), { code: 'ECONNRESET' })));
    assert.ok(!isTlsFault(undefined));
  });
});
