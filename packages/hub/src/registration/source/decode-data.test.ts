import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { authorityOf, checkHandshakeCost, decodeBase64Field } from './decode-data.ts';

/** A certificate of a key that nobody has, as long as wanted. */
function rsaCertificate(bytes: number): string {
  const modulus = randomBytes(bytes);
  modulus[0] = 0xff;
  const n = modulus.toString('base64url');
  const publicKey = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return testPair('rsa', { keys: { publicKey, privateKey } }).certificate;
}

test('a client certificate that makes every handshake slow is refused', () => {
  const { certificate } = testPair();
  const cost = (text: string) => () => checkHandshakeCost(text, 'tls.crt');

  assert.doesNotThrow(cost(certificate));
  assert.doesNotThrow(cost(rsaCertificate(1024)));
  assert.throws(cost(rsaCertificate(1025)), {
    message: /^Cannot use tls.crt: its key has more than 8192 bits/,
  });
  assert.throws(cost(certificate.repeat(200)), { message: /longer than 65536 characters/ });
});

test('base64 may have white space and no padding, and nothing else', () => {
  assert.equal(decodeBase64Field(' YW\nJj\t', 'f'), 'abc');
  assert.equal(decodeBase64Field('YWI', 'f'), 'ab');
  assert.equal(decodeBase64Field('YWI=', 'f'), 'ab');
  for (const text of ['YWJjZ', 'YW-j', 'YW_j', 'Y=WJ', 'YWI===', 'é']) {
    assert.throws(() => decodeBase64Field(text, 'f'), {
      message: 'Cannot use f: it must be base64-encoded',
    });
  }
});

test('an authority is its certificates, or nothing for the public ones', () => {
  const { certificate } = testPair();

  assert.equal(authorityOf(' \n', 'ca'), '');
  assert.equal(
    authorityOf(`# a note\n${certificate}\n\n${certificate}`, 'ca'),
    certificate + certificate,
  );
  assert.throws(() => authorityOf('s3cret', 'ca'), {
    message: 'Cannot use ca: it is not a PEM text with at least one certificate',
  });
  assert.throws(() => authorityOf('-----BEGIN '.repeat(1001), 'ca'), {
    message: /more than 1000 certificates/,
  });
});
