import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  cidrWarnings,
  ipWarnings,
  strictIpMessages,
  validateEndpointIp,
  validateLegacyCidr,
  validateLegacyIp,
  validateStrictCidr,
} from './ip-fields.ts';

const messages = (errors: readonly { message: string }[]) => errors.map(({ message }) => message);

test('older fields take any spelling, and whatever was stored before', () => {
  assert.deepEqual(validateLegacyIp('010.1.1.1', 'p'), []);
  assert.deepEqual(validateLegacyIp('foo', 'p', ['foo']), []);
  assert.deepEqual(messages(validateLegacyIp('foo', 'p')), [
    'Invalid value: "foo": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ]);
  assert.deepEqual(validateLegacyCidr('10.0.0.1/8', 'p'), []);
  assert.deepEqual(messages(validateLegacyCidr('10.0.0.1', 'p')), [
    'Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ]);
});

test('newer fields take the canonical spelling only', () => {
  assert.deepEqual(strictIpMessages('10.0.0.1'), []);
  assert.deepEqual(strictIpMessages('010.0.0.1'), ['must not have leading 0s']);
  assert.deepEqual(strictIpMessages('::ffff:1.2.3.4'), ['must not be an IPv4-mapped IPv6 address']);
  assert.deepEqual(strictIpMessages('2001:DB8::1'), ['must be in canonical form ("2001:db8::1")']);
  assert.deepEqual(validateStrictCidr('10.0.0.0/8', 'p'), []);
  assert.deepEqual(messages(validateStrictCidr('10.0.0.1/8', 'p')), [
    'Invalid value: "10.0.0.1/8": must not have bits set beyond the prefix length',
  ]);
  assert.deepEqual(messages(validateStrictCidr('10.0.0.0/08', 'p')), [
    'Invalid value: "10.0.0.0/08": must not have leading 0s in IP or prefix length',
  ]);
  assert.deepEqual(messages(validateStrictCidr('2001:DB8::/32', 'p')), [
    'Invalid value: "2001:DB8::/32": must be in canonical form ("2001:db8::/32")',
  ]);
});

test('endpoints are neither unspecified nor local', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
    ['::', 'may not be unspecified (::)'],
    ['127.1.2.3', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['::1', 'may not be in the loopback range (127.0.0.0/8, ::1/128)'],
    ['169.254.1.1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['febf::1', 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'],
    ['224.0.0.9', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ['ff12::1', 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'],
    ['x', 'must be a valid IP address'],
  ];
  for (const [ip, detail] of refused) {
    assert.deepEqual(messages(validateEndpointIp(ip, 'p')), [`Invalid value: "${ip}": ${detail}`]);
  }
  for (const ip of ['10.0.0.1', '224.0.1.1', '2001:db8::1', 'ff0e::1']) {
    assert.deepEqual(validateEndpointIp(ip, 'p'), [], ip);
  }
});

test('spellings on their way out are warned about', () => {
  assert.deepEqual(ipWarnings('10.0.0.1', 'p'), []);
  assert.deepEqual(ipWarnings('01.2.3.4', 'p'), [
    'p: non-standard IP address "01.2.3.4" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
  ]);
  assert.deepEqual(ipWarnings('2001:DB8::1', 'p'), [
    'p: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
  assert.deepEqual(cidrWarnings('10.0.0.0/8', 'p'), []);
  assert.deepEqual(cidrWarnings('10.0.0.1/8', 'p'), [
    'p: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
  ]);
  assert.deepEqual(cidrWarnings('010.0.0.0/8', 'p'), [
    'p: non-standard CIDR value "010.0.0.0/8" will be considered invalid in a future Kubernetes release: use "10.0.0.0/8"',
  ]);
  assert.deepEqual(cidrWarnings('2001:DB8::/32', 'p'), [
    'p: IPv6 CIDR value "2001:DB8::/32" should be in RFC 5952 canonical format ("2001:db8::/32")',
  ]);
});
