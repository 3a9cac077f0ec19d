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
