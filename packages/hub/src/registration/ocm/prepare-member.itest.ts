import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, ConfigMaps, Deployments, Namespaces, Secrets } from '@flotilla/client';
import { isForbidden, isNotFound } from '@flotilla/machinery';
import { calm } from '../applications/testing/vela-hub.ts';
import { Klusterlets, ManagedClusters } from './kinds.ts';
import { AGENT_NAMESPACE, BOOTSTRAP_SECRET } from './names.ts';
import { joinManagedCluster } from './ocm-engine.ts';
import {
  bootstrapKubeconfig,
  clusterOf,
  connectAgent,
  startMember,
  startOcmHub,
  tokensIn,
  wanting,
} from './testing/ocm-fleet.ts';

const DAY_MS = 24 * 3600_000;

describe('the agent of a member that joins', () => {
  test('says that the klusterlet operator has to be installed, and leaves the Secret for it', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: false });

    const progress = await joinManagedCluster(
      { hub: hub.client, member: member.client },
      wanting(hub),
      calm,
    );

    assert.equal(progress.reason, 'AwaitingAcceptance');
    assert.match(progress.message, /install the klusterlet operator/);
    assert.match(await bootstrapKubeconfig(member.client), /current-context: bootstrap/);
  });

  test('gives the agent the image of its operator where that can be seen', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const namespace = 'open-cluster-management';
    await member.client.create(Namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
    const labels = { app: 'klusterlet' };
    await member.client.create(Deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace, name: 'klusterlet' },
      spec: {
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: 'klusterlet', image: 'example.com/registration-operator:v1' }],
          },
        },
      },
    });

    await joinManagedCluster({ hub: hub.client, member: member.client }, wanting(hub), calm);

    const { spec } = await member.client.get(Klusterlets, { name: 'klusterlet' });
    assert.equal(spec?.imagePullSpec, 'example.com/registration-operator:v1');
  });

  test('lets the agent do no more on the hub than it needs, and no one read its token', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const { message } = await joinManagedCluster(
      { hub: hub.client, member: member.client },
      wanting(hub),
      calm,
    );
    const agent = await connectAgent(hub, member.client);

    await assert.rejects(agent.list(Secrets), isForbidden);
    await assert.rejects(agent.delete(ManagedClusters, { name: 'west' }), isForbidden);
    const accept = { type: 'merge', body: { spec: { hubAcceptsClient: false } } } as const;
    await assert.rejects(agent.patch(ManagedClusters, { name: 'west' }, accept), isForbidden);
    const [token = ''] = tokensIn(await bootstrapKubeconfig(member.client));
    assert.ok(token.length > 100);
    assert.ok(!message.includes(token));
    assert.ok(!JSON.stringify(await clusterOf(hub.client)).includes(token));
  });

  test('never repeats what a member says about the token it was given', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const quoting: Client = {
      ...member.client,
      create: (kind, object, options) => {
        if (kind.plural !== 'secrets') return member.client.create(kind, object, options);
        throw new Error(`denied: ${JSON.stringify(object)} is not to our taste`);
      },
    };

    const progress = await joinManagedCluster(
      { hub: hub.client, member: quoting },
      wanting(hub),
      calm,
    );

    assert.equal(progress.reason, 'WriteFailed');
    assert.match(progress.message, /denied/);
    assert.doesNotMatch(progress.message, /eyJ|[A-Za-z0-9+/]{200}/);
  });

  test('renews a token that ends soon, one for another hub address, and no other', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    await joinManagedCluster(ends, wanting(hub), calm);
    const first = await bootstrapKubeconfig(member.client);

    await joinManagedCluster(ends, wanting(hub), calm);
    assert.equal(await bootstrapKubeconfig(member.client), first);

    const nearlyOver = () => new Date(Date.now() + DAY_MS - 1800_000);
    await joinManagedCluster(ends, wanting(hub, { now: nearlyOver }), calm);
    const second = await bootstrapKubeconfig(member.client);
    assert.notDeepEqual(tokensIn(second), tokensIn(first));

    const hubAddress = { server: 'https://hub.example.com:6443', ca: undefined };
    await joinManagedCluster(ends, wanting(hub, { hubAddress }), calm);
    const moved = await bootstrapKubeconfig(member.client);
    assert.match(moved, /server: https:\/\/hub\.example\.com:6443/);
    assert.doesNotMatch(moved, /certificate-authority-data/);
  });

  test('takes the address of kube-public/cluster-info where the spec says so', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    const wanted = wanting(hub, { inClusterBootstrap: true });

    const without = await joinManagedCluster(ends, wanted, calm);
    assert.equal(without.reason, 'HubNotReady');
    assert.match(without.message, /kube-public\/cluster-info.*inClusterBootstrap to false/);

    const key = { namespace: 'kube-public', name: 'cluster-info' };
    await hub.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: key,
      data: { kubeconfig: 'clusters: []' },
    });
    assert.equal((await joinManagedCluster(ends, wanted, calm)).reason, 'HubNotReady');

    const ca = Buffer.from('the CA').toString('base64');
    const kubeconfig = `clusters:\n- name: ""\n  cluster:\n    server: https://10.0.0.1:6443\n    certificate-authority-data: ${ca}\n`;
    const body = { data: { kubeconfig } };
    await hub.client.patch(ConfigMaps, key, { type: 'merge', body });
    assert.equal((await joinManagedCluster(ends, wanted, calm)).reason, 'AwaitingAcceptance');
    const given = await bootstrapKubeconfig(member.client);
    assert.match(given, /server: https:\/\/10\.0\.0\.1:6443/);
    assert.ok(given.includes(ca));
  });

  test('leaves the agent of another hub alone', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    await member.client.create(Klusterlets, {
      apiVersion: 'operator.open-cluster-management.io/v1',
      kind: 'Klusterlet',
      metadata: { name: 'klusterlet' },
      spec: { clusterName: 'someone-elses' },
    });
    const named = await joinManagedCluster(ends, wanting(hub), calm);
    assert.equal(named.reason, 'NotAdoptable');
    assert.match(named.message, /registered as "someone-elses"/);
    await assert.rejects(bootstrapKubeconfig(member.client), isNotFound);

    await member.client.delete(Klusterlets, { name: 'klusterlet' });
    const key = { namespace: AGENT_NAMESPACE, name: BOOTSTRAP_SECRET };
    await member.client.create(Namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: AGENT_NAMESPACE },
    });
    const data = { kubeconfig: Buffer.from('theirs').toString('base64') };
    await member.client.create(Secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: key,
      data,
    });
    const secret = await joinManagedCluster(ends, wanting(hub), calm);
    assert.equal(secret.reason, 'NotAdoptable');
    assert.equal(await bootstrapKubeconfig(member.client), 'theirs');
    await assert.rejects(member.client.get(Klusterlets, { name: 'klusterlet' }), isNotFound);
  });
});
