import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  TransportError,
  type WatchEvent,
} from '@flotilla/client';
import { isAlreadyExists } from '@flotilla/machinery';
import { eventually } from '../eventually.ts';
import { startServer } from '../start-server.ts';
import { connectClient } from '../testing/connect-client.ts';
import { type FaultProxy, faultProxy } from './fault-proxy.ts';

describe('fault proxy', () => {
  test('carries requests and watches as they are while it is told nothing', async () => {
    await using setup = await start();
    const { distant, events } = setup;
    await create(distant, 'one');

    await eventually(() => events.some(({ object }) => object.metadata.name === 'one'));
    assert.ok(Object.values(setup.proxy.struck).every((count) => count === 0));
  });

  for (const fault of ['drop', 'end', 'truncate'] as const) {
    test(`breaks a watch by ${fault}`, async () => {
      await using setup = await start();

      setup.proxy.strike(fault);
      await create(setup.near, 'one');

      const error = await setup.ended;
      assert.ok(error === undefined || error instanceof TransportError, String(error));
      assert.equal(setup.proxy.struck[fault], 1);
    });
  }

  test('tells an event twice', async () => {
    await using setup = await start();

    setup.proxy.strike('duplicate');
    await create(setup.near, 'one');

    const named = () => setup.events.filter(({ object }) => object.metadata.name === 'one');
    await eventually(named, (found) => found.length === 2);
    assert.equal(setup.proxy.struck.duplicate, 1);
  });

  test('sends a request twice, and tells the answer to the second', async () => {
    await using server = await startServer();
    await using proxy = await faultProxy(server.access, { seed: 1 });
    await using distant = connectClient(proxy.access);
    await distant.list(ConfigMaps);

    proxy.strike('duplicate');

    await assert.rejects(create(distant, 'one'), isAlreadyExists);
    assert.equal(proxy.struck.duplicate, 1);
  });

  test('says nothing any more, and does not say so', async () => {
    await using setup = await start({ idleMs: 300 });

    setup.proxy.strike('half-open');
    await create(setup.near, 'one');

    const error = await setup.ended;
    assert.ok(error instanceof TransportError);
    assert.deepEqual(
      setup.events.map(({ object }) => object.metadata.name),
      [],
    );
  });

  test('lets nobody in', async () => {
    await using server = await startServer();
    await using proxy = await faultProxy(server.access, { seed: 1, faults: ['refuse'] });
    await using distant = connectClient(proxy.access, { retries: 0 });

    // More than a client tries by itself.
    for (let times = 0; times < 5; times++) proxy.strike();

    await assert.rejects(create(distant, 'one'), TransportError);
    assert.ok(proxy.struck.refuse > 0);
  });
});

/** A watch through a proxy of its own, with its beginning behind it. */
async function start(options: { idleMs?: number } = {}) {
  const server = await startServer({ doesManagersWork: false });
  const proxy: FaultProxy = await faultProxy(server.access, { seed: 1 });
  const near = connectClient(server.access);
  const distant = connectClient(proxy.access);
  const leaving = new AbortController();
  const { metadata } = await near.list(ConfigMaps);
  const events: WatchEvent<ConfigMap>[] = [];
  const ended = collect(events, () =>
    distant.watch(ConfigMaps, {
      resourceVersion: metadata.resourceVersion ?? '',
      signal: leaving.signal,
      ...options,
    }),
  );
  await eventually(() => proxy.connections() === 1);
  await create(near, 'first');
  await eventually(() => events.length === 1);
  events.length = 0;
  return {
    proxy,
    near,
    distant,
    events,
    ended,
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      await ended;
      for (const each of [distant, near, proxy, server]) await each[Symbol.asyncDispose]();
    },
  };
}

/** Resolves with what ended it. */
async function collect<E>(into: E[], watch: () => AsyncIterable<E>): Promise<unknown> {
  try {
    for await (const event of watch()) into.push(event);
    return undefined;
  } catch (error) {
    return error;
  }
}

function create(client: Client, name: string): Promise<ConfigMap> {
  return client.create<ConfigMap>(ConfigMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name },
  });
}
