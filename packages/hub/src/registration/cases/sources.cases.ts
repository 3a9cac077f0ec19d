import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Secrets } from '@flotilla/client';
import { defineKind, type KubeObject } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { installKind } from '../applications/testing/vela-hub.ts';
import {
  base64,
  kubeconfig,
  kubeconfigFor,
  NAMESPACE,
  registration,
  says,
  textsOf,
} from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';

const ExternalSecrets = defineKind<KubeObject>({
  group: 'external-secrets.io',
  version: 'v1',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  namespaced: true,
});

/** Each kind of source from end to end, on any hub. */
export function sourceCases(start: StartServer): void {
  describe('sources', () => {
    test("REG-6 the seed's inline credential is registered as it decodes", async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const { server, tls } = member.access;
      const inline = {
        endpoint: server,
        credentialType: 'ServiceAccountToken' as const,
        caData: base64(tls.ca ?? ''),
        tokenData: base64('admin'),
      };
      await hub.register(registration('one', { credentialSource: { inline } }));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True InlineResolved');
      assert.deepEqual(textsOf(await hub.secret('one')), {
        endpoint: server,
        'ca.crt': tls.ca,
        token: 'admin',
      });
    });

    test('REG-3 the proxy of a kubeconfig comes and goes with it', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const { server, tls } = member.access;
      const proxyUrl = 'http://127.0.0.1:9';
      const parts = { server, ca: tls.ca, token: 'admin' };
      await hub.putSource('one-kubeconfig', kubeconfig({ ...parts, proxyUrl }));
      const config = { validateCredentials: false, heartbeatInterval: '0s', createNamespace: '' };
      await hub.register(registration('one', { config }));
      await hub.until('one', 'Ready');
      assert.equal(textsOf(await hub.secret('one'))['proxy-url'], proxyUrl);
      await hub.putSource('one-kubeconfig', kubeconfig(parts));
      await eventually(
        () => hub.secret('one'),
        ({ data = {} }) => !('proxy-url' in data),
      );
    });

    test('REG-7 REG-55 an ExternalSecret is waited for, read, and missed without harm', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const credentialSource = { externalSecretRef: { name: 'vault' } };
      await hub.register(registration('one', { credentialSource }));
      const pending = await hub.until('one', 'Pending');
      assert.equal(says(pending, 'SourceResolved'), 'False ExternalSecretsNotInstalled');

      const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await installKind(hub.client, ExternalSecrets, { spec: anything, status: anything });
      await hub.until(
        'one',
        (each) => says(each, 'SourceResolved') === 'False ExternalSecretNotFound',
      );

      await hub.client.create(ExternalSecrets, {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        metadata: { namespace: NAMESPACE, name: 'vault' },
        spec: { target: { name: 'foo' } },
      });
      await hub.putSource('foo', kubeconfigFor(member.access));
      await sync(hub, 'True SecretSynced', { name: 'foo' });
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True ExternalSecretResolved');
      const before = await hub.secret('one');

      await sync(hub, 'False SecretSyncedError', { name: 'foo' });
      const degraded = await hub.until('one', 'Degraded');
      assert.equal(says(degraded, 'SourceResolved'), 'False ExternalSecretNotReady');
      assert.equal(says(degraded, 'CredentialValid'), 'True TokenVerified');
      assert.deepEqual((await hub.secret('one')).data, before.data);

      await sync(hub, 'True SecretSynced', { name: 'foo' });
      await hub.until('one', 'Ready');
    });

    test('REG-8 an ExternalSecret that names no target is read from the Secret of its own name', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      await installKind(hub.client, ExternalSecrets, { spec: anything, status: anything });
      hub.start();
      await hub.client.create(ExternalSecrets, {
        apiVersion: 'external-secrets.io/v1',
        kind: 'ExternalSecret',
        metadata: { namespace: NAMESPACE, name: 'vault' },
        spec: { refreshInterval: '1h' },
      } as KubeObject);
      await hub.putSource('vault', kubeconfigFor(member.access));
      await sync(hub, 'True SecretSynced');
      const credentialSource = { externalSecretRef: { name: 'vault' } };
      await hub.register(registration('one', { credentialSource }));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True ExternalSecretResolved');
    });

    test('many sources of one namespace are watched as one', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const names = Array.from({ length: 20 }, (_, at) => `c-${at}`);
      for (const name of names) await hub.putMember(name, member);
      for (const name of names) await hub.register(registration(name));
      for (const name of names) await hub.until(name, 'Ready');
      const token = await member.token('second');
      await hub.putSource('c-7-kubeconfig', kubeconfigFor(member.access, token));
      await eventually(
        () => hub.secret('c-7'),
        (secret) => textsOf(secret)['token'] === token,
      );
      await hub.client.delete(Secrets, { namespace: NAMESPACE, name: 'c-3-kubeconfig' });
      const degraded = await hub.until('c-3', 'Degraded');
      assert.equal(says(degraded, 'SourceResolved'), 'False SecretNotFound');
    });

    test('REG-36 loopback is not dialled for anybody where the hub is elsewhere', async () => {
      await using hub = await startHub(start, {
        endpoints: { allow: [], deny: [], allowsLoopback: false },
      });
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'SourceResolved'), 'False EndpointDenied');
      assert.equal(await hub.hasSecret('one'), false);
    });
  });
}

/** What the operator says of the ExternalSecret: such as `True SecretSynced`. */
async function sync(hub: TestHub, ready: string, binding?: object): Promise<void> {
  const [status, reason] = ready.split(' ');
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const conditions = [{ type: 'Ready', status, reason, message: 'x', lastTransitionTime }];
  await hub.client.patch(
    ExternalSecrets,
    { namespace: NAMESPACE, name: 'vault' },
    {
      type: 'merge',
      subresource: 'status',
      body: { status: { conditions, binding, refreshTime: lastTransitionTime } },
    },
  );
}
