import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIP, parseIP } from './ip.ts';
import * as rules from './ip-rules.ts';

test('addresses of new fields must be canonical', () => {
  for (const good of ['10.0.0.1', '::', '::1', '2001:db8::ffff', 'fe80::1:0:0:1']) {
    assert.deepEqual(rules.isValidIP(good), [], good);
  }
  const cases: [string, string][] = [
    ['10.0.0', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ['::1::', 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    ['010.0.0.1', 'must not have leading 0s'],
    ['::ffff:1.2.3.4', 'must not be an IPv4-mapped IPv6 address'],
    ['FE80::0abc', 'must be in canonical form ("fe80::abc")'],
    ['1:0:0:2:0:0:0:3', 'must be in canonical form ("1:0:0:2::3")'],
  ];
  for (const [text, message] of cases) assert.deepEqual(rules.isValidIP(text), [message]);
});

test('addresses of old fields may have any form, with a warning', () => {
  assert.deepEqual(rules.isValidIPForLegacyField('010.0.0.1'), []);
  assert.deepEqual(rules.isValidIPForLegacyField('x').length, 1);
  assert.deepEqual(rules.warningsForIP('spec.ip', '010.0.0.1'), [
    'spec.ip: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
  ]);
  assert.deepEqual(rules.warningsForIP('spec.ip', '1::0'), [
    'spec.ip: IPv6 address "1::0" should be in RFC 5952 canonical format ("1::")',
  ]);
});

test('ranges must begin at their first address', () => {
  assert.deepEqual(rules.isValidCIDR('10.0.0.0/8'), []);
  assert.deepEqual(rules.isValidCIDR('10.1.0.0/8'), [
    'must not have bits set beyond the prefix length',
  ]);
  assert.deepEqual(rules.isValidCIDR('10.0.0.0/08'), [
    'must not have leading 0s in IP or prefix length',
  ]);
  assert.deepEqual(rules.isValidCIDR('10.0.0.0/33'), [
    'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
  assert.deepEqual(rules.isValidCIDRForLegacyField('10.1.0.0/8'), []);
  assert.deepEqual(rules.isValidInterfaceAddress('10.1.0.5/8'), []);
  assert.deepEqual(rules.warningsForCIDR('f', '10.1.2.3/8'), [
    'f: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
  ]);
});

test('an IPv4 address inside an IPv6 address is printed as IPv4', () => {
  const address = parseIP('::ffff:1.2.3.4');
  assert.ok(address !== undefined);
  assert.equal(formatIP(address), '1.2.3.4');
});
