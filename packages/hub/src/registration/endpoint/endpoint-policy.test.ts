import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addressCheck,
  checkEndpoint,
  type EndpointPolicy,
  endpointPolicyProblems,
} from './endpoint-policy.ts';

const DEFAULT: EndpointPolicy = { allow: [], deny: [], allowsLoopback: false };

const names: Readonly<Record<string, readonly string[]>> = {
  'api.example.com': ['93.184.216.34'],
  'rebound.example.com': ['93.184.216.34', '169.254.169.254'],
  'six.example.com': ['2001:db8::1', 'fe80::1'],
  'x.ns.svc': ['10.96.0.7'],
};

const refusal = (url: string, policy: Partial<EndpointPolicy> = {}) =>
  checkEndpoint(url, { ...DEFAULT, ...policy }, (host) => Promise.resolve(names[host] ?? []));

describe('endpoints that a hub may be made to dial', () => {
  for (const url of [
    'https://api.example.com:6443',
    'https://x.ns.svc:443',
    'https://10.0.0.1:6443',
    'https://192.168.1.1:6443',
    'https://[2001:db8::1]:6443',
    'https://[fd00::1]:6443',
    'https://unknown.example.com:6443',
    'https://kubernetes.other.svc:443',
  ]) {
    test(`${url} is one`, async () => assert.equal(await refusal(url), undefined));
  }

  for (const url of [
    'https://169.254.169.254:443',
    'https://127.0.0.1:6443',
    'https://127.9.9.9:6443',
    'https://localhost:6443',
    'https://LOCALHOST.:6443',
    'https://x.localhost:6443',
    'https://[::1]:6443',
    'https://0.0.0.0:6443',
    'https://[::]:6443',
    'https://2130706433:6443',
    'https://0x7f.1:6443',
    'https://[::ffff:127.0.0.1]:6443',
    'https://[::127.0.0.1]:6443',
    'https://[64:ff9b::a9fe:a9fe]:6443',
    'https://[64:ff9b:1::a9fe:a9fe]:6443',
    'https://[2002:a9fe:a9fe::1]:6443',
    'https://[fe80::1]:6443',
    'https://[fd00:ec2::254]:80',
    'https://168.63.129.16:443',
    'https://100.100.100.200:443',
    'https://224.0.0.1:443',
    'https://rebound.example.com:6443',
    'https://six.example.com:6443',
    'https://kubernetes:443',
    'https://kubernetes.default:443',
    'https://kubernetes.default.svc:443',
    'https://Kubernetes.default.svc.cluster.local.:443',
  ]) {
    test(`${url} is none`, async () =>
      assert.match((await refusal(url)) ?? '', /^Cannot use ".*" as an endpoint: .*may dial/));
  }

  test('loopback is one for a hub that is on loopback itself', async () => {
    for (const url of ['https://127.0.0.1:1', 'https://localhost:1', 'https://[::1]:1']) {
      assert.equal(await refusal(url, { allowsLoopback: true }), undefined);
    }
    assert.ok(await refusal('https://169.254.169.254:1', { allowsLoopback: true }));
    assert.ok(await refusal('https://0.0.0.0:1', { allowsLoopback: true }));
  });

  test('are what the narrower entry of the lists says', async () => {
    const policy = {
      allow: ['10.1.0.0/16', '10.1.2.3', '169.254.7.7', 'good.bad.example.com', '127.0.0.0/8'],
      deny: ['10.0.0.0/8', '10.1.2.0/24', '*.bad.example.com', '93.184.216.34'],
    };
    const isRefused = async (url: string) => (await refusal(url, policy)) !== undefined;

    assert.equal(await isRefused('https://10.9.9.9'), true);
    assert.equal(await isRefused('https://10.1.9.9'), false);
    assert.equal(await isRefused('https://10.1.2.4'), true);
    assert.equal(await isRefused('https://10.1.2.3'), false);
    assert.equal(await isRefused('https://169.254.7.7'), false);
    assert.equal(await isRefused('https://169.254.169.254'), true);
    assert.equal(await isRefused('https://127.0.0.1'), false);
    assert.equal(await isRefused('https://a.bad.example.com'), true);
    assert.equal(await isRefused('https://bad.example.com'), false);
    assert.equal(await isRefused('https://good.bad.example.com'), false);
    assert.equal(await isRefused('https://api.example.com'), true);
  });

  test('are only those allowed where everything is denied', async () => {
    const policy = { allow: ['10.1.0.0/16'], deny: ['0.0.0.0/0', '::/0'] };

    assert.equal(await refusal('https://10.1.0.1', policy), undefined);
    assert.ok(await refusal('https://10.2.0.1', policy));
    assert.ok(await refusal('https://[2001:db8::1]', policy));
  });

  test('a name that is allowed must still have allowed addresses', async () => {
    assert.ok(await refusal('https://rebound.example.com', { allow: ['rebound.example.com'] }));
    assert.equal(
      await refusal('https://kubernetes.default.svc', { allow: ['kubernetes.default.svc'] }),
      undefined,
    );
  });

  test('are judged again by the address at the moment of dialling', () => {
    const allows = addressCheck(DEFAULT);

    assert.deepEqual(
      [
        '10.0.0.1',
        '::ffff:10.0.0.1',
        '169.254.169.254',
        '::ffff:169.254.169.254',
        'fe80::1%eth0',
        'no address',
      ].map(allows),
      [true, true, false, false, false, false],
    );
  });

  test('cannot be told by entries that mean nothing', () => {
    assert.deepEqual(
      endpointPolicyProblems({ ...DEFAULT, allow: ['10.0.0.0/8', '::1', 'a.b', '*.b'] }),
      [],
    );
    for (const entry of [
      '10.0.0.0/33',
      '::/129',
      '10.0.0',
      'a b',
      'https://a',
      '',
      '*',
      '1.2.3.4:5',
    ]) {
      assert.equal(endpointPolicyProblems({ ...DEFAULT, deny: [entry] }).length, 1, entry);
    }
  });
});
