import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Namespaces } from '@flotilla/client';
import { eventually } from '@flotilla/testkit';
import { conditionOf, kubeconfig, registration, says, textsOf } from '../testing/builders.ts';
import { startMember } from '../testing/member.ts';
import { refusal, startOddMember, welcoming } from '../testing/odd-member.ts';
import { type StartServer, startHub } from '../testing/world.ts';

/** What happens when a cluster joins, on any hub. */
export function joiningCases(start: StartServer): void {
  describe('joining a cluster', () => {
    test('REG-1 writes a cluster Secret with a token and reaches Ready', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));

      const ready = await hub.until('one', 'Ready');
      const secret = await hub.secret('one');
      assert.equal(secret.type, 'Opaque');
      assert.equal(
        secret.metadata.labels?.['cluster.core.oam.dev/cluster-credential-type'],
        'ServiceAccountToken',
      );
      assert.deepEqual(textsOf(secret), {
        endpoint: member.access.server,
        'ca.crt': member.access.tls.ca,
        token: 'admin',
      });
      assert.equal(says(ready, 'Ready'), 'True Registered');
      assert.equal(says(ready, 'SourceResolved'), 'True SecretResolved');
      assert.equal(says(ready, 'CredentialValid'), 'True TokenVerified');
      assert.equal(says(ready, 'APIServerReachable'), 'True ConnectionSuccessful');
      assert.equal(says(ready, 'ClusterRegistered'), 'True SecretCreated');
      assert.equal(ready.status?.clusterInfo?.authenticatedAs, 'admin');
      const { metadata } = await member.client.get(Namespaces, { name: 'kube-system' });
      assert.equal(ready.status?.clusterInfo?.clusterID, metadata.uid);
      assert.deepEqual(hub.complaints, []);
    });

    test('REG-2 writes a client certificate and no token', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      const { server, tls } = member.access;
      await hub.putSource('one-kubeconfig', kubeconfig({ server, ca: tls.ca, pair: member.pair }));
      await hub.register(registration('one'));

      const ready = await hub.until('one', 'Ready');
      const secret = await hub.secret('one');
      assert.equal(
        secret.metadata.labels?.['cluster.core.oam.dev/cluster-credential-type'],
        'X509Certificate',
      );
      assert.deepEqual(Object.keys(secret.data ?? {}).sort(), [
        'ca.crt',
        'endpoint',
        'tls.crt',
        'tls.key',
      ]);
      assert.equal(says(ready, 'CredentialValid'), 'True CertificateVerified');
      assert.equal(ready.status?.clusterInfo?.authenticatedAs, 'admin-by-certificate');
    });

    test('REG-4 takes the name of the registration where the spec has none', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));
      await hub.putMember('two', member);
      await hub.register(registration('two', { clusterName: 'other' }));

      const one = await hub.until('one', 'Ready');
      const two = await hub.until('two', 'Ready');
      assert.equal(one.status?.registeredName, 'one');
      assert.equal(two.status?.registeredName, 'other');
      assert.ok(await hub.hasSecret('one'));
      assert.ok(await hub.hasSecret('other'));
      assert.equal(await hub.hasSecret('two'), false);
    });

    test('REG-5 puts alias and labels onto the cluster Secret, and takes them off again', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      const labels = { env: 'prod', 'example.com/tier': 'gold' };
      await hub.register(registration('one', { alias: 'Number One', labels }));

      await hub.until('one', 'Ready');
      const { metadata } = await hub.secret('one');
      assert.equal(metadata.annotations?.['cluster.core.oam.dev/cluster-alias'], 'Number One');
      assert.equal(metadata.labels?.['env'], 'prod');
      assert.equal(metadata.labels?.['example.com/tier'], 'gold');

      await hub.change('one', { alias: null, labels: { env: 'test', 'example.com/tier': null } });
      const changed = await eventually(
        () => hub.secret('one'),
        ({ metadata: { labels: now = {} } }) => now['env'] === 'test',
      );
      assert.equal(changed.metadata.labels?.['example.com/tier'], undefined);
      assert.equal(changed.metadata.annotations?.['cluster.core.oam.dev/cluster-alias'], undefined);
    });

    test('REG-10 creates the namespace on the member, and says when it was there', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { config: { createNamespace: 'team-x' } }));
      await hub.putMember('two', member);
      await hub.register(registration('two', { config: { createNamespace: 'default' } }));

      const one = await hub.until('one', 'Ready');
      assert.equal(
        says(one, 'NamespaceCreated'),
        'True NamespaceCreated',
        conditionOf(one, 'NamespaceCreated')?.message,
      );
      await member.client.get(Namespaces, { name: 'team-x' });
      const two = await hub.until('two', 'Ready');
      assert.equal(says(two, 'NamespaceCreated'), 'True NamespaceExists');
    });

    test('REG-11 asks for no namespace where the spec names none', async () => {
      await using hub = await startHub(start);
      await using member = await startOddMember(welcoming('admin'));
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one', { config: { createNamespace: '' } }));

      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'NamespaceCreated'), 'Unknown Disabled');
      // By the uid of this one clusters are told apart.
      const asked = member.asked.filter((each) => !each.endsWith('/namespaces/kube-system'));
      assert.deepEqual(
        asked.filter((each) => each.includes('/namespaces')),
        [],
      );
    });

    test('REG-69 tells by a node of the member whose machines it has, and joins where nodes are not shown', async () => {
      await using hub = await startHub(start);
      const providerID = 'gce://acme/europe-west1-b/gke-prod-pool-1-x';
      const metadata = { name: 'gke-prod-pool-1-x' };
      const nodes = { apiVersion: 'v1', kind: 'NodeList', metadata: {} };
      await using member = await startOddMember({
        ...welcoming('admin'),
        'GET /api/v1/nodes': [200, { ...nodes, items: [{ metadata, spec: { providerID } }] }],
      });
      await using silent = await startOddMember({
        ...welcoming('admin', 'silent'),
        'GET /api/v1/nodes': refusal(403, 'Forbidden'),
      });
      await using odd = await startOddMember({
        ...welcoming('admin', 'oddest'),
        'GET /api/v1/nodes': [200, { ...nodes, items: [null, { spec: { providerID: 7 } }] }],
      });
      hub.start();
      for (const [name, each] of Object.entries({ one: member, two: silent, three: odd })) {
        await hub.putMember(name, each);
        await hub.register(registration(name));
      }

      const one = await hub.until('one', 'Ready');
      assert.equal(one.status?.clusterInfo?.providerID, providerID);
      for (const name of ['two', 'three']) {
        const ready = await hub.until(name, 'Ready');
        assert.equal(ready.status?.clusterInfo?.providerID, undefined, name);
      }
    });

    test('REG-23 is Ready without KubeVela', async () => {
      await using hub = await startHub(start);
      await using member = await startMember();
      hub.start();
      await hub.putMember('one', member);
      await hub.register(registration('one'));

      const ready = await hub.until('one', 'Ready');
      assert.equal(says(ready, 'ApplicationsRefreshed'), 'Unknown KubeVelaNotInstalled');
      assert.equal(conditionOf(ready, 'DuplicateCluster')?.status, 'False');
    });
  });
}
