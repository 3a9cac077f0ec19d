import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SecretValue } from '@flotilla/runtime';
import { concealing } from './conceal.ts';

const member = (token: string) => ({
  endpoint: 'https://10.0.0.1:6443',
  ca: '',
  credential: { type: 'ServiceAccountToken' as const, token: new SecretValue(token) },
});

test('a token is taken out of what a member says, wherever it stands', () => {
  const conceal = concealing(member('a-token-of-some-length'));
  assert.equal(
    conceal('x a-token-of-some-length, a-token-of-some-length'),
    'x [redacted], [redacted]',
  );
  assert.equal(conceal('v1.34.4'), 'v1.34.4');
  assert.equal(conceal(undefined), undefined);
});

test('a token as short as a word leaves the words alone', () => {
  assert.equal(concealing(member('admin'))('system:admin'), 'system:admin');
});

test('a private key is never shown to a member, and nothing is looked for', () => {
  const credential = {
    type: 'X509Certificate' as const,
    certificate: 'certificate of some length',
    key: new SecretValue('key of some length'),
  };
  const conceal = concealing({ ...member(''), credential });
  assert.equal(conceal('certificate of some length'), 'certificate of some length');
});
