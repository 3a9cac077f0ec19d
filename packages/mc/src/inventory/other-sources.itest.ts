import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { type FleetServer, jsonAnswer } from '../testing/fleet-server.ts';
import { inventoryDeps } from '../testing/inventory-deps.ts';
import { startFleet } from '../testing/start-fleet.ts';
import { discoverFleet } from './discover-fleet.ts';

/** Has a server say what it is called, as about.k8s.io does. */
function callItself(server: FleetServer, properties: Readonly<Record<string, string>>): void {
  server.answerWith(async () =>
    jsonAnswer(200, {
      items: Object.entries(properties).map(([name, value]) => ({
        metadata: { name },
        spec: { value },
      })),
    }),
  );
}

describe('without a hub', () => {
  test('contexts of the kubeconfig are clusters, and nobody is asked', async () => {
    await using fleet = await startFleet({ members: 2, servesProfiles: false });
    const clusters = await discoverFleet(await inventoryDeps(fleet, ['--inventory', 'kubeconfig']));

    assert.deepEqual(
      clusters.map(({ name, context, mapping }) => [name, context, mapping?.context]),
      [
        ['c1', 'c1', 'c1'],
        ['c2', 'c2', 'c2'],
        ['hub', 'hub', undefined],
      ],
    );
    for (const { requests } of [fleet.hub, ...fleet.members]) assert.equal(requests.length, 0);
  });

  test('--context means that one cluster', async () => {
    await using fleet = await startFleet({ members: 2, servesProfiles: false });
    const clusters = await discoverFleet(await inventoryDeps(fleet, ['--context', 'c2']));

    assert.deepEqual(
      clusters.map(({ name, context }) => [name, context]),
      [['c2', 'c2']],
    );
    assert.equal(fleet.hub.requests.length, 0);
    await assert.rejects(
      discoverFleet(await inventoryDeps(fleet, ['--context', 'c3'])),
      /^UsageError: context "c3" does not exist\s+Did you mean this\?\s+c1\s+c2/,
    );
  });

  test('clusters are called what they call themselves, and contexts of one cluster are one', async () => {
    await using fleet = await startFleet({ members: 4, servesProfiles: false });
    const [c1, c2, c3] = fleet.members;
    assert.ok(c1 && c2 && c3);
    callItself(fleet.hub, { 'id.k8s.io': 'the-hub' });
    callItself(c1, { 'cluster.clusterset.k8s.io': 'west', 'clusterset.k8s.io': 'blue', x: 'y' });
    callItself(c2, { 'cluster.clusterset.k8s.io': 'west' });
    callItself(c3, { 'cluster.clusterset.k8s.io': '\u001b[31m' });
    const world = { ...fleet, clock: new ManualClock() };
    const argv = ['--inventory', 'about'];
    const deps = await inventoryDeps(world, argv);
    const clusters = await discoverFleet(deps);

    assert.deepEqual(
      clusters.map(({ name, context, aliases }) => [name, context, ...aliases]),
      [
        ['c3', 'c3'],
        ['c4', 'c4'],
        ['the-hub', 'hub', 'hub'],
        ['west', 'c1', 'c1', 'c2'],
      ],
    );
    const west = clusters.at(-1);
    assert.equal(west?.properties['x'], 'y');
    assert.equal(west?.labels['multicluster.x-k8s.io/clusterset'], 'blue');
    assert.match(deps.notes.join('\n'), /1 c4: it does not say what it is called: /);
    assert.match(deps.notes.join('\n'), /1 Contexts "c1" and "c2" are one cluster, "west"/);

    fleet.forgetRequests();
    await discoverFleet(await inventoryDeps(world, argv));
    assert.equal(c1.requests.length, 0, 'what they said is kept');

    world.clock.jump(6 * 60_000);
    await c1.server.stop();
    const later = await discoverFleet(await inventoryDeps(world, argv));
    assert.equal(c2.requests.length, 1);
    assert.equal(later.at(-1)?.context, 'c1', 'one that is down keeps the name it had');
  });
});
