import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactSecrets, secretValues } from './redact.ts';

const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtZSJ9.c2lnbmF0dXJl';

for (const [text, expected] of [
  [`token ${JWT} expired`, 'token <redacted> expired'],
  ['got k8s-aws-v1.aHR0cHM6Ly9zdHM', 'got <redacted>'],
  ['Authorization: Bearer abcdef123456', 'Authorization: <redacted> <redacted>'],
  ['{"access_token": "abc def", "x": 1}', '{"access_token": <redacted>, "x": 1}'],
  ['aws_secret_access_key=wJalrXUtnFEMI/K7MDENG', 'aws_secret_access_key=<redacted>'],
  ['key AKIAIOSFODNN7EXAMPLE denied', 'key <redacted> denied'],
  ['--client-secret hunter2 failed', '--client-secret <redacted> failed'],
  ['GET https://me:pw@host/x', 'GET https://<redacted>@host/x'],
  ['https://sts/?X-Amz-Signature=abc&b=1', 'https://sts/?X-Amz-Signature=<redacted>&b=1'],
  ['-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----', '<redacted>'],
  ['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY12', '<redacted>'],
] as const) {
  test(`taken out: ${text.split('\n')[0]}`, () => {
    const redacted = redactSecrets(text);
    assert.equal(redacted, expected);
  });
}

test('ordinary words stay', () => {
  for (const text of [
    'Error loading SSO Token: Token for dev does not exist',
    'An error occurred (ResourceNotFoundException): No cluster found for name: prod.',
    'To sign in, open https://microsoft.com/devicelogin and enter the code ABCD-EFGH',
    'aws: error: argument operation: Invalid choice',
  ]) {
    assert.equal(redactSecrets(text), text);
  }
});

test('values that the environment calls secret are taken out wherever they stand', () => {
  const known = secretValues({ CLIENT_SECRET: 'correct horse', PATH: '/usr/bin', SHORT_KEY: 'a' });
  assert.deepEqual(known, ['correct horse', 'a']);
  assert.equal(
    redactSecrets('no: correct horse is a bad one', known),
    'no: <redacted> is a bad one',
  );
});

test('a long text of beginnings takes no time', () => {
  const text = '-----BEGIN A-----'.repeat(4000) + 'aA1'.repeat(20_000) + '?sig='.repeat(4000);
  assert.ok(redactSecrets(text).length < text.length);
});
