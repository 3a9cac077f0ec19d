import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, ClusterRoleBindings, ServiceAccounts } from '@flotilla/client';
import { forbiddenError } from '@flotilla/machinery';
import { calm, startHub } from '../applications/testing/vela-hub.ts';
import { CertificateSigningRequests, Klusterlets, ManagedClusters } from './kinds.ts';
import { joinManagedCluster } from './ocm-engine.ts';
import { agentSubject } from './testing/certificate-request.ts';
import {
  ask,
  clusterOf,
  connectAgent,
  JOINED,
  report,
  startMember,
  startOcmHub,
  wanting,
} from './testing/ocm-fleet.ts';

describe('joinManagedCluster', () => {
  test('joins a member from nothing to available, as Open Cluster Management and the agent do their parts', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const wanted = wanting(hub);
    const join = () => joinManagedCluster({ hub: hub.client, member: member.client }, wanted, calm);

    const first = await join();
    assert.equal(first.reason, 'AwaitingAcceptance');
    assert.match(first.message, /waits for Open Cluster Management on the hub to accept it/);
    assert.match(first.message, /no request for a certificate has come/);
    assert.ok(first.retryAfterMs !== undefined);
    const { spec, labels, annotations } = await clusterOf(hub.client);
    assert.deepEqual(spec, { hubAcceptsClient: true, leaseDurationSeconds: 60 });
    assert.deepEqual(labels, { env: 'prod' });
    assert.equal(annotations['multicluster.oam.dev/owner'], 'fleet/west');
    const { spec: klusterlet } = await member.client.get(Klusterlets, { name: 'klusterlet' });
    assert.deepEqual(klusterlet, {
      clusterName: 'west',
      namespace: 'open-cluster-management-agent',
      deployOption: { mode: 'Singleton' },
    });

    const agent = await connectAgent(hub, member.client);
    assert.equal((await agent.get(ManagedClusters, { name: 'west' })).metadata.name, 'west');
    await ask(agent, 'west-1');
    assert.match((await join()).message, /its certificate was approved/);
    const { status } = await hub.client.get(CertificateSigningRequests, { name: 'west-1' });
    assert.deepEqual(
      status?.conditions?.map((one) => [one.type, one.status]),
      [['Approved', 'True']],
    );

    const { HubAcceptedManagedCluster } = JOINED;
    await report(hub.client, 'west', { HubAcceptedManagedCluster });
    assert.match((await join()).message, /is accepted, its agent has not joined/);

    await report(hub.client, 'west', JOINED);
    const away = await join();
    assert.deepEqual(
      [away.reason, away.isAvailable],
      ['ManagedClusterAccepted', false],
      away.message,
    );

    const ManagedClusterConditionAvailable = ['True', 'ManagedClusterAvailable', 'ok'] as const;
    await report(hub.client, 'west', { ...JOINED, ManagedClusterConditionAvailable });
    assert.deepEqual(await join(), {
      reason: 'ManagedClusterAccepted',
      message: 'ManagedCluster "west" joined and is available',
      isAvailable: true,
      retryAfterMs: undefined,
    });
  });

  test('asks neither the hub twice nor the member at all once it is available', async () => {
    await using hub = await startOcmHub();
    const wanted = wanting(hub);
    await joinManagedCluster({ hub: hub.client, member: undefined }, wanted, calm);
    const ManagedClusterConditionAvailable = ['True', 'ManagedClusterAvailable', 'ok'] as const;
    await report(hub.client, 'west', { ...JOINED, ManagedClusterConditionAvailable });
    const before = await clusterOf(hub.client);
    const reads: string[] = [];
    const never = () => assert.fail('nothing has to be written');
    const watched: Client = {
      ...hub.client,
      get: (kind, key, options) => {
        reads.push(kind.plural);
        return hub.client.get(kind, key, options);
      },
      list: never,
      create: never,
      patch: never,
      apply: never,
      replace: never,
      raw: never,
    };

    await joinManagedCluster({ hub: watched, member: undefined }, wanted, calm);

    assert.deepEqual(reads, ['managedclusters']);
    assert.deepEqual(await clusterOf(hub.client), before);
  });

  test('reports a lease that stopped as not available, with the words of the hub', async () => {
    await using hub = await startOcmHub();
    const wanted = wanting(hub);
    await joinManagedCluster({ hub: hub.client, member: undefined }, wanted, calm);
    await report(hub.client, 'west', {
      ...JOINED,
      ManagedClusterConditionAvailable: [
        'Unknown',
        'ManagedClusterLeaseUpdateStopped',
        'Registration agent stopped updating its lease.',
      ],
    });

    const progress = await joinManagedCluster({ hub: hub.client, member: undefined }, wanted, calm);

    assert.deepEqual([progress.reason, progress.isAvailable], ['ManagedClusterAccepted', false]);
    assert.match(progress.message, /Registration agent stopped updating its lease/);
  });

  test('says what is missing on a hub without Open Cluster Management, and fails nothing', async () => {
    await using hub = await startHub();

    const progress = await joinManagedCluster(
      { hub: hub.client, member: undefined },
      wanting(hub),
      calm,
    );

    assert.equal(progress.reason, 'EngineNotSupported');
    assert.match(progress.message, /clusteradm init/);
  });

  test('approves nothing that another account asks for, and says who did', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    await using stranger = await startMember({ operator: true });
    const join = () =>
      joinManagedCluster({ hub: hub.client, member: member.client }, wanting(hub), calm);
    await join();
    const east = wanting(hub, {
      name: 'east',
      owner: { namespace: 'fleet', name: 'east', uid: 'uid-2' },
    });
    await joinManagedCluster({ hub: hub.client, member: stranger.client }, east, calm);
    // The agent of east asks for what is west's, in all respects but its own name.
    await ask(await connectAgent(hub, stranger.client), 'stolen');
    await ask(hub.client, 'by-hand');

    const { message } = await join();

    assert.match(message, /is not approved/);
    for (const name of ['stolen', 'by-hand']) {
      const { status } = await hub.client.get(CertificateSigningRequests, { name });
      assert.deepEqual(status?.conditions ?? [], [], name);
    }
  });

  test('prepares the member also where somebody else has to approve, and says why', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const request = { group: 'certificates.k8s.io', resource: 'certificatesigningrequests' };
    const limited: Client = {
      ...hub.client,
      replace: (_kind, object) => {
        throw forbiddenError(request, object.metadata.name ?? '', 'not this one');
      },
    };
    const join = () =>
      joinManagedCluster({ hub: limited, member: member.client }, wanting(hub), calm);
    await join();
    await ask(await connectAgent(hub, member.client), 'west-1');

    const waiting = await join();
    assert.equal(waiting.reason, 'AwaitingAcceptance');
    assert.match(waiting.message, /cannot be approved: .*not this one/);
    await report(hub.client, 'west', JOINED);
    const joined = await join();
    assert.deepEqual([joined.reason, joined.isAvailable], ['ManagedClusterAccepted', false]);
  });

  test('does not mind when others decide about a request meanwhile', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const ends = { hub: hub.client, member: member.client };
    await joinManagedCluster(ends, wanting(hub), calm);
    const agent = await connectAgent(hub, member.client);
    await ask(agent, 'gone');
    await ask(agent, 'touched');
    const racing: Client = {
      ...hub.client,
      replace: async (kind, object, options) => {
        const { name = '' } = object.metadata;
        if (name === 'gone') await hub.client.delete(kind, { name });
        const body = { metadata: { annotations: { seen: 'true' } } };
        if (name === 'touched') await hub.client.patch(kind, { name }, { type: 'merge', body });
        return hub.client.replace(kind, object, options);
      },
    };

    const raced = await joinManagedCluster({ ...ends, hub: racing }, wanting(hub), calm);
    assert.doesNotMatch(raced.message, /cannot be approved/);
    await joinManagedCluster(ends, wanting(hub), calm);
    const { status } = await hub.client.get(CertificateSigningRequests, { name: 'touched' });
    assert.equal(status?.conditions?.[0]?.type, 'Approved');
  });

  test('says what it may not do on the hub or on the member, and ends when told to', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const nobody = hub.connect(hub.server.accessAs('nobody', ['system:authenticated']));
    const noMember = member.connect(member.server.accessAs('nobody', ['system:authenticated']));

    const onHub = await joinManagedCluster({ hub: nobody, member: undefined }, wanting(hub), calm);
    assert.equal(onHub.reason, 'WriteFailed');
    assert.match(onHub.message, /Cannot write ManagedCluster "west": .*forbidden/);
    const onMember = await joinManagedCluster(
      { hub: hub.client, member: noMember },
      wanting(hub),
      calm,
    );
    assert.equal(onMember.reason, 'WriteFailed');
    assert.match(onMember.message, /Cannot prepare the member: .*forbidden/);

    const ended = AbortSignal.abort(new Error('told to'));
    await assert.rejects(
      joinManagedCluster({ hub: hub.client, member: undefined }, wanting(hub), ended),
      /told to/,
    );
  });

  test('resumes after every write that a crash may follow, and ends with the same', async () => {
    await using hub = await startOcmHub();
    await using member = await startMember({ operator: true });
    const wanted = wanting(hub);
    let writes = 0;
    const mortal = (client: Client, last: number): Client => {
      const dying =
        <A extends unknown[], R>(write: (...given: A) => Promise<R>) =>
        async (...given: A): Promise<R> => {
          if (writes >= last) throw new Error('killed');
          const result = await write(...given);
          writes += 1;
          return result;
        };
      return {
        ...client,
        create: dying(client.create) as Client['create'],
        patch: dying(client.patch) as Client['patch'],
        apply: dying(client.apply) as Client['apply'],
        replace: dying(client.replace) as Client['replace'],
      };
    };
    for (let last = 0; last < 12; last++) {
      writes = 0;
      const ends = { hub: mortal(hub.client, last), member: mortal(member.client, last) };
      await joinManagedCluster(ends, wanted, calm).catch(() => undefined);
    }

    const ends = { hub: hub.client, member: member.client };
    const { reason, message } = await joinManagedCluster(ends, wanted, calm);
    assert.equal(reason, 'AwaitingAcceptance', message);
    await ask(await connectAgent(hub, member.client), 'west-1', {
      subject: agentSubject('west', 'x'),
    });
    assert.match((await joinManagedCluster(ends, wanted, calm)).message, /was approved/);
    const accounts = await hub.client.list(ServiceAccounts, {
      namespace: 'open-cluster-management',
    });
    assert.equal(
      accounts.items.filter(({ metadata }) => metadata.name?.startsWith('flotilla')).length,
      1,
    );
    await hub.client.get(ClusterRoleBindings, { name: 'flotilla:ocm-bootstrap:west' });
  });
});
