import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import type { Secret } from '@flotilla/client';
import { SecretValue } from '@flotilla/runtime';
import { isSameEndpoint, normalizeEndpoint } from './cluster-endpoint.ts';
import { clusterSecretData } from './cluster-secret-data.ts';
import { memberAccess } from './connect-member.ts';
import type { MemberAccess } from './member-access.ts';
import { readClusterSecret } from './read-cluster-secret.ts';
import { credentialRevision } from './revision.ts';

const member: MemberAccess = {
  endpoint: 'https://api.example.com:6443',
  ca: 'CA\n',
  credential: { type: 'ServiceAccountToken', token: new SecretValue('s3cret-token') },
};
const x509: MemberAccess['credential'] = {
  type: 'X509Certificate',
  certificate: 'CERT\n',
  key: new SecretValue('s3cret-key\n'),
};

const decoded = (data: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );

function secret(
  texts: Record<string, string>,
  metadata: Partial<Secret['metadata']> = {},
  type = 'ServiceAccountToken',
): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'west',
      namespace: 'vela-system',
      ...metadata,
      labels: { 'cluster.core.oam.dev/cluster-credential-type': type, ...metadata.labels },
    },
    data: Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
    ),
  };
}

describe('endpoints', () => {
  for (const [written, endpoint] of [
    ['https://api.example.com', 'https://api.example.com:443'],
    ['HTTPS://API.example.com:6443/', 'https://api.example.com:6443'],
    ['https://h:443', 'https://h:443'],
    ['http://h', 'http://h:80'],
    ['https://h/', 'https://h:443'],
    [' https://h:6443\n', 'https://h:6443'],
    ['https://r.example:8443/k8s/clusters/c-1/', 'https://r.example:8443/k8s/clusters/c-1'],
    ['https://[2001:DB8::1]:6443', 'https://[2001:db8::1]:6443'],
    ['https://user:pass@h', undefined],
    ['https://h?x=1', undefined],
    ['https://h#x', undefined],
    ['ftp://h', undefined],
    ['h:6443', undefined],
    ['', undefined],
  ] as const) {
    test(`${JSON.stringify(written)} becomes ${endpoint}`, () => {
      assert.equal(normalizeEndpoint(written), endpoint);
    });
  }

  test('REG-14 a path is kept, and the port stands before it', () => {
    assert.equal(
      normalizeEndpoint('https://r.example/k8s/clusters/c-1'),
      'https://r.example:443/k8s/clusters/c-1',
    );
  });

  test('REG-15 an IPv6 address without a port gets one behind its brackets', () => {
    assert.equal(normalizeEndpoint('https://[2001:db8::1]'), 'https://[2001:db8::1]:443');
  });

  test('are the same however they are written', () => {
    assert.ok(isSameEndpoint('https://H/', 'https://h:443'));
    assert.ok(!isSameEndpoint('https://h', 'https://h:6443'));
    assert.ok(!isSameEndpoint('nonsense', 'nonsense'));
  });
});

describe('the data of a cluster Secret', () => {
  test('is exactly the endpoint, the authority and one credential', () => {
    assert.deepEqual(decoded(clusterSecretData(member)), {
      endpoint: 'https://api.example.com:6443',
      'ca.crt': 'CA\n',
      token: 's3cret-token',
    });
    assert.deepEqual(decoded(clusterSecretData({ ...member, credential: x509 })), {
      endpoint: 'https://api.example.com:6443',
      'ca.crt': 'CA\n',
      'tls.crt': 'CERT\n',
      'tls.key': 's3cret-key\n',
    });
  });

  test('REG-3 has the proxy while there is one', () => {
    const data = clusterSecretData({ ...member, proxyUrl: 'http://proxy:3128' });
    assert.equal(decoded(data)['proxy-url'], 'http://proxy:3128');
    assert.ok(!('proxy-url' in clusterSecretData(member)));
  });

  test('REG-16 has an empty authority for the public ones, and none at all for no verification', () => {
    assert.equal(clusterSecretData({ ...member, ca: '' })['ca.crt'], '');
    assert.deepEqual(Object.keys(clusterSecretData({ ...member, ca: undefined })), [
      'endpoint',
      'token',
    ]);
  });

  test('reads back as the same member', () => {
    for (const each of [
      member,
      { ...member, ca: '' },
      { ...member, ca: undefined, proxyUrl: 'socks5://p:1' },
      { ...member, credential: x509 },
    ]) {
      const read = readClusterSecret({
        ...secret({}, {}, each.credential.type),
        data: clusterSecretData(each),
      });
      assert.ok(read?.access);
      assert.equal(credentialRevision(read.access), credentialRevision(each));
    }
  });
});

describe('reading a cluster Secret', () => {
  test('gives what the gateway and KubeVela see', () => {
    const read = readClusterSecret(
      secret(
        { endpoint: 'https://api\n', 'ca.crt': 'CA', token: 't\n' },
        {
          labels: {
            region: 'west',
            'cluster.core.oam.dev/x': '1',
            'multicluster.oam.dev/managed': 'true',
          },
          annotations: {
            'cluster.core.oam.dev/cluster-alias': 'West',
            'cluster.core.oam.dev/cluster-version':
              '{"major":"1","minor":"34","gitVersion":"v1.34.1","more":1}',
            'multicluster.oam.dev/owner': 'team/west',
            'multicluster.oam.dev/owner-uid': 'u-1',
          },
        },
      ),
    );

    assert.deepEqual(
      { ...read, access: undefined },
      {
        name: 'west',
        credentialType: 'ServiceAccountToken',
        endpointType: 'Const',
        endpoint: 'https://api',
        alias: 'West',
        labels: { region: 'west' },
        version: { major: '1', minor: '34', gitVersion: 'v1.34.1' },
        owner: { namespace: 'team', name: 'west', uid: 'u-1' },
        access: undefined,
      },
    );
    const { endpoint, ca, credential } = read?.access ?? assert.fail();
    assert.deepEqual([endpoint, ca], ['https://api:443', 'CA']);
    assert.equal(credential.type === 'ServiceAccountToken' && credential.token.reveal(), 't');
  });

  test('takes the older key of the authority only where the newer is missing', () => {
    const ca = (texts: Record<string, string>) =>
      readClusterSecret(secret({ endpoint: 'https://h', token: 't', ...texts }))?.access?.ca;

    assert.equal(ca({ ca: 'old' }), 'old');
    assert.equal(ca({ ca: 'old', 'ca.crt': 'new' }), 'new');
    assert.equal(ca({ ca: 'old', 'ca.crt': '' }), '');
    assert.equal(ca({}), undefined);
  });

  test('leaves out what cannot be used, and the rest stays readable', () => {
    const parts = { endpoint: 'https://h', 'ca.crt': '', token: 't' };
    const unusable = [
      secret({ ...parts, exec: '{}' }, {}, 'Dynamic'),
      secret({ ...parts, endpoint: '' }),
      secret({ ...parts, endpoint: 'no url' }),
      secret({ ...parts, token: '\n' }),
      secret({ ...parts, 'tls.crt': 'C' }, {}, 'X509Certificate'),
      secret(parts, { labels: { 'cluster.core.oam.dev/cluster-endpoint-type': 'ClusterProxy' } }),
      { ...secret({}), data: undefined } as unknown as Secret,
    ];

    for (const each of unusable) {
      const read = readClusterSecret(each);
      assert.equal(read?.name, 'west');
      assert.equal(read.access, undefined, JSON.stringify(each));
    }
  });

  test('takes no Secret without the label for a cluster', () => {
    const { labels: _, ...metadata } = secret({}).metadata;
    assert.equal(readClusterSecret({ ...secret({}), metadata }), undefined);
  });

  test('survives annotations that are nonsense', () => {
    const read = (annotations: Record<string, string>) =>
      readClusterSecret(secret({}, { annotations }));

    for (const version of ['{', '[]', 'null', '{"major":1}', '']) {
      assert.equal(read({ 'cluster.core.oam.dev/cluster-version': version })?.version, undefined);
    }
    for (const owner of ['', 'a', 'a/', '/b', 'a/b/c']) {
      assert.equal(read({ 'multicluster.oam.dev/owner': owner })?.owner, undefined);
    }
    assert.equal(read({ 'multicluster.oam.dev/owner': 'a/b' })?.owner?.uid, '');
  });

  test('shows no credential, however it is printed', () => {
    const read = readClusterSecret(secret({ endpoint: 'https://h', token: 's3cret-token' }));
    assert.doesNotMatch(inspect(read, { depth: 9 }) + JSON.stringify(read), /s3cret/);
  });
});

describe('a credential revision', () => {
  test('changes with every part and with nothing else', () => {
    const others: MemberAccess[] = [
      member,
      { ...member, endpoint: 'https://other:6443' },
      { ...member, ca: '' },
      { ...member, ca: undefined },
      { ...member, proxyUrl: 'http://p:1' },
      { ...member, credential: { type: 'ServiceAccountToken', token: new SecretValue('other') } },
      { ...member, credential: x509 },
      { ...member, credential: { ...x509, certificate: 'OTHER' } },
    ];
    const revisions = others.map(credentialRevision);

    assert.equal(new Set(revisions).size, others.length);
    assert.equal(credentialRevision({ ...member }), revisions[0]);
    for (const revision of revisions) assert.match(revision, /^[0-9a-f]{12}$/);
  });
});

describe('the access to a member', () => {
  test('verifies by the authority, by the public ones, or not at all', () => {
    assert.deepEqual(memberAccess(member).tls, { ca: 'CA\n' });
    assert.deepEqual(memberAccess({ ...member, ca: '' }).tls, {});
    assert.deepEqual(memberAccess({ ...member, ca: undefined }).tls, { insecure: true });
  });

  test('presents the token or the certificate', async () => {
    const present = (access: MemberAccess) => memberAccess(access).credential.present();

    assert.deepEqual(await present(member), { authorization: 'Bearer s3cret-token' });
    assert.deepEqual(await present({ ...member, credential: x509 }), {
      certificate: { cert: 'CERT\n', key: 's3cret-key\n' },
    });
    assert.equal(memberAccess({ ...member, proxyUrl: 'http://p:1' }).proxyUrl, 'http://p:1');
  });
});
