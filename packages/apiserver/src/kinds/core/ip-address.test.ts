import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCidr, formatIp, isIpv6, networkContains, parseCidr, parseIp } from './ip-address.ts';

const canonical = (text: string) => {
  const address = parseIp(text);
  return address === undefined ? undefined : formatIp(address);
};

test('addresses are read in any spelling and written in one', () => {
  const spellings: readonly (readonly [string, string])[] = [
    ['10.9.8.7', '10.9.8.7'],
    ['010.009.008.007', '10.9.8.7'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
  ];
  for (const [text, expected] of spellings) assert.equal(canonical(text), expected, text);
});

test('what is no address is none', () => {
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1.2.3.x',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::1.2.3',
    '1.2.3.4::',
  ]) {
    assert.equal(parseIp(text), undefined, text);
  }
});

test('spellings newer fields refuse are told apart', () => {
  assert.equal(parseIp('1.2.3.4')?.sloppy, false);
  assert.equal(parseIp('01.2.3.4')?.sloppy, true);
  assert.equal(parseIp('::ffff:1.2.3.4')?.sloppy, true);
  assert.equal(parseIp('2001:DB8::')?.sloppy, false);
});

test('networks lose their host bits and know their members', () => {
  const network = parseCidr('10.1.2.3/16');
  assert.ok(network);
  assert.equal(formatCidr(network), '10.1.0.0/16');
  assert.equal(networkContains(network, parseIp('10.1.255.1')!), true);
  assert.equal(networkContains(network, parseIp('10.2.0.0')!), false);
  assert.equal(networkContains(network, parseIp('::a01:1')!), false);
  assert.equal(formatCidr(parseCidr('2001:db8::1/64')!), '2001:db8::/64');
  assert.equal(formatCidr(parseCidr('0.0.0.0/0')!), '0.0.0.0/0');
  for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/', 'x/8', '::/129']) {
    assert.equal(parseCidr(text), undefined, text);
  }
});

test('only IPv6 addresses are IPv6', () => {
  assert.deepEqual(['::1', '1.2.3.4', '::ffff:1.2.3.4', 'x'].map(isIpv6), [
    true,
    false,
    false,
    false,
  ]);
});
