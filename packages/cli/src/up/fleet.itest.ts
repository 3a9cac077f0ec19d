import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { ClusterRegistrations } from '@flotilla/api';
import { type Client, ConfigMaps, Deployments, Nodes, Secrets } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { type RunningUp, runUp, serversIn, temporaryFolder } from './testing/run-up.ts';

const patience = { withinMs: 120_000 };

describe('flotilla up --fleet', () => {
  test('joins its members, gives them workloads, and leads to each by a context', async () => {
    using folder = temporaryFolder();
    const running = await runUp(folder.path, { fleet: 2 });
    try {
      await isUp(running);
      await using hub = await running.connect();
      assert.deepEqual(await readyMembers(hub, 2), ['member-1', 'member-2']);
      const { items } = await hub.list(ClusterRegistrations, { namespace: 'vela-system' });
      assert.deepEqual(
        items.map(({ spec }) => spec.labels?.['region']),
        ['eu-west', 'us-east'],
      );
      for (const name of ['member-1', 'member-2']) {
        await using member = await running.connect(name);
        const { items: nodes } = await member.list(Nodes);
        assert.deepEqual(
          nodes.map(({ metadata }) => metadata.name),
          [`${name}-node-0`],
        );
        await eventually(
          () => member.get(Deployments, { namespace: 'shop', name: 'web' }),
          ({ status, spec }) => status?.readyReplicas === spec?.replicas,
          patience,
        );
      }
    } finally {
      assert.equal(await running.stop(), 0);
    }
    assert.match(running.output(), /Stopped\n$/);
  });

  test('finds everything where it was after a restart, and brings nothing back that was deleted', async () => {
    using folder = temporaryFolder();
    const first = await runUp(folder.path, { fleet: 2 });
    try {
      await isUp(first);
      await using hub = await first.connect();
      await readyMembers(hub, 2);
      await using member = await first.connect('member-1');
      await member.delete(Deployments, { namespace: 'shop', name: 'cart' });
      await hub.delete(ClusterRegistrations, { namespace: 'vela-system', name: 'member-2' });
      await eventually(async () => (await readyMembers(hub, 1)).length === 1, Boolean, patience);
    } finally {
      await first.stop();
    }
    const before = serversIn(folder.path).slice(1);

    const second = await runUp(folder.path, { fleet: 2 });
    try {
      // Also before the members run, the kubeconfig leads to where they will be.
      assert.deepEqual(serversIn(folder.path).slice(1), before);
      await isUp(second);
      await using hub = await second.connect();
      assert.deepEqual(await readyMembers(hub, 1), ['member-1']);
      await using member = await second.connect('member-1');
      await assert.rejects(
        member.get(Deployments, { namespace: 'shop', name: 'cart' }),
        isNotFound,
      );
      await using removed = await second.connect('member-2');
      assert.equal((await removed.list(Nodes)).items.length, 1);
    } finally {
      await second.stop();
    }
    assert.match(second.output(), /registrations were deleted: member-2\./);
  });

  test('moves a member whose port is taken, and the hub follows', async () => {
    using folder = temporaryFolder();
    const first = await runUp(folder.path, { fleet: 1 });
    try {
      await isUp(first);
    } finally {
      await first.stop();
    }
    const [, before = ''] = serversIn(folder.path);
    const thief = createServer().listen(Number(new URL(before).port), '127.0.0.1');
    try {
      const second = await runUp(folder.path, { fleet: 1 });
      try {
        await isUp(second);
        const [, after = ''] = serversIn(folder.path);
        assert.notEqual(after, before);
        await using hub = await second.connect();
        await eventually(
          () => hub.get(ClusterRegistrations, { namespace: 'vela-system', name: 'member-1' }),
          ({ status }) => status?.phase === 'Ready' && status.clusterInfo?.endpoint === after,
          patience,
        );
        const secret = await hub.get(Secrets, { namespace: 'vela-system', name: 'member-1' });
        assert.equal(Buffer.from(secret.data?.['endpoint'] ?? '', 'base64').toString(), after);
      } finally {
        await second.stop();
      }
      assert.match(second.output(), /member-1: port \d+ is taken by another program/);
    } finally {
      thief.close();
    }
  });

  test('stops when it is asked to while members still start', async () => {
    using folder = temporaryFolder();
    const running = await runUp(folder.path, { fleet: 2 });

    assert.equal(await running.stop(), 0);

    assert.doesNotMatch(running.output(), /Cannot/);
  });
});

test('flotilla up --fleet 0 --simulate runs the workloads of the hub itself', async () => {
  using folder = temporaryFolder();
  const running = await runUp(folder.path, { simulates: true });
  try {
    await using hub = await running.connect();
    await eventually(async () => (await hub.list(Nodes)).items.length === 1, Boolean, patience);
    await hub.list(ClusterRegistrations);
  } finally {
    assert.equal(await running.stop(), 0);
  }
});

test('an API server alone has neither our kinds nor a fleet', async () => {
  using folder = temporaryFolder();
  const running = await runUp(folder.path, { isPlain: true });
  try {
    await using hub = await running.connect();
    await hub.list(ConfigMaps);
    await assert.rejects(hub.list(ClusterRegistrations), isNotFound);
    const { groups } = (await hub.raw({ path: '/apis' })) as { groups: { name: string }[] };
    assert.equal(
      groups.some(({ name }) => name.endsWith('oam.dev')),
      false,
    );
  } finally {
    await running.stop();
  }
});

async function isUp(running: RunningUp): Promise<void> {
  await eventually(
    () => running.output(),
    (output) => /^(The fleet is up|Not in the fleet)/m.test(output),
    patience,
  );
}

/** Names of members that are Ready, as soon as there are so many registrations and all of them are. */
async function readyMembers(hub: Client, count: number): Promise<string[]> {
  const { items } = await eventually(
    () => hub.list(ClusterRegistrations, { namespace: 'vela-system' }),
    (list) =>
      list.items.length === count && list.items.every(({ status }) => status?.phase === 'Ready'),
    patience,
  );
  return items.map(({ metadata }) => metadata.name ?? '').sort();
}
