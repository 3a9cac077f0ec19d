import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateClusterIP, allocateNodePort } from './service-ip.ts';

const cidr = '10.0.0.0/24';
const none = new Set<never>();

test('an address nobody asked for comes from the upper part of the network', () => {
  assert.deepEqual(allocateClusterIP({ cidr, taken: none }), { ok: true, value: '10.0.0.17' });
  const last = allocateClusterIP({ cidr, taken: none, random: () => 0.999 });
  assert.deepEqual(last, { ok: true, value: '10.0.0.254' });
});

test('the lower part is used once the upper one is full, and then the network is full', () => {
  const taken = new Set<string>();
  for (let host = 17; host <= 254; host++) taken.add(`10.0.0.${host}`);
  assert.deepEqual(allocateClusterIP({ cidr, taken }), { ok: true, value: '10.0.0.1' });
  for (let host = 1; host <= 16; host++) taken.add(`10.0.0.${host}`);
  assert.deepEqual(allocateClusterIP({ cidr, taken }), { ok: false, error: 'range is full' });
});

test('a wanted address must be free and inside the network', () => {
  const ask = (wanted: string) => allocateClusterIP({ cidr, taken: new Set(['10.0.0.9']), wanted });
  assert.deepEqual(ask('10.0.0.10'), { ok: true, value: '10.0.0.10' });
  assert.deepEqual(ask('010.0.0.10'), { ok: true, value: '10.0.0.10' });
  assert.deepEqual(ask('10.0.0.9'), { ok: false, error: 'provided IP is already allocated' });
  for (const wanted of ['10.0.1.1', '10.0.0.0', '10.0.0.255', '2001:db8::1']) {
    const error = 'the provided network does not match the current range';
    assert.deepEqual(ask(wanted), { ok: false, error }, wanted);
  }
});

test('small networks keep nothing back, and large ones at most 256 addresses', () => {
  const first = (network: string) => allocateClusterIP({ cidr: network, taken: none });
  assert.deepEqual(first('10.0.0.0/28'), { ok: true, value: '10.0.0.1' });
  assert.deepEqual(first('10.0.0.0/12'), { ok: true, value: '10.0.1.1' });
  assert.deepEqual(first('2001:db8::/112'), { ok: true, value: '2001:db8::101' });
});

test('node ports come from the upper part of the range first', () => {
  assert.deepEqual(allocateNodePort({ taken: none }), { ok: true, value: 30086 });
  const taken = new Set<number>();
  for (let port = 30086; port <= 32767; port++) taken.add(port);
  assert.deepEqual(allocateNodePort({ taken }), { ok: true, value: 30000 });
  const range = { first: 30000, last: 30001 };
  assert.deepEqual(allocateNodePort({ range, taken: new Set([30000, 30001]) }), {
    ok: false,
    error: 'range is full',
  });
});

test('a wanted node port must be free and inside the range', () => {
  const ask = (wanted: number) => allocateNodePort({ taken: new Set([30001]), wanted });
  assert.deepEqual(ask(30002), { ok: true, value: 30002 });
  assert.deepEqual(ask(30001), { ok: false, error: 'provided port is already allocated' });
  assert.deepEqual(ask(80), {
    ok: false,
    error: 'provided port is not in the valid range. The range of valid ports is 30000-32767',
  });
});
