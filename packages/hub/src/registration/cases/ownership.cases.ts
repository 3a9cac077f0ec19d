import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { Namespaces, type Secret, Secrets } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import {
  conditionOf,
  GATEWAY_NAMESPACE,
  joinedSecret,
  kubeconfig,
  kubeconfigFor,
  NAMESPACE,
  registration,
  says,
  sourceSecret,
  textsOf,
} from '../testing/builders.ts';
import { startMember, type TestMember } from '../testing/member.ts';
import { type StartServer, startHub, type TestHub } from '../testing/world.ts';

/** Whose a cluster Secret is, on any hub. */
export function ownershipCases(start: StartServer): void {
  describe('ownership', () => {
    test('REG-40 a joined cluster is not adopted where the policy says Never', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const before = await join(hub, member, 'one');
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { adoptionPolicy: 'Never' }));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'ClusterRegistered'), 'False NotAdoptable');
      assert.deepEqual(await hub.secret('one'), before);
      await hub.remove('one');
      await eventually(() => hub.isGone('one'));
      assert.deepEqual(await hub.secret('one'), before);
    });

    test('REG-41 an existing Secret is adopted without its data being touched', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const before = await join(hub, member, 'one');
      hub.start();
      await hub.register(registration('one', { credentialSource: { existingSecret: {} } }));

      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'SourceResolved'), 'True ExistingSecretResolved');
      assert.equal(says(ready, 'ClusterRegistered'), 'True SecretAdopted');
      const after = await hub.secret('one');
      assert.deepEqual(after.data, before.data);
      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.equal(after.metadata.annotations?.['multicluster.oam.dev/owner'], 'default/one');
      assert.equal(after.metadata.labels?.['multicluster.oam.dev/managed'], 'true');
    });

    test('REG-41 a Secret with the same endpoint is adopted from a kubeconfig, too', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const before = await join(hub, member, 'one');
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));

      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'ClusterRegistered'), 'True SecretAdopted');
      const after = await hub.secret('one');
      assert.deepEqual(after.data, before.data);
      assert.equal(after.metadata.uid, before.metadata.uid);
    });

    test('a Secret with another endpoint is adopted only where the policy says so', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await using other = await startMember();
      const before = await join(hub, other, 'one');
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'ClusterRegistered'), 'False NotAdoptable');
      assert.deepEqual(await hub.secret('one'), before);

      await hub.change('one', { adoptionPolicy: 'IfUnmanaged' });
      await hub.until('one', 'Ready');
      const after = await hub.secret('one');
      assert.equal(textsOf(after)['endpoint'], member.access.server);
      assert.equal(after.metadata.uid, before.metadata.uid);
    });

    test('REG-42 a Secret that is no cluster is never adopted', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await makeGatewayNamespace(hub);
      const foreign = sourceSecret('one', 'anything', { namespace: GATEWAY_NAMESPACE });
      const before = await hub.client.create(Secrets, foreign);
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { adoptionPolicy: 'IfUnmanaged' }));

      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'ClusterRegistered'), 'False NotAdoptable');
      assert.deepEqual(await hub.secret('one'), before);
    });

    test('an immutable Secret and one that holds a command are not adopted', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await makeGatewayNamespace(hub);
      const base = { endpoint: member.access.server, 'ca.crt': member.access.tls.ca ?? '' };
      const fixed = { ...joinedSecret('fixed', { ...base, token: 'old' }), immutable: true };
      const command = joinedSecret('command', { ...base, token: 'admin' });
      (command.metadata.labels ?? {})['cluster.core.oam.dev/cluster-credential-type'] = 'Dynamic';
      for (const secret of [fixed, command]) await hub.client.create(Secrets, secret);
      hub.start();
      for (const name of ['fixed', 'command']) {
        await hub.putMember(name, member);
        await hub.register(registration(name, { adoptionPolicy: 'IfUnmanaged' }));
      }
      const first = await hub.until('fixed', 'Failed');
      assert.equal(says(first, 'ClusterRegistered'), 'False SecretImmutable');
      const second = await hub.until('command', 'Failed');
      assert.equal(says(second, 'ClusterRegistered'), 'False NotAdoptable');
    });

    test('REG-43 of two registrations with one name exactly one is Ready', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await rivals(hub, member);
      const { winner, loser } = await decided(hub);
      const lost = await hub.get(loser);
      assert.equal(says(lost, 'ClusterRegistered'), 'False NameConflict');
      assert.ok(conditionOf(lost, 'ClusterRegistered')?.message.includes(`"${winner}"`));
      const { metadata } = await hub.secret('shared');
      assert.equal(metadata.annotations?.['multicluster.oam.dev/owner'], winner);
    });

    test('REG-44 deleting the loser leaves the Secret, deleting the winner gives it to the loser', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await rivals(hub, member);
      const { winner, loser } = await decided(hub);
      const before = await hub.secret('shared');
      await hub.remove(loser);
      await eventually(() => hub.isGone(loser));
      assert.equal((await hub.secret('shared')).metadata.uid, before.metadata.uid);

      const [namespace = '', name = ''] = loser.split('/');
      await hub.register(registration(name, { clusterName: 'shared' }, namespace));
      await hub.until(loser, 'Failed');
      await hub.remove(winner);
      await hub.until(loser, 'Ready');
      const after = await hub.secret('shared');
      assert.equal(after.metadata.annotations?.['multicluster.oam.dev/owner'], loser);
    });

    test('REG-45 an adopted Secret keeps its old type when the credential changes', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      const { server, tls } = member.access;
      await makeGatewayNamespace(hub);
      const data = {
        endpoint: server,
        'ca.crt': tls.ca ?? '',
        'tls.crt': member.pair.certificate,
        'tls.key': member.pair.key,
      };
      const type = 'kubernetes.io/tls';
      await hub.client.create(Secrets, joinedSecret('one', data, { type }));
      hub.start();
      const pair = member.pair;
      await hub.putSource('one-kubeconfig', kubeconfig({ server, ca: tls.ca, pair }));
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');

      await hub.putMember('one', member);
      const after = await eventually(
        () => hub.secret('one'),
        (secret) => textsOf(secret)['token'] === 'admin',
      );
      assert.equal(after.type, type);
      assert.equal(textsOf(after)['tls.key'], '');
      assert.equal(
        after.metadata.labels?.['cluster.core.oam.dev/cluster-credential-type'],
        'ServiceAccountToken',
      );
      await hub.until('one', 'Ready');
    });

    test('REG-46 another namespace is read only where its Secret allows it', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await hub.client.create(Namespaces, namespace('vault'));
      await hub.putSource('creds', kubeconfigFor(member.access), 'vault');
      hub.start();
      const credentialSource = { secretRef: { name: 'creds', namespace: 'vault' } };
      await hub.register(registration('one', { credentialSource }));
      const failed = await hub.until('one', 'Failed');
      assert.equal(says(failed, 'SourceResolved'), 'False CrossNamespaceDenied');

      await allow(hub, NAMESPACE);
      await hub.until('one', 'Ready');
      const before = await hub.secret('one');

      await allow(hub, null);
      const degraded = await hub.until('one', 'Degraded');
      assert.equal(says(degraded, 'SourceResolved'), 'False CrossNamespaceDenied');
      assert.deepEqual((await hub.secret('one')).data, before.data);
    });

    test('REG-46 a registration of the gateway namespace needs no permission', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      await makeGatewayNamespace(hub);
      await hub.putSource('prod-west-kubeconfig', kubeconfigFor(member.access), 'default');
      hub.start();
      const secretRef = { name: 'prod-west-kubeconfig', namespace: 'default', key: 'kubeconfig' };
      const spec = { clusterName: 'prod-west', credentialSource: { secretRef } };
      await hub.register(registration('production-west-cluster', spec, GATEWAY_NAMESPACE));
      await hub.until(`${GATEWAY_NAMESPACE}/production-west-cluster`, 'Ready');
      const { metadata } = await hub.secret('prod-west');
      assert.equal(metadata.ownerReferences?.[0]?.name, 'production-west-cluster');
    });

    test('REG-47 one cluster under two names is told of on both', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      for (const name of ['one', 'two']) {
        await hub.putMember(name, member);
        await hub.register(registration(name));
      }
      for (const name of ['one', 'two']) {
        const warned = await hub.until(
          name,
          (each) =>
            each.status?.phase === 'Ready' &&
            says(each, 'DuplicateCluster') === 'True SameClusterID',
        );
        assert.equal(says(warned, 'Ready'), 'True Registered');
      }
      await hub.remove('two');
      await hub.until('one', (each) => says(each, 'DuplicateCluster') === 'False Unique');
    });

    test('a hub that is registered with itself is told of', async () => {
      await using hub = await startHub(start);
      hub.start();
      await hub.putMember('one', hub);
      await hub.register(registration('one'));
      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'DuplicateCluster'), 'True SameClusterID');
    });

    test('a registration that is made anew under its name takes its Secret back', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.until('one', 'Ready');
      await hub.stop();
      await forceDelete(hub, 'one');
      const before = await hub.secret('one');
      await hub.register(registration('one'));
      hub.start();
      const ready = await hub.until('one', 'Ready');
      const after = await hub.secret('one');
      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.equal(
        after.metadata.annotations?.['multicluster.oam.dev/owner-uid'],
        ready.metadata.uid,
      );
    });
  });
}

/** A cluster that `vela cluster join` has joined. */
async function join(hub: TestHub, member: TestMember, name: string): Promise<Secret> {
  await makeGatewayNamespace(hub);
  const { server, tls } = member.access;
  const data = { endpoint: server, 'ca.crt': tls.ca ?? '', token: 'admin' };
  return hub.client.create(Secrets, joinedSecret(name, data, { labels: { env: 'prod' } }));
}

async function rivals(hub: TestHub, member: TestMember): Promise<void> {
  await hub.client.create(Namespaces, namespace('rivals'));
  const text = kubeconfigFor(member.access);
  await hub.putSource('one-kubeconfig', text);
  await hub.putSource('two-kubeconfig', text, 'rivals');
  await hub.register(registration('one', { clusterName: 'shared' }));
  await hub.register(registration('two', { clusterName: 'shared' }, 'rivals'));
  hub.start();
}

async function decided(hub: TestHub): Promise<{ winner: string; loser: string }> {
  const keys = ['default/one', 'rivals/two'];
  const phases = await eventually(
    () => Promise.all(keys.map(async (key) => (await hub.get(key)).status?.phase)),
    (seen) => seen.includes('Ready') && seen.includes('Failed'),
    { withinMs: 20_000 },
  );
  const [winner = '', loser = ''] = phases[0] === 'Ready' ? keys : [...keys].reverse();
  return { winner, loser };
}

async function allow(hub: TestHub, namespaces: string | null): Promise<void> {
  const annotations = { 'multicluster.oam.dev/allow-registrations-from': namespaces };
  const body = { metadata: { annotations } };
  await hub.client.patch(Secrets, { namespace: 'vault', name: 'creds' }, { type: 'merge', body });
}

/** As somebody does who loses patience: the finalizer is taken off. */
export async function forceDelete(hub: TestHub, name: string): Promise<void> {
  await hub.remove(name);
  await hub.client.patch(
    ClusterRegistrations,
    { namespace: NAMESPACE, name },
    { type: 'merge', body: { metadata: { finalizers: null } } },
  );
  await eventually(() => hub.isGone(name));
}

/** The namespace of the gateway, before the controllers make it. */
export async function makeGatewayNamespace(hub: TestHub): Promise<void> {
  await hub.client.apply(Namespaces, namespace(GATEWAY_NAMESPACE), { fieldManager: 'test' });
}

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
