import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseJson } from '@flotilla/machinery';
import { readProfile } from './read-profile.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const once = Buffer.from(PEM).toString('base64');
const twice = Buffer.from(once).toString('base64');

const profile = (status: unknown, spec: unknown = { clusterManager: { name: 'm' } }) =>
  readProfile({ metadata: { namespace: 'fleet', name: 'west' }, spec, status });

const offers = (...list: unknown[]) => profile({ accessProviders: list })?.offers;

describe('a profile', () => {
  test('of upstream’s form is read whole', () => {
    const record = readProfile({
      metadata: {
        namespace: 'fleet',
        name: 'west',
        labels: { 'x-k8s.io/cluster-manager': 'ocm', env: 'prod' },
      },
      spec: { displayName: 'Production West', clusterManager: { name: 'ocm' } },
      status: {
        conditions: [
          { type: 'Joined', status: 'False' },
          { type: 'ControlPlaneHealthy', status: 'True' },
        ],
        version: { kubernetes: 'v1.34.4' },
        properties: [{ name: 'platform', value: 'AWS' }],
        accessProviders: [
          {
            name: 'eks',
            cluster: {
              server: 'https://x:443',
              'tls-server-name': 'x',
              'insecure-skip-tls-verify': true,
              'certificate-authority': '/etc/passwd',
              'certificate-authority-data': once,
              'proxy-url': 'http://p',
              'disable-compression': true,
              extensions: [{ name: 'e', extension: { a: 1 } }],
            },
          },
        ],
      },
    });

    assert.deepEqual(record, {
      namespace: 'fleet',
      name: 'west',
      manager: 'ocm',
      displayName: 'Production West',
      clusterName: 'west',
      labels: { 'x-k8s.io/cluster-manager': 'ocm', env: 'prod' },
      properties: { platform: 'AWS' },
      version: 'v1.34.4',
      health: 'healthy',
      offers: [
        {
          name: 'eks',
          server: 'https://x:443',
          serverName: 'x',
          insecure: true,
          ca: PEM,
          proxyUrl: 'http://p',
          disableCompression: true,
          extensions: { e: { a: 1 } },
        },
      ],
    });
  });

  test('of the older form has its cloud in the spec and its health in Ready', () => {
    const record = readProfile({
      metadata: { name: 'prod-us-west-1' },
      spec: {
        clusterName: 'prod-us-west-1',
        displayName: 'Production US West',
        cloudProvider: 'aws',
        region: 'us-west-2',
      },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });

    assert.equal(record?.health, 'healthy');
    assert.equal(record?.cloudProvider, 'aws');
    assert.equal(record?.region, 'us-west-2');
    assert.equal(record?.namespace, '');
    assert.equal(record?.manager, '');
  });

  test('is healthy, unhealthy, or nobody knows', () => {
    const health = (...conditions: unknown[]) => profile({ conditions })?.health;
    const condition = (type: string, status: string) => ({ type, status });

    assert.equal(health(), 'unknown');
    assert.equal(health(condition('ControlPlaneHealthy', 'False')), 'unhealthy');
    assert.equal(health(condition('ControlPlaneHealthy', 'Unknown')), 'unknown');
    assert.equal(
      health(condition('Ready', 'True'), condition('ControlPlaneHealthy', 'False')),
      'unhealthy',
    );
    assert.equal(health(null, 5, 'x'), 'unknown');
  });

  test('MC-14 offers what credentialProviders say, and accessProviders count where both have one of a name', () => {
    const way = (name: string, server: string) => ({ name, cluster: { server } });

    assert.deepEqual(
      profile({ credentialProviders: [way('a', 'https://old')] })?.offers.map((o) => o.server),
      ['https://old'],
    );
    assert.deepEqual(
      profile({
        credentialProviders: [way('a', 'https://old'), way('b', 'https://b')],
        accessProviders: [way('c', 'https://c'), way('a', 'https://new')],
      })?.offers.map(({ name, server }) => [name, server]),
      [
        ['a', 'https://new'],
        ['b', 'https://b'],
        ['c', 'https://c'],
      ],
    );
  });

  test('has an authority in PEM, encoded once, twice or not at all; nonsense stays, to fail on later', () => {
    const ca = (data: unknown) =>
      offers({ name: 'a', cluster: { server: 's', 'certificate-authority-data': data } })?.[0]?.ca;

    assert.equal(ca(once), PEM);
    assert.equal(ca(twice), PEM);
    assert.equal(ca(PEM), PEM);
    assert.equal(ca(undefined), undefined);
    assert.equal(ca(''), undefined);
    assert.equal(ca(7), undefined);
    for (const nonsense of ['LS0t...', '%%%', '!', 'x'.repeat(2 << 20)]) {
      assert.equal(typeof ca(nonsense), 'string', nonsense.slice(0, 10));
      assert.notEqual(ca(nonsense), '');
    }
  });

  test('that is nonsense is none, and nonsense in it is left out', () => {
    for (const value of [
      null,
      7,
      [],
      {},
      { metadata: { name: '../../x' } },
      { metadata: { name: 'a\u001b[31m' } },
      { metadata: { name: 'a', namespace: 'b/c' } },
      { metadata: { name: 'a'.repeat(300) } },
    ]) {
      assert.equal(readProfile(value), undefined, JSON.stringify(value));
    }
    const record = readProfile({
      metadata: { name: 'a', namespace: 'b', labels: { ok: 'x', bad: 7, long: 'x'.repeat(9999) } },
      spec: { displayName: 'x'.repeat(9999), clusterManager: 'm' },
      status: {
        conditions: {},
        version: 'v1',
        properties: [null, { name: 'p', value: 7 }, { name: 'q', value: 'v' }, { value: 'x' }],
        accessProviders: [null, { name: 'a' }, { cluster: { server: 's' } }, 'x'],
        credentialProviders: 'x',
      },
    });
    assert.deepEqual(record?.labels, { ok: 'x' });
    assert.equal(record?.displayName, '');
    assert.deepEqual(record?.properties, { q: 'v' });
    assert.deepEqual(record?.offers, []);
    assert.equal(record?.version, '');
  });

  test('cannot reach into our own objects', () => {
    const { value } = parseJson(
      '{"metadata":{"name":"a","labels":{"__proto__":"x","constructor":"y"}},"status":{"properties":[{"name":"__proto__","value":"z"}],"accessProviders":[{"name":"p","cluster":{"server":"s","extensions":[{"name":"__proto__","extension":{"__proto__":{"polluted":true}}}]}}]}}',
    );
    const record = readProfile(value);

    assert.equal(Object.getPrototypeOf(record?.labels), Object.prototype);
    assert.deepEqual(Object.entries(record?.properties ?? {}), [['__proto__', 'z']]);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });

  test('has extensions no deeper and no longer than anybody needs', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 5_000; depth += 1) deep = { deep };
    const extensions = offers({
      name: 'a',
      cluster: {
        server: 's',
        extensions: [
          { name: 'deep', extension: deep },
          { name: 'long', extension: { text: 'x'.repeat(100_000) } },
          { name: 'big', extension: { id: 2n ** 60n } },
        ],
      },
    })?.[0]?.extensions;

    assert.deepEqual(Object.keys(extensions ?? {}), ['deep', 'big']);
    assert.deepEqual(extensions?.['big'], { id: String(2n ** 60n) });
    assert.ok(JSON.stringify(extensions).length < 1_000);
  });
});
