import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { ClusterProfiles } from '@flotilla/api';
import { createClient, createTransport, loadKubeconfig, resolveAccess } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { refusalAnswer } from './fleet-server.ts';
import { startFleet } from './start-fleet.ts';

test('a fleet has a hub with profiles and a kubeconfig that leads to every server', async () => {
  await using fleet = await startFleet({ members: 3 });
  const { hub, kubeconfigFile: path } = fleet;

  const kubeconfig = await loadKubeconfig({ path, env: {}, home: fleet.homeFolder });
  const connect = async (context: string) =>
    createClient(
      createTransport({
        access: await resolveAccess(kubeconfig, { context, env: {} }),
        clock: systemClock,
        random: () => 0,
      }),
    );
  await using user = await connect('hub');
  await using member = await connect('c2');
  const profiles = await user.list(ClusterProfiles);
  const version = await member.raw({ path: '/version' });

  assert.deepEqual(
    profiles.items.map(({ metadata, status }) => [
      metadata.name,
      status?.accessProviders?.[0]?.cluster?.server,
    ]),
    fleet.members.map(({ name, server }) => [name, server.url]),
  );
  assert.equal(typeof version, 'object');
  assert.deepEqual(
    hub.requests.map(({ method, path: asked, query }) => `${method} ${asked}?${query}`),
    ['GET /apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles?limit=500'],
  );
  assert.equal(fleet.member('c2').requests.length, 1);
  assert.equal(fleet.member('c1').requests.length, 0);

  hub.answerWith(async () => refusalAnswer(403, 'Forbidden', 'no'));
  await assert.rejects(user.list(ClusterProfiles), { code: 403 });
  assert.equal((await hub.client.list(ClusterProfiles)).items.length, 3);
});

test('nothing is left behind', async () => {
  const fleet = await startFleet({ members: 1 });
  await fleet[Symbol.asyncDispose]();

  assert.equal(existsSync(fleet.homeFolder), false);
});
