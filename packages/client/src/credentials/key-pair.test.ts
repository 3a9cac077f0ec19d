import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkKeyPair } from './key-pair.ts';
import { authoritiesOf, pemBlocks } from './pem.ts';
import {
  CERT,
  ENCRYPTED_KEY,
  KEY,
  OLD_ENCRYPTED_KEY,
  RENEWED_KEY,
} from './testing/certificates.ts';

const check = (cert: string, key: string) => () => checkKeyPair({ cert, key, keyName: 'the-key' });
const block = (type: string, text: string) =>
  `-----BEGIN ${type}-----\n${Buffer.from(text).toString('base64')}\n-----END ${type}-----\n`;

test('a certificate and its key pass, whatever stands around them', () => {
  checkKeyPair({ cert: `Bag Attributes\n${CERT}${CERT}`, key: `# key\n${KEY}`, keyName: 'k' });
});

test('what is wrong with a pair is said in Go’s words', () => {
  for (const [run, message] of [
    [check('abc', KEY), 'tls: failed to find any PEM data in certificate input'],
    [check(CERT, 'abc'), 'tls: failed to find any PEM data in key input'],
    [check(CERT, RENEWED_KEY), 'tls: private key does not match public key'],
    [check(CERT, block('PRIVATE KEY', 's3cret')), 'tls: failed to parse private key'],
    [check(block('CERTIFICATE', 'x'), KEY), 'x509: malformed certificate'],
    [
      check(KEY, CERT),
      'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
    ],
    [
      check(CERT, CERT),
      'tls: found a certificate rather than a key in the PEM for the private key',
    ],
  ] as const) {
    assert.throws(run, { name: 'CredentialError', message });
  }
});

test('an encrypted key is refused with what to do, in either form', () => {
  for (const key of [ENCRYPTED_KEY, OLD_ENCRYPTED_KEY]) {
    assert.throws(check(CERT, key), {
      message:
        'Cannot use the private key of the-key: it is encrypted, and kubeconfigs have no place for its passphrase; decrypt it (openssl pkey -in KEY -out DECRYPTED-KEY) or use a credential plugin',
    });
  }
});

test('of a bundle the certificates that can be read are taken, and one must be', () => {
  assert.equal(authoritiesOf(`${block('CERTIFICATE', 'x')}${KEY}text\n${CERT}`), CERT);
  const prefix = 'unable to load root certificates: ';
  for (const [bundle, message] of [
    ['abc', `${prefix}unable to parse bytes as PEM block`],
    [KEY, `${prefix}no valid certificate authority data seen`],
    [
      block('CERTIFICATE', 'x'),
      `${prefix}failed to parse certificate: x509: malformed certificate`,
    ],
  ] as const) {
    assert.throws(() => authoritiesOf(bundle), { message });
  }
});

test('PEM is found between other text, and a text of beginnings alone is read in no time', () => {
  const found = pemBlocks(
    `x\n-----BEGIN LOST-----\nQUJD\n${block('A', 'one')}-----BEGIN B-----\n%\n-----END B-----\n${block('A', 'two')}`,
  );
  assert.deepEqual(
    found.map(({ type, bytes }) => [type, bytes.toString()]),
    [
      ['A', 'one'],
      ['A', 'two'],
    ],
  );

  const before = process.cpuUsage();
  const same = '-----BEGIN CERTIFICATE-----\n'.repeat(40_000);
  const different = Array.from({ length: 40_000 }, (_, i) => `-----BEGIN A${i}-----\n`).join('');
  for (const text of [same, different]) assert.deepEqual(pemBlocks(text), []);
  const { user, system } = process.cpuUsage(before);
  // What looked for each end anew took minutes.
  assert.ok(user + system < 10_000_000, `${(user + system) / 1e6} s`);
});
