import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import { type CertificateSet, planCertificates, readSet, validityOf } from './certificate-plan.ts';
import { isFor, isIssuedBy } from './certificates.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.parse('2026-01-01T00:00:00Z');
const POLICY = {
  hosts: ['hook.flotilla.svc', '127.0.0.1', '::1'],
  authorityLifeMs: 360 * DAY,
  servingLifeMs: 90 * DAY,
};

describe('certificates of a webhook', () => {
  test('begin with an authority and a certificate that it signed for every host', () => {
    const set = at(undefined, 0);
    const { authority, serving } = read(set);

    assert.equal(set.authorities.length, 1);
    assert.ok(authority.ca);
    assert.ok(!serving.ca);
    assert.ok(isIssuedBy(serving, authority));
    assert.ok(POLICY.hosts.every((host) => isFor(serving, host)));
    assert.ok(!isFor(serving, 'other.flotilla.svc'));
    assert.equal(validityOf(serving).notAfter.getTime(), NOW + 90 * DAY);
    assert.equal(authority.subject, `CN=flotilla-webhook-ca@${NOW / 1000}`);
  });

  test('stay the same until two thirds of their life', () => {
    const set = at(undefined, 0);

    assert.equal(at(set, 59), set);
  });

  test('serve with a new one after two thirds, by the same authority', () => {
    const set = at(undefined, 0);

    const renewed = at(set, 60);

    assert.notEqual(renewed.serving.certificate, set.serving.certificate);
    assert.deepEqual(renewed.authorities, set.authorities);
    assert.ok(isIssuedBy(read(renewed).serving, read(set).authority));
  });

  test('follow a change of hosts at once', () => {
    const set = at(undefined, 0);
    const hosts = ['other.flotilla.svc'];

    const changed = planCertificates(set, { ...POLICY, hosts }, { now: NOW, isTrusted: false });

    assert.ok(isFor(read(changed).serving, 'other.flotilla.svc'));
  });

  test('use a new authority only after everyone trusts it, and keep the old one meanwhile', () => {
    const before = at(at(undefined, 0), 239);

    const announced = at(before, 240, false);
    const waiting = at(announced, 241, false);
    const used = at(waiting, 242, true);

    assert.equal(announced.authorities.length, 2);
    assert.equal(announced.authorities[1], before.authorities[0]);
    assert.equal(announced.serving, before.serving);
    assert.equal(waiting.serving.certificate, before.serving.certificate);
    assert.ok(isIssuedBy(read(used).serving, read(used).authority));
    assert.deepEqual(used.authorities, announced.authorities);
    assert.equal(at(used, 243, true), used);
  });

  test('forget an authority when it has ended', () => {
    const used = at(at(at(undefined, 0), 240), 241, true);

    const later = at(used, 361, true);

    assert.deepEqual(later.authorities, used.authorities.slice(0, 1));
  });

  test('never outlive their authority', () => {
    const short = { ...POLICY, servingLifeMs: 300 * DAY };
    const set = planCertificates(undefined, short, { now: NOW, isTrusted: true });

    const renewed = planCertificates(set, short, { now: NOW + 201 * DAY, isTrusted: true });

    const { authority, serving } = read(renewed);
    assert.deepEqual(validityOf(serving).notAfter, validityOf(authority).notAfter);
  });

  test('do not wait for trust when what is served has ended', () => {
    const announced = at(at(undefined, 0), 240, false);

    const late = at(announced, 331, false);

    assert.ok(isIssuedBy(read(late).serving, read(late).authority));
  });

  test('begin anew when the authority has ended, or is not whole', () => {
    const set = at(undefined, 0);
    const { certificate, key } = set.serving;
    const parts = { bundle: set.authorities.join(''), certificate, key };

    assert.notDeepEqual(at(set, 361).authorities, set.authorities);
    assert.equal(readSet({ ...parts, authorityKey: key }), undefined);
    assert.equal(readSet({ ...parts, authorityKey: set.authorityKey, bundle: '' }), undefined);
    assert.equal(readSet({ ...parts, authorityKey: set.authorityKey, key: 'x' }), undefined);
    assert.deepEqual(readSet({ ...parts, authorityKey: set.authorityKey }), set);
  });
});

/** The plan so many days after the beginning. */
function at(set: CertificateSet | undefined, days: number, isTrusted = true): CertificateSet {
  return planCertificates(set, POLICY, { now: NOW + days * DAY, isTrusted });
}

function read({ authorities: [newest = ''], serving }: CertificateSet) {
  return {
    authority: new X509Certificate(newest),
    serving: new X509Certificate(serving.certificate),
  };
}
