import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { redact, SecretValue } from './redact.ts';

const JWT = `${Buffer.from('{"alg":"RS256"}').toString('base64url')}.${'x'.repeat(20)}.${'y'.repeat(20)}`;

describe('redact', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['Authorization: Bearer abc.def-123', 'Authorization: Bearer [redacted]'],
    [`token ${JWT} refused`, 'token [redacted] refused'],
    ['GET https://u:pw@host/x failed', 'GET https://[redacted]@host/x failed'],
    ['GET https://host/x?token=abc#f failed', 'GET https://host/x?[redacted]#f failed'],
    ['"password": "hunter22"', '"password": "[redacted]"'],
    ['client-key-data: LS0tLS1CRUdJTg==', 'client-key-data: [redacted]'],
    [
      'key -----BEGIN EC PRIVATE KEY-----\nMHcCAQ\n-----END EC PRIVATE KEY----- end',
      'key -----BEGIN EC PRIVATE KEY----- [redacted] end',
    ],
  ];
  for (const [from, to] of cases) {
    test(`takes the credential out of "${from.slice(0, 24)}…"`, () => {
      assert.equal(redact(from), to);
      assert.equal(redact(to), to);
    });
  }

  test('leaves ordinary messages alone', () => {
    for (const message of [
      'Cannot reach "https://10.0.0.1:6443": connect ECONNREFUSED',
      'secrets "west" is forbidden: User "x" cannot get resource "secrets" in API group ""',
      'Secret default/token not found; the token is missing',
    ]) {
      assert.equal(redact(message), message);
    }
  });

  test('takes out what it is told to conceal, wherever it stands', () => {
    const secret = new SecretValue('opensesame');
    assert.equal(
      redact('said opensesame twice: opensesame', [secret]),
      'said [redacted] twice: [redacted]',
    );
  });

  test('is quick with long and hostile texts', () => {
    const began = process.cpuUsage().user;
    for (const piece of ['a://', 'token:', '-----BEGIN ', 'Bearer ', 'eyJ', '?', 'x@']) {
      redact(piece.repeat(100_000));
    }
    assert.ok(process.cpuUsage().user - began < 2_000_000);
  });

  test('never shows a secret value, however it is printed', () => {
    const secret = new SecretValue('opensesame');
    const shown = [`${secret}`, JSON.stringify({ secret }), inspect({ secret }), String(secret)];
    assert.ok(shown.every((text) => !text.includes('opensesame')));
    assert.equal(secret.reveal(), 'opensesame');
  });
});
