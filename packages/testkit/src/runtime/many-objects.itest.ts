import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConfigMap, ConfigMaps } from '@flotilla/client';
import { isAlreadyExists } from '@flotilla/machinery';
import { defineController, untilChanged } from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { expectSoundStatus } from '../expect-sound-status.ts';
import { startServer } from '../start-server.ts';
import { connectClient } from '../testing/connect-client.ts';
import { defineGadgets, Gadgets, gadget, gadgetConditions, reasons } from './gadgets.ts';
import { runManager } from './run-manager.ts';

describe('a thousand objects', () => {
  test('all become ready, also those of a manager that died in the middle', async () => {
    await using server = await startServer();
    await using client = connectClient(server.access);
    await defineGadgets(client);
    const names = Array.from({ length: 1000 }, (_, index) => `g${index}`);
    await inParallel(names, (name) => client.create(Gadgets, gadget(name, { size: 1 })));
    let passes = 0;
    const make = (isDoomed: boolean) =>
      defineController({
        name: 'gadgets',
        for: Gadgets,
        conditions: gadgetConditions,
        finalizer: 'test.flotilla.dev/clean-up',
        concurrency: 8,
        reconcile: async (pass) => {
          const child: ConfigMap = {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { namespace: 'default', name: pass.key.name },
          };
          await client.create(ConfigMaps, child).catch((error: unknown) => {
            if (!isAlreadyExists(error)) throw error;
          });
          // The child is made, the status is not written: where a crash hurts.
          if (isDoomed && ++passes > 300) await new Promise(() => {});
          pass.mark('Configured', 'Read', 'Read');
          pass.mark('Built', 'Made', 'Made');
          return untilChanged;
        },
      });
    {
      // It hangs in eight passes; that it cannot end them is its end.
      const doomed = runManager({ client, controllers: [make(true)], graceMs: 10 });
      await eventually(() => passes > 300, Boolean, { withinMs: 60_000 });
      await assert.rejects(doomed.stop(), /Cannot end passes of "gadgets"/);
    }

    await using run = runManager({ client, controllers: [make(false)] });

    const all = await eventually(
      async () => (await client.list(Gadgets)).items,
      (gadgets) => gadgets.every((each) => reasons(each)['Ready'] === 'Succeeded'),
      { withinMs: 60_000, everyMs: 200 },
    );
    assert.equal(all.length, 1000);
    for (const each of all) expectSoundStatus(each, gadgetConditions);
    assert.equal((await client.list(ConfigMaps, { namespace: 'default' })).items.length, 1001);
    assert.deepEqual(run.complaints, []);

    await client.deleteCollection(Gadgets, { namespace: 'default' });
    await eventually(async () => (await client.list(Gadgets)).items.length === 0, Boolean, {
      withinMs: 60_000,
      everyMs: 200,
    });
  });
});

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<unknown>) {
  const rest = items.values();
  const work = async () => {
    for (const item of rest) await run(item);
  };
  await Promise.all(Array.from({ length: 10 }, work));
}
