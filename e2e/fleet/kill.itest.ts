// `flotilla up --fleet` as a process of its own, killed at any moment.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import {
  type Client,
  createClient,
  createTransport,
  Deployments,
  loadKubeconfig,
  Pods,
  resolveAccess,
} from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { type Flotilla, startFlotilla, temporaryFolder } from '../robustness/flotilla-process.ts';

const MEMBERS = 2;
const patience = { withinMs: 120_000 };

/** What can be seen of a start from outside, in its order. */
const MOMENTS: readonly ((fleet: Flotilla, hub: Client) => boolean | Promise<boolean>)[] = [
  () => true,
  async (_, hub) => (await hub.list(ClusterRegistrations)).items.length <= MEMBERS,
  (fleet) => serversIn(fleet).length > 1,
  async (_, hub) => (await hub.list(ClusterRegistrations)).items.length > 0,
  (fleet) => serversIn(fleet).length > MEMBERS,
  async (_, hub) => (await hub.list(ClusterRegistrations)).items.length === MEMBERS,
];

describe('a fleet that is killed', () => {
  test('at any moment of its start is whole in the end, and nothing is there twice', async () => {
    using folder = temporaryFolder();
    const options = { dataFolder: join(folder.path, 'data'), fleet: MEMBERS };
    for (const isThen of MOMENTS) {
      const killed = await startFlotilla(options);
      await using hub = await connect(killed);
      await eventually(() => isThen(killed, hub), Boolean, { ...patience, tolerates: isNotFound });
      await killed.crash();
    }

    await using fleet = await startFlotilla(options);

    await using hub = await connect(fleet);
    const { items } = await eventually(
      () => hub.list(ClusterRegistrations),
      (list) =>
        list.items.length === MEMBERS &&
        list.items.every(({ status }) => status?.phase === 'Ready'),
      { ...patience, tolerates: isNotFound },
    );
    assert.deepEqual(
      new Set(items.map(({ metadata }) => metadata.name)),
      new Set(['member-1', 'member-2']),
    );
    for (const name of ['member-1', 'member-2']) {
      await eventually(() => fleet.output().includes('The fleet is up'), Boolean, patience);
      await using member = await connect(fleet, name);
      await eventually(
        () => member.list(Deployments, { namespace: 'shop' }),
        (list) =>
          list.items.length === 2 &&
          list.items.every(({ spec, status }) => status?.readyReplicas === spec?.replicas),
        patience,
      );
      const wanted = await member.list(Deployments, { namespace: 'shop' });
      const web = wanted.items.find(({ metadata }) => metadata.name === 'web');
      const pods = await member.list(Pods, { namespace: 'shop', labelSelector: 'app=web' });
      assert.equal(pods.items.length, web?.spec?.replicas);
    }
  });

  test('is where it was after a kill, and stops as it should after that', async () => {
    using folder = temporaryFolder();
    const options = { dataFolder: join(folder.path, 'data'), fleet: MEMBERS };
    const first = await startFlotilla(options);
    await eventually(() => first.output().includes('The fleet is up'), Boolean, patience);
    const before = serversIn(first);
    await first.crash();

    await using second = await startFlotilla(options);
    await eventually(() => second.output().includes('The fleet is up'), Boolean, patience);

    assert.deepEqual(serversIn(second).slice(1), before.slice(1));
    second.kill('SIGTERM');
    assert.deepEqual(await second.exited, { code: 0, signal: null });
    assert.match(second.output(), /Stopped\n$/);
  });
});

async function connect({ kubeconfigFile }: Flotilla, context?: string): Promise<Client> {
  const kubeconfig = await loadKubeconfig({ env: {}, home: '/', path: kubeconfigFile });
  const access = await resolveAccess(kubeconfig, { env: {}, context });
  return createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
}

function serversIn({ kubeconfigFile }: Flotilla): string[] {
  const text = readFileSync(kubeconfigFile, 'utf8');
  return [...text.matchAll(/server: (\S+)/g)].map(([, server = '']) => server);
}
