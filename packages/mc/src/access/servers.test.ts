import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalServer, isSameAuthority } from './servers.ts';

for (const [server, canonical] of [
  ['https://a.example', 'https://a.example'],
  ['https://a.example:6443', 'https://a.example:6443'],
  ['https://a.example:443', 'https://a.example'],
  ['https://a.example:4430', 'https://a.example:4430'],
  ['https://a.example:0443', 'https://a.example'],
  ['https://A.Example:6443/', 'https://a.example:6443'],
  ['HTTPS://a.example//', 'https://a.example'],
  ['https://a.example/k8s/clusters/c-1/', 'https://a.example/k8s/clusters/c-1'],
  ['https://127.0.0.1:6443', 'https://127.0.0.1:6443'],
  ['https://127.1:6443', 'https://127.0.0.1:6443'],
  ['https://0x7f.1', 'https://127.0.0.1'],
  ['https://[::1]:6443', 'https://[::1]:6443'],
  ['http://localhost:80', 'http://localhost'],
  ['localhost:8080', 'http://localhost:8080'],
  ['', ''],
] as const) {
  test(`the one form of ${JSON.stringify(server)}`, () => {
    assert.equal(canonicalServer(server), canonical);
  });
}

test('authorities are the same whatever their PEM is wrapped in', () => {
  const pem = (body: string) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`;
  assert.ok(isSameAuthority(pem('AAAA'), `# comment\n${pem('AA\r\nAA')}`));
  assert.ok(isSameAuthority(pem('AAAA') + pem('BBBB'), pem('BBBB') + pem('AAAA')));
  assert.ok(!isSameAuthority(pem('AAAA'), pem('BBBB')));
  assert.ok(!isSameAuthority(pem('AAAA'), pem('AAAA') + pem('BBBB')));
  assert.ok(!isSameAuthority('nonsense', 'other nonsense'));
});
