import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConfigMap, ConfigMaps, Events } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import {
  controllerReference,
  findCondition,
  owns,
  resyncAfter,
  untilChanged,
  watchIndexed,
} from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { expectSoundStatus } from '../expect-sound-status.ts';
import {
  configMap,
  connect,
  define,
  isGone,
  key,
  label,
  patchSpec,
  type StartServer,
} from './gadget-controller.cases.ts';
import { Gadgets, gadget, gadgetConditions, reasons, untilReady } from './gadgets.ts';
import { runManager } from './run-manager.ts';
import { stoppingCases } from './stopping.cases.ts';

/** What the runtime promises about passes, on any server. */
export function passesCases(start: StartServer): void {
  describe('passes', () => {
    test('write one sound status, then nothing while nothing changes', async () => {
      await using server = await start();
      await using client = await connect(server);
      await client.create(Gadgets, gadget('one', { size: 3 }));
      const controller = define({
        phase: ({ conditions }) =>
          findCondition(conditions, 'Ready')?.status === 'True' ? 'Ready' : 'Pending',
      });
      await using run = runManager({ client, controllers: [controller] });

      const first = await untilReady(client, 'one', 'Succeeded');
      assert.deepEqual(reasons(first), { Ready: 'Succeeded', Configured: 'Read', Built: 'Made' });
      assert.equal(first.status.phase, 'Ready');
      assert.equal(first.status.size, 3);
      expectSoundStatus(first, gadgetConditions);

      controller.enqueue({ namespace: 'default', name: 'one' });
      await eventually(() => run.outcomes.length >= 2);
      assert.equal(run.writes, 1);
      const second = await client.get(Gadgets, key('one'));
      assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);

      await patchSpec(client, 'one', { size: 4 });
      const third = await eventually(
        () => client.get(Gadgets, key('one')),
        ({ status }) => status.size === 4,
      );
      assert.equal(third.status.observedGeneration, 2);
      expectSoundStatus(third, gadgetConditions);
      assert.deepEqual(run.complaints, []);
    });

    test('put the finalizer first, and take it off only when finalize has come to its end', async () => {
      await using server = await start();
      await using client = await connect(server);
      let isBroken = true;
      const seen: string[] = [];
      const controller = define({
        finalizer: 'test.flotilla.dev/clean-up',
        reconcile: (pass) => {
          seen.push(...(pass.observed.metadata.finalizers ?? ['none']));
          return untilChanged;
        },
        finalize: async (pass) => {
          if (!isBroken) return;
          throw pass.waiting('Built', 'Unreachable', { message: 'Not there', afterMs: 20 });
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));
      await untilReady(client, 'one', 'Succeeded');
      assert.deepEqual(seen, ['test.flotilla.dev/clean-up']);

      await client.delete(Gadgets, key('one'));
      const held = await untilReady(client, 'one', 'Unreachable');
      assert.deepEqual(held.metadata.finalizers, ['test.flotilla.dev/clean-up']);
      expectSoundStatus(held, gadgetConditions);

      isBroken = false;
      await eventually(() => isGone(client, 'one'));
      assert.deepEqual(run.complaints, []);
    });

    test('repeat what failed with the error in the status, and heal', async () => {
      await using server = await start();
      await using client = await connect(server);
      let failures = 0;
      const controller = define({
        reconcile: (pass) => {
          if (failures++ < 3)
            throw new Error('Cannot reach https://x/y?token=abc: Bearer abcdefgh');
          pass.mark('Configured', 'Read', 'Read');
          return untilChanged;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));
      await eventually(() => failures > 0);

      const healed = await untilReady(client, 'one', 'Succeeded');
      await eventually(() => run.outcomes.length === 4);
      assert.deepEqual(run.outcomes, ['failed', 'failed', 'failed', 'done']);
      assert.equal(run.complaints.length, 3);
      expectSoundStatus(healed, gadgetConditions);
      const notes = await eventually(
        async () => (await client.list(Events, { namespace: 'default' })).items,
        (events) => events.length >= 3,
      );
      const failed = notes.find(({ reason }) => reason === 'Failed');
      assert.equal(failed?.type, 'Warning');
      assert.equal(failed?.note, 'Cannot reach https://x/y?[redacted] Bearer [redacted]');
      assert.ok(notes.some(({ reason, action }) => reason === 'Read' && action === 'Configured'));
    });

    test('stall until a watched object changes, without a single attempt in between', async () => {
      await using server = await start();
      await using client = await connect(server);
      let passes = 0;
      const controller = define({
        indexes: {
          config: ({ metadata, spec }) =>
            spec.config === undefined ? [] : [`${metadata.namespace}/${spec.config}`],
        },
        watches: [watchIndexed(ConfigMaps, { index: 'config' })],
        reconcile: async (pass) => {
          passes++;
          const name = pass.object.spec.config ?? '';
          const found = await client
            .get(ConfigMaps, { namespace: 'default', name })
            .catch((error: unknown) => {
              if (isNotFound(error)) return undefined;
              throw error;
            });
          if (found === undefined) {
            throw pass.stalled('Configured', 'ConfigMissing', `Cannot read "${name}": not there`);
          }
          pass.mark('Configured', 'Read', `Read ${name}`);
          return untilChanged;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one', { config: 'wanted' }));
      const stalled = await untilReady(client, 'one', 'ConfigMissing');
      assert.deepEqual(reasons(stalled), {
        Ready: 'ConfigMissing',
        Configured: 'ConfigMissing',
        Stalled: 'ConfigMissing',
      });
      expectSoundStatus(stalled, gadgetConditions);
      await client.create(ConfigMaps, configMap('unrelated'));
      assert.equal(passes, 1);

      await client.create(ConfigMaps, configMap('wanted'));

      const healed = await untilReady(client, 'one', 'Succeeded');
      assert.deepEqual(reasons(healed), { Ready: 'Succeeded', Configured: 'Read' });
      assert.equal(passes, 2);
      assert.deepEqual(run.complaints, []);
    });

    test('come again at once after a conflict, which is no error', async () => {
      await using server = await start();
      await using client = await connect(server);
      let hasInterfered = false;
      const controller = define({
        reconcile: async (pass) => {
          if (!hasInterfered) {
            hasInterfered = true;
            await label(client, 'one', 'meanwhile');
          }
          pass.object.status.size = 1;
          return untilChanged;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));

      const settled = await untilReady(client, 'one', 'Succeeded');
      assert.equal(settled.metadata.labels?.['by'], 'meanwhile');
      assert.ok(run.outcomes.includes('conflict'));
      assert.ok(!run.outcomes.includes('failed'));
      assert.deepEqual(run.complaints, []);
    });

    test('write metadata first and the status in another pass, which sees the metadata', async () => {
      await using server = await start();
      await using client = await connect(server);
      const seen: (string | undefined)[] = [];
      const controller = define({
        reconcile: (pass) => {
          seen.push(pass.observed.metadata.annotations?.['stamp']);
          pass.object.metadata.annotations = { stamp: 'here' };
          pass.object.status.size = 7;
          return untilChanged;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));

      const settled = await untilReady(client, 'one', 'Succeeded');
      assert.equal(settled.metadata.annotations?.['stamp'], 'here');
      assert.equal(settled.status.size, 7);
      // The second pass comes 5 ms later, most often before the watch has brought the first one's write.
      assert.deepEqual(seen.slice(0, 2), [undefined, 'here']);
      assert.equal(run.outcomes[0], 'requeued');
      // The server shows a write before the answer to it arrives.
      await eventually(() => run.writes === 2);
    });

    test('say of suspended objects what their controller has to say, and tell what it wants told', async () => {
      await using server = await start();
      await using client = await connect(server);
      const controller = define({
        suspended: (pass) => pass.unmet('Polished', 'Dull', 'Nobody polishes it'),
        notes: (transitions) =>
          transitions
            .filter(({ after }) => after.type === 'Polished')
            .map(({ after }) => ({ reason: `Told${after.reason}`, action: 'Look', note: 'x' })),
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one', { suspend: true }));
      const suspended = await untilReady(client, 'one', 'Suspended');
      expectSoundStatus(suspended, gadgetConditions);
      assert.deepEqual(reasons(suspended), { Ready: 'Suspended', Polished: 'Dull' });
      const events = await eventually(
        async () => (await client.list(Events, { namespace: 'default' })).items,
        (all) => all.length > 0,
      );
      assert.deepEqual(
        events.map(({ reason }) => reason),
        ['ToldDull'],
      );
      assert.deepEqual(run.complaints, []);
    });

    test('leave suspended objects alone, but not their deletion', async () => {
      await using server = await start();
      await using client = await connect(server);
      let passes = 0;
      let isFinalized = false;
      const controller = define({
        finalizer: 'test.flotilla.dev/clean-up',
        reconcile: () => {
          passes++;
          return untilChanged;
        },
        finalize: () => {
          isFinalized = true;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one', { suspend: true }));
      const suspended = await untilReady(client, 'one', 'Suspended');
      expectSoundStatus(suspended, gadgetConditions);
      assert.equal(passes, 0);

      await patchSpec(client, 'one', { suspend: false });
      await untilReady(client, 'one', 'Succeeded');
      assert.equal(passes, 1);

      await patchSpec(client, 'one', { suspend: true });
      await untilReady(client, 'one', 'Suspended');
      await client.delete(Gadgets, key('one'));
      await eventually(() => isGone(client, 'one'));
      assert.ok(isFinalized);
      assert.deepEqual(run.complaints, []);
    });

    test('are repeated after the time they ask for, and when what they own changes', async () => {
      await using server = await start();
      await using client = await connect(server);
      let passes = 0;
      const controller = define({
        watches: [owns(ConfigMaps)],
        reconcile: async (pass) => {
          passes++;
          const owned: ConfigMap = configMap('owned');
          owned.metadata.ownerReferences = [controllerReference(Gadgets, pass.object)];
          await client.apply(ConfigMaps, owned, { fieldManager: 'gadgets' });
          return passes < 3 ? resyncAfter(20) : untilChanged;
        },
      });
      await using run = runManager({ client, controllers: [controller] });
      await client.create(Gadgets, gadget('one'));
      await eventually(() => passes >= 3);
      await eventually(() => run.outcomes.length === passes);

      await client.delete(ConfigMaps, { namespace: 'default', name: 'owned' });

      await eventually(
        () => client.get(ConfigMaps, { namespace: 'default', name: 'owned' }),
        () => true,
        {
          tolerates: isNotFound,
        },
      );
      assert.deepEqual(run.complaints, []);
    });

    test('of one object do not stop those of others, whatever they throw or however long they take', async () => {
      await using server = await start();
      await using client = await connect(server);
      let hasHeard = false;
      const controller = define({
        concurrency: 2,
        passTimeoutMs: 100,
        reconcile: (pass) => {
          if (pass.key.name === 'throws') throw new TypeError('x is not a function');
          if (pass.key.name !== 'hangs') return untilChanged;
          return new Promise((_, reject) => {
            pass.signal.addEventListener('abort', () => {
              hasHeard = true;
              reject(pass.signal.reason as Error);
            });
          });
        },
      });
      await using _run = runManager({ client, controllers: [controller] });
      for (const name of ['throws', 'hangs', 'one', 'two'])
        await client.create(Gadgets, gadget(name));

      await untilReady(client, 'one', 'Succeeded');
      await untilReady(client, 'two', 'Succeeded');
      const hanging = await untilReady(client, 'hangs', 'Failed');
      assert.ok(hasHeard);
      assert.equal(
        findCondition(hanging.status.conditions ?? [], 'Ready')?.message,
        'Cannot finish the pass: it takes longer than 0.1 s',
      );
      expectSoundStatus(hanging, gadgetConditions);
      expectSoundStatus(await untilReady(client, 'throws', 'Failed'), gadgetConditions);
    });
  });

  stoppingCases(start);
}
