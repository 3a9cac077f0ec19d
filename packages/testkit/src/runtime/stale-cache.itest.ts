import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createInformers, type Informer, type Informers } from '@flotilla/client';
import { formatKey, type KubeObject, type ObjectKey, systemClock } from '@flotilla/machinery';
import { defineController, untilChanged } from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { startServer } from '../start-server.ts';
import { connectClient } from '../testing/connect-client.ts';
import { defineGadgets, Gadgets, gadget, gadgetConditions, untilReady } from './gadgets.ts';
import { runManager } from './run-manager.ts';

test('a pass never sees less than the last one wrote, however late the watch is', async () => {
  await using server = await startServer();
  await using client = connectClient(server.access);
  await defineGadgets(client);
  await client.create(Gadgets, gadget('one', { size: 1 }));
  const ending = new AbortController();
  const { informers, release } = lagging(
    createInformers({ client, clock: systemClock, random: () => 0.5 }),
  );
  const informing = informers.start(ending.signal);
  const seen: unknown[] = [];
  const controller = defineController({
    name: 'gadgets',
    for: Gadgets,
    conditions: gadgetConditions,
    finalizer: 'test.flotilla.dev/clean-up',
    reconcile: (pass) => {
      const { metadata, status } = pass.observed;
      seen.push([metadata.finalizers?.length ?? 0, status?.size ?? 0]);
      pass.object.status.size = (status?.size ?? 0) + 1;
      return untilChanged;
    },
  });
  {
    await using run = runManager({ client, controllers: [controller], informers });
    await untilReady(client, 'one', 'Succeeded');
    await eventually(() => run.outcomes.length === 2);
    controller.enqueue({ namespace: 'default', name: 'one' });
    await eventually(() => run.outcomes.length === 3);

    assert.deepEqual(seen, [
      [1, 0],
      [1, 1],
    ]);
    assert.deepEqual(run.outcomes, ['requeued', 'done', 'done']);

    release();
    await client.patch(
      Gadgets,
      { namespace: 'default', name: 'one' },
      { type: 'merge', body: { metadata: { labels: { late: 'yes' } } } },
    );
    await eventually(() => run.outcomes.length === 4);
    assert.deepEqual(seen.at(-1), [1, 2]);
    assert.deepEqual(run.complaints, []);
  }
  ending.abort();
  await informing;
});

test('what was finalized is not finalized again, however late the watch is', async () => {
  await using server = await startServer();
  await using client = connectClient(server.access);
  await defineGadgets(client);
  const held = gadget('one');
  // Without an end of its own the object stays until we have finished with it.
  held.metadata.finalizers = ['test.flotilla.dev/clean-up'];
  await client.create(Gadgets, held);
  const key = { namespace: 'default', name: 'one' };
  await client.delete(Gadgets, key);
  const informers = deaf(createInformers({ client, clock: systemClock, random: () => 0.5 }));
  await using _informing = started(informers);
  let finalized = 0;
  const controller = defineController({
    name: 'gadgets',
    for: Gadgets,
    conditions: gadgetConditions,
    finalizer: 'test.flotilla.dev/clean-up',
    reconcile: () => untilChanged,
    finalize: () => {
      finalized++;
    },
  });
  await using run = runManager({ client, controllers: [controller], informers });
  await eventually(() => run.outcomes.length === 1);
  assert.equal(run.writes, 1);
  controller.enqueue(key);
  await eventually(() => run.outcomes.length === 2);

  assert.equal(finalized, 1);
  assert.equal(run.writes, 1);
  assert.deepEqual(run.outcomes, ['done', 'done']);
  assert.deepEqual(run.complaints, []);
});

/** Caches that run until they are disposed of. */
function started(informers: Informers): AsyncDisposable {
  const ending = new AbortController();
  const running = informers.start(ending.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await running;
    },
  };
}

/** Caches that never hear of an end. */
function deaf(informers: Informers): Informers {
  const keep = <T extends KubeObject>(informer: Informer<T>): Informer<T> => {
    const last = new Map<string, T>();
    const get = (key: ObjectKey): T | undefined => {
      const now = informer.get(key);
      if (now !== undefined) last.set(formatKey(key), now);
      return last.get(formatKey(key));
    };
    const subscribe: Informer<T>['subscribe'] = (subscriber) =>
      informer.subscribe({ ...subscriber, deleted: () => {} });
    return { ...informer, get, subscribe };
  };
  return { ...informers, for: (kind, choice) => keep(informers.for(kind, choice)) };
}

/** Caches that show each object as it first was, until released. */
function lagging(informers: Informers): { informers: Informers; release: () => void } {
  let isReleased = false;
  const lag = <T extends KubeObject>(informer: Informer<T>): Informer<T> => {
    const first = new Map<string, T>();
    const get = (key: ObjectKey): T | undefined => {
      const now = informer.get(key);
      const id = formatKey(key);
      if (now !== undefined && !first.has(id)) first.set(id, now);
      return isReleased ? now : first.get(id);
    };
    return { ...informer, get };
  };
  return {
    informers: {
      ...informers,
      for: (kind, choice) => lag(informers.for(kind, choice)),
    },
    release: () => {
      isReleased = true;
    },
  };
}
