import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SecretValue } from '@flotilla/runtime';
import type { MemberCredential } from '../../cluster-secret/member-access.ts';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import { expiryState, lifetimeOf, refreshTime } from './expiry.ts';
import { jwt } from './testing/source-hub.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const seconds = (date: Date) => date.getTime() / 1000;
const token = (text: string): MemberCredential => ({
  type: 'ServiceAccountToken',
  token: new SecretValue(text),
});
const none = { issuedAt: undefined, expiresAt: undefined };

describe('the lifetime of a credential', () => {
  test('is what a JWT claims', () => {
    const claims = { iat: seconds(NOW), exp: seconds(after(MINUTE)) };
    assert.deepEqual(lifetimeOf(token(jwt(claims))), { issuedAt: NOW, expiresAt: after(MINUTE) });
    assert.deepEqual(lifetimeOf(token(jwt({ nbf: seconds(NOW) }))), {
      issuedAt: NOW,
      expiresAt: undefined,
    });
  });

  test('is unknown for opaque tokens and for those that only look like a JWT', () => {
    for (const text of [
      'opaque',
      'a.b.c',
      `${jwt({ exp: 1 })}.more`,
      jwt({ exp: 'soon' }),
      jwt({ exp: Number.NaN }),
      jwt({ exp: -5 }),
      jwt([]),
      `eyJ.${'A'.repeat(70_000)}.x`,
    ]) {
      assert.deepEqual(lifetimeOf(token(text)), none, text.slice(0, 40));
    }
  });

  test('holds no date that is none', () => {
    const { expiresAt } = lifetimeOf(token(jwt({ exp: 1e300 })));
    assert.ok(expiresAt !== undefined && !Number.isNaN(expiresAt.getTime()));
  });

  test('is that of a certificate', () => {
    const { certificate, key } = testPair('a', { notBefore: NOW, notAfter: after(DAY) });
    const credential = { type: 'X509Certificate', certificate, key: new SecretValue(key) } as const;
    assert.deepEqual(lifetimeOf(credential), { issuedAt: NOW, expiresAt: after(DAY) });
    assert.deepEqual(lifetimeOf({ ...credential, certificate: 'nonsense' }), none);
  });
});

describe('a credential', () => {
  const state = (life: number, left: number) =>
    expiryState({ issuedAt: after(left - life), expiresAt: after(left) }, NOW);

  test('REG-51 that ends in ten minutes of its hour ends soon, and is read again before', () => {
    const lifetime = { issuedAt: after(-50 * MINUTE), expiresAt: after(10 * MINUTE) };
    assert.equal(expiryState(lifetime, NOW), 'ExpiresSoon');
    assert.deepEqual(refreshTime(lifetime, NOW), after(8 * MINUTE));
  });

  test('ends soon in its last fifth, and in its last day where it lives long', () => {
    assert.equal(state(60 * MINUTE, 12 * MINUTE), 'Fresh');
    assert.equal(state(60 * MINUTE, 12 * MINUTE - 1), 'ExpiresSoon');
    assert.equal(state(5 * DAY, DAY), 'Fresh');
    assert.equal(state(5 * DAY, DAY - 1), 'ExpiresSoon');
    assert.equal(state(6 * DAY, 1.2 * DAY - 1), 'ExpiresSoon');
    assert.equal(state(6 * DAY, 1.2 * DAY), 'Fresh');
    assert.equal(state(365 * DAY, 73 * DAY - 1), 'ExpiresSoon');
    assert.equal(state(60 * MINUTE, 0), 'Expired');
    assert.equal(expiryState(none, NOW), 'NoExpiry');
    assert.equal(expiryState({ ...none, expiresAt: after(10 * MINUTE) }, NOW), 'ExpiresSoon');
    assert.equal(expiryState({ ...none, expiresAt: after(2 * DAY) }, NOW), 'Fresh');
  });

  test('is read again at four fifths of its life, two minutes before its end, at its end, and then no more', () => {
    const lifetime = { issuedAt: NOW, expiresAt: after(60 * MINUTE) };
    const at = (ms: number) => refreshTime(lifetime, after(ms));

    assert.deepEqual(at(0), after(48 * MINUTE));
    assert.deepEqual(at(48 * MINUTE), after(58 * MINUTE));
    assert.deepEqual(at(58 * MINUTE), after(60 * MINUTE));
    assert.equal(at(60 * MINUTE), undefined);
    assert.equal(refreshTime(none, NOW), undefined);
    assert.deepEqual(refreshTime({ ...none, expiresAt: after(MINUTE) }, NOW), after(MINUTE));
    assert.deepEqual(refreshTime({ issuedAt: NOW, expiresAt: after(MINUTE) }, NOW), after(48_000));
  });
});
