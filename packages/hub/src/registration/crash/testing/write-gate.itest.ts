import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, ConfigMaps, createClient, createTransport } from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import { startGateProxy } from './gate-proxy.ts';
import { gatedTransport } from './gated-transport.ts';
import { createWriteGate } from './write-gate.ts';

const clock = systemClock;
const random = Math.random;

for (const way of ['in the process', 'before another process'] as const) {
  describe(`a gate ${way}`, () => {
    test('lets through and counts what is written until it is armed', async () => {
      await using setup = await open(way);
      const { gate, gated } = setup;
      await create(gated, 'one');
      await gated.get(ConfigMaps, key('one'));

      assert.deepEqual(gate.writes, ['hub: POST configmaps']);
      assert.ok(gate.hasRead('hub', '/api/v1/namespaces/default/configmaps/one'));
      assert.ok(!gate.hasRead('hub', '/api/v1/namespaces/default/configmaps/two'));
    });

    for (const isDone of [false, true]) {
      test(`lets a process die ${isDone ? 'after' : 'before'} a write, and nothing be heard of it again`, async () => {
        await using setup = await open(way);
        const { gate, gated, direct } = setup;
        let kills = 0;
        gate.arm({ at: 2, isDone, kill: () => kills++ });
        await create(gated, 'one');
        const seen: string[] = [];
        const watching = watch(gated, seen);
        await eventually(() => seen.includes('one'));
        await assert.rejects(create(gated, 'two'));
        assert.equal(kills, 1);
        assert.equal(gate.isSprung, true);
        await watching;
        await assert.rejects(create(gated, 'three'));
        await assert.rejects(gated.get(ConfigMaps, key('one')));

        assert.equal(await exists(direct, 'two'), isDone);
        assert.equal(await exists(direct, 'three'), false);
        assert.equal(gate.writes.length, 2);
        gate.open();
        await create(gated, 'four');
        assert.ok(await exists(direct, 'four'));
        assert.equal(kills, 1);
      });
    }
  });
}

async function open(way: 'in the process' | 'before another process') {
  const server = await startServer();
  const gate = createWriteGate();
  const proxy =
    way === 'in the process'
      ? undefined
      : await startGateProxy({ gate, name: 'hub', target: server.access });
  const access = proxy?.access ?? server.access;
  const limits = { retries: 0 };
  const transport = createTransport({ access, clock, random, limits });
  const gated = createClient(
    proxy === undefined ? gatedTransport(transport, { gate, name: 'hub' }) : transport,
  );
  const direct = createClient(createTransport({ access: server.access, clock, random }));
  return {
    gate,
    gated,
    direct,
    [Symbol.asyncDispose]: async () => {
      for (const each of [gated, direct, proxy, server]) await each?.[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when the watch has ended, however. */
async function watch(client: Client, seen: string[]): Promise<void> {
  const choice = { namespace: 'default', resourceVersion: '0' };
  try {
    for await (const { object } of client.watch(ConfigMaps, choice)) {
      seen.push(object.metadata.name ?? '');
    }
  } catch {
    // As a connection that is cut ends.
  }
}

function key(name: string) {
  return { namespace: 'default', name };
}

function create(client: Client, name: string) {
  return client.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key(name) });
}

async function exists(client: Client, name: string): Promise<boolean> {
  try {
    await client.get(ConfigMaps, key(name));
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
