import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { untilChanged } from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { connect, define, key, type StartServer } from './gadget-controller.cases.ts';
import { Gadgets, gadget } from './gadgets.ts';
import { runManager } from './run-manager.ts';

/** What becomes of passes when their manager stops. */
export function stoppingCases(start: StartServer): void {
  describe('passes', () => {
    test('that run when the manager stops are finished, and no others begun', async () => {
      await using server = await start();
      await using client = await connect(server);
      let begun = 0;
      let finish = () => {};
      const controller = define({
        reconcile: (pass) => {
          begun++;
          return new Promise((resolve) => {
            finish = () => {
              pass.mark('Configured', 'Read', 'Read');
              resolve(untilChanged);
            };
          });
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));
      await client.create(Gadgets, gadget('two'));
      await eventually(() => begun === 1);

      const stopping = run.stop();
      finish();
      await stopping;

      assert.deepEqual(run.outcomes, ['done']);
      const gadgets = (await client.list(Gadgets)).items;
      assert.equal(gadgets.filter(({ status }) => status !== undefined).length, 1);
    });

    test('that do not end in the grace time are aborted, and write nothing', async () => {
      await using server = await start();
      await using client = await connect(server);
      let begun = 0;
      const controller = define({
        reconcile: (pass) => {
          begun++;
          return new Promise((resolve) => {
            // Obedient, but not honest about it.
            pass.signal.addEventListener('abort', () => resolve(untilChanged));
          });
        },
      });
      await using run = runManager({ client, controllers: [controller], graceMs: 50 });
      await client.create(Gadgets, gadget('one'));
      await eventually(() => begun === 1);

      await run.stop();

      assert.deepEqual(run.outcomes, ['aborted']);
      assert.equal((await client.get(Gadgets, key('one'))).status, undefined);
    });
  });
}
