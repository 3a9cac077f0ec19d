import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeOf } from './route.ts';
import { slimSecret } from './slim-secret.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');

test('of a cluster Secret nothing is kept that opens the cluster', () => {
  const secret = slimSecret({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'west',
      namespace: 'vela-system',
      uid: 'u',
      resourceVersion: '1',
      labels: { env: 'prod' },
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': 'credential',
        'cluster.core.oam.dev/cluster-alias': 'West',
      },
      managedFields: [{}],
    },
    data: {
      endpoint: encode('https://west'),
      token: 'credential',
      'tls.key': 'credential',
      'tls.crt': 'credential',
      exec: 'credential',
      kubeconfig: 'credential',
    },
  });

  assert.ok(!JSON.stringify(secret).includes('credential'));
  assert.deepEqual(secret.metadata, {
    name: 'west',
    namespace: 'vela-system',
    uid: 'u',
    resourceVersion: '1',
    labels: { env: 'prod' },
    annotations: { 'cluster.core.oam.dev/cluster-alias': 'West' },
  });
  assert.deepEqual(secret.data, { endpoint: encode('https://west') });
});

test('a Secret without authorities is insecure, one with none in them trusts the public ones', () => {
  const secret = (data: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {},
    data,
  });
  const open = routeOf('https://west', secret({}));
  const trusting = routeOf('https://west', secret({ 'ca.crt': '' }));
  const broken = routeOf('https://west', secret({ ca: encode('no certificate') }));

  assert.deepEqual(
    [open?.isInsecure, trusting?.isInsecure, broken?.isInsecure],
    [true, false, false],
  );
  assert.deepEqual([trusting?.ca, broken?.ca], [undefined, undefined]);
  assert.equal(open?.server, 'https://west:443');
});

test('what is no endpoint, or has a user in it, leads nowhere', () => {
  for (const endpoint of [undefined, '', 'west', 'ftp://west', 'https://me:you@west']) {
    assert.equal(routeOf(endpoint, undefined), undefined);
  }
});
