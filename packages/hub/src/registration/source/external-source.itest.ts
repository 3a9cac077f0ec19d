import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import type { KubeObject } from '@flotilla/machinery';
import { clusterSecretData } from '../../cluster-secret/cluster-secret-data.ts';
import { testPair } from '../../cluster-secret/testing/certificate.ts';
import {
  installExternalSecrets,
  jwt,
  kindOf,
  kubeconfig,
  NOW,
  type SourceHub,
  startSourceHub,
} from './testing/source-hub.ts';

const READY = { conditions: [{ type: 'Ready', status: 'True', reason: 'SecretSynced' }] };
const ref = (fields: object = {}) => ({ externalSecretRef: { name: 'west', ...fields } });

/** What the operator would have written. */
async function createExternal(
  { client }: SourceHub,
  {
    spec = {},
    status = READY,
    version = 'v1',
  }: { spec?: object; status?: object; version?: string } = {},
): Promise<KubeObject> {
  return client.create(kindOf('ExternalSecret', 'externalsecrets', version), {
    apiVersion: `external-secrets.io/${version}`,
    kind: 'ExternalSecret',
    metadata: { name: 'west', namespace: 'vela-system' },
    spec,
    status,
  });
}

const endpointOf = async (hub: SourceHub, source: object) =>
  (await hub.resolve(source)).member.endpoint;

describe('an ExternalSecret', () => {
  test('REG-7 leads to the Secret that its target names', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub, { spec: { target: { name: 'foo' } } });
    const secret = await hub.createSecret('vela-system/foo', { kubeconfig: kubeconfig() });
    const found = await hub.resolve(ref());

    assert.equal(found.member.endpoint, 'https://api.example.com:6443');
    assert.deepEqual(
      [found.reason, found.description, found.resourceVersion],
      [
        'ExternalSecretResolved',
        'ExternalSecret vela-system/west, Secret vela-system/foo, key kubeconfig',
        secret.metadata.resourceVersion,
      ],
    );
    assert.deepEqual(found.reads, [
      { kind: 'ExternalSecret', namespace: 'vela-system', name: 'west' },
      { kind: 'Secret', namespace: 'vela-system', name: 'foo' },
    ]);
  });

  test('REG-8 without a target name leads to the Secret of its own name, unless its status knows better', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub);
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig() });
    assert.equal(await endpointOf(hub, ref()), 'https://api.example.com:6443');

    await hub.createSecret('vela-system/bound', {
      kubeconfig: kubeconfig({ cluster: 'server: "https://bound"' }),
    });
    const binding = { status: { binding: { name: 'bound' } } };
    const key = { namespace: 'vela-system', name: 'west' };
    await hub.client.patch(kindOf('ExternalSecret', 'externalsecrets'), key, {
      type: 'merge',
      body: binding,
    });
    assert.equal(await endpointOf(hub, ref()), 'https://bound:443');
  });

  test('is read in the older version where the hub has no newer one', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1beta1']);
    assert.equal((await hub.refuse(ref())).reason, 'ExternalSecretNotFound');
    await createExternal(hub, { version: 'v1beta1' });
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig() });

    assert.equal(await endpointOf(hub, ref()), 'https://api.example.com:6443');
  });

  test('REG-55 that the hub does not serve is waited for, and found once it does', async () => {
    await using hub = await startSourceHub();
    const problem = await hub.refuse(ref());
    assert.deepEqual(
      [problem.reason, problem.isWaiting, problem.retryAfterMs, problem.reads],
      [
        'ExternalSecretsNotInstalled',
        true,
        300_000,
        [{ kind: 'ExternalSecret', namespace: 'vela-system', name: 'west' }],
      ],
    );

    await installExternalSecrets(hub.client, ['v1']);
    assert.equal((await hub.refuse(ref())).reason, 'ExternalSecretNotFound');
  });

  test('REG-55 that is not ready is waited for, and its message is not repeated', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    const failing = {
      type: 'Ready',
      status: 'False',
      reason: 'SecretSyncedError',
      message: 's3cret',
    };
    await createExternal(hub, {
      status: { conditions: [failing], refreshTime: '2026-01-01T00:00:00Z' },
    });
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig() });
    const problem = await hub.refuse(ref());

    assert.deepEqual([problem.reason, problem.isWaiting], ['ExternalSecretNotReady', true]);
    assert.match(problem.message, /it is not ready \(SecretSyncedError\)/);
    assert.doesNotMatch(problem.message, /s3cret/);
    assert.deepEqual(
      problem.reads.map(({ kind }) => kind),
      ['ExternalSecret', 'Secret'],
    );
  });

  test('that has not been looked at by its operator is waited for', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub, { status: {} });

    assert.equal((await hub.refuse(ref())).reason, 'ExternalSecretNotReady');
  });

  test('is not believed when it is ready and its Secret is gone', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub);
    const problem = await hub.refuse(ref());
    assert.deepEqual([problem.reason, problem.isWaiting], ['TargetSecretMissing', true]);

    await hub.createSecret('vela-system/west', { other: 'x' });
    assert.equal((await hub.refuse(ref())).reason, 'KeyNotFound');
    await hub.client.delete(Secrets, { namespace: 'vela-system', name: 'west' });
    assert.equal((await hub.refuse(ref())).reason, 'TargetSecretMissing');
  });

  test('whose Secret leads astray is watched with that Secret, where it will be repaired', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub);
    const cluster = 'server: "https://169.254.169.254"';
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig({ cluster }) });
    const problem = await hub.refuse(ref());

    assert.equal(problem.reason, 'EndpointDenied');
    assert.deepEqual(
      problem.reads.map(({ kind }) => kind),
      ['ExternalSecret', 'Secret'],
    );
  });

  test('that makes no Secret is refused', async () => {
    for (const target of [
      { creationPolicy: 'None' },
      { manifest: { apiVersion: 'v1', kind: 'ConfigMap' } },
    ]) {
      await using hub = await startSourceHub();
      await installExternalSecrets(hub.client, ['v1']);
      await createExternal(hub, { spec: { target } });
      const problem = await hub.refuse(ref());

      assert.deepEqual([problem.reason, problem.isWaiting], ['UnsupportedTarget', false]);
    }
  });

  test('may give the parts of a cluster Secret instead of a kubeconfig', async () => {
    await using hub = await startSourceHub();
    const { certificate, key } = testPair();
    await installExternalSecrets(hub.client, ['v1']);
    await createExternal(hub);
    await hub.createSecret('vela-system/west', {
      endpoint: 'https://parts\n',
      'ca.crt': certificate,
      token: 't\n',
    });
    const { member, description } = await hub.resolve(ref({ key: '' }));

    assert.deepEqual(Object.keys(clusterSecretData(member)), ['endpoint', 'ca.crt', 'token']);
    assert.equal(description, 'ExternalSecret vela-system/west, Secret vela-system/west');
    const place = { namespace: 'vela-system', name: 'west' };
    const data = {
      token: null,
      'tls.crt': Buffer.from(certificate).toString('base64'),
      'tls.key': Buffer.from(key).toString('base64'),
    };
    await hub.client.patch(Secrets, place, { type: 'merge', body: { data } });
    assert.equal((await hub.resolve(ref({ key: '' }))).member.credential.type, 'X509Certificate');
    await hub.client.patch(Secrets, place, { type: 'merge', body: { data: { 'tls.key': null } } });
    assert.equal((await hub.refuse(ref({ key: '' }))).reason, 'NoCredential');
  });

  test('that is read too rarely for its credential is told of', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    const seconds = NOW.getTime() / 1000;
    const user = `token: ${jwt({ iat: seconds, exp: seconds + 3600 })}`;
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig({ user }) });
    await createExternal(hub);
    const warned = async (spec: object) => {
      const key = { namespace: 'vela-system', name: 'west' };
      await hub.client.patch(kindOf('ExternalSecret', 'externalsecrets'), key, {
        type: 'merge',
        body: { spec },
      });
      return (await hub.resolve(ref())).warnings.map(({ reason }) => reason);
    };

    assert.deepEqual(await warned({ refreshInterval: '30m' }), []);
    assert.deepEqual(await warned({ refreshInterval: '1h' }), ['ExternalSecretRefreshTooRare']);
    assert.deepEqual(await warned({ refreshInterval: '0' }), ['ExternalSecretRefreshTooRare']);
    assert.deepEqual(await warned({ refreshInterval: 'nonsense' }), []);
    assert.deepEqual(await warned({ refreshInterval: '30m', refreshPolicy: 'CreatedOnce' }), [
      'ExternalSecretRefreshTooRare',
    ]);
  });

  test('of another provider than the registration says is told of', async () => {
    await using hub = await startSourceHub();
    await installExternalSecrets(hub.client, ['v1']);
    await hub.createSecret('vela-system/west', { kubeconfig: kubeconfig() });
    await createExternal(hub, { spec: { secretStoreRef: { name: 'store', kind: 'SecretStore' } } });
    const warned = async (provider?: string) =>
      (await hub.resolve(ref({ provider }))).warnings.map(({ reason }) => reason);
    // Nobody to ask: nothing to say.
    assert.deepEqual(await warned('aws-secrets-manager'), []);
    await hub.client.create(kindOf('SecretStore', 'secretstores'), {
      apiVersion: 'external-secrets.io/v1',
      kind: 'SecretStore',
      metadata: { name: 'store', namespace: 'vela-system' },
      spec: { provider: { aws: { service: 'SecretsManager' } } },
    });

    assert.deepEqual(await warned('aws-secrets-manager'), []);
    assert.deepEqual(await warned(undefined), []);
    assert.deepEqual(await warned('vault'), ['ProviderMismatch']);
  });
});
