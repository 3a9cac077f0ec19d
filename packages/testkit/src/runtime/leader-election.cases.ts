import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Client, Events, Leases } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import {
  defineController,
  type LeaderElection,
  resyncAfter,
  untilChanged,
} from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { connectClient } from '../testing/connect-client.ts';
import { cuttable } from './cuttable.ts';
import type { StartServer } from './gadget-controller.cases.ts';
import { defineGadgets, Gadgets, gadget } from './gadgets.ts';
import { runManager } from './run-manager.ts';

/** In proportion as by default, and short. */
const TIMES = { leaseMs: 2000, renewDeadlineMs: 1200, retryMs: 100 };

/** What managers promise each other, on any server. */
export function leaderElectionCases(start: StartServer): void {
  describe('two managers', () => {
    test('never work at the same time, even when one is cut off and does not know', async () => {
      await using server = await start();
      await using wire = await cuttable(server.access);
      await using cutOff = connectClient(wire.access);
      await using client = connectClient(server.access);
      await defineGadgets(client);
      await client.create(Gadgets, gadget('one'));
      const passes: { readonly by: string; readonly at: number }[] = [];
      const by = (who: string) => passes.filter((pass) => pass.by === who);
      const busy = (who: string) => [
        defineController({
          name: 'busy',
          for: Gadgets,
          reconcile: () => {
            passes.push({ by: who, at: systemClock.elapsed() });
            return resyncAfter(5);
          },
        }),
      ];
      await using first = runManager({
        client: cutOff,
        controllers: busy('first'),
        leaderElection: election('first'),
      });
      await eventually(() => by('first').length > 0);
      await using second = runManager({
        client,
        controllers: busy('second'),
        leaderElection: election('second'),
      });

      wire.cut();
      const cutAt = systemClock.elapsed();
      await eventually(() => by('second').length > 0);

      const lastOfFirst = by('first').at(-1)?.at ?? 0;
      const firstOfSecond = by('second')[0]?.at ?? 0;
      assert.ok(lastOfFirst < firstOfSecond, 'both worked at once');
      assert.ok(lastOfFirst - cutAt < TIMES.leaseMs, 'the one cut off worked beyond its lease');
      assert.equal(first.manager.isLeading, false);
      const lease = await readLease(client);
      assert.equal(lease.spec?.holderIdentity, 'second');
      assert.equal(lease.spec?.leaseTransitions, 1);
      assert.equal(lease.spec?.leaseDurationSeconds, 2);
      assert.match(lease.spec?.renewTime ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

      wire.mend();
      const before = by('first').length;
      await second.stop();
      const stoppedAt = systemClock.elapsed();
      await eventually(() => by('first').length > before);
      assert.ok(by('second').every(({ at }) => at < stoppedAt));
      assert.ok(
        by('first').every(({ at }, nth) => nth < before || at > (by('second').at(-1)?.at ?? 0)),
      );
      assert.equal((await readLease(client)).spec?.leaseTransitions, 2);
    });

    test('write nothing after a pause longer than the lease, until they are elected again', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      await defineGadgets(client);
      await client.create(Gadgets, gadget('one'));
      let pausedMs = 0;
      const pausing = defineController({
        name: 'pausing',
        for: Gadgets,
        reconcile: (pass) => {
          // As if the process had been stopped here: time has passed, and no timer has rung.
          if (pausedMs === 0) pausedMs = 60_000;
          else pass.object.status.phase = 'second';
          pass.object.status.size = 1;
          return untilChanged;
        },
      });
      await using run = runManager({
        client,
        controllers: [pausing],
        leaderElection: election('first'),
        clock: { ...systemClock, elapsed: () => systemClock.elapsed() + pausedMs },
      });
      await eventually(() => run.outcomes.length > 0);
      assert.deepEqual(run.outcomes, ['aborted']);
      assert.equal(
        (await client.get(Gadgets, { namespace: 'default', name: 'one' })).status,
        undefined,
      );

      const written = await eventually(
        () => client.get(Gadgets, { namespace: 'default', name: 'one' }),
        ({ status }) => status !== undefined,
      );
      assert.equal(written.status.phase, 'second');
    });

    test('hand over at once when the leader stops, because it gives the lease back', async () => {
      await using server = await start();
      await using client = connectClient(server.access);
      await defineGadgets(client);
      const idle = [defineController({ name: 'idle', for: Gadgets, reconcile: () => undefined })];
      // With the times of production: nobody waits for a lease to expire.
      const times = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 100 };
      await using first = runManager({
        client,
        controllers: idle,
        leaderElection: { ...election('first'), ...times },
      });
      await eventually(() => first.manager.isLeading);
      await using second = runManager({
        client,
        controllers: idle,
        leaderElection: { ...election('second'), ...times },
      });

      await first.stop();

      await eventually(() => second.manager.isLeading, Boolean, { withinMs: 5000 });
      await second.stop();
      const { spec } = await readLease(client);
      assert.equal(spec?.holderIdentity, '');
      assert.equal(spec?.leaseDurationSeconds, 1);

      // Both have ended, and the last word of a leader does not get lost with it.
      const { items } = await client.list(Events, { namespace: 'default' });
      const told = items.filter(({ reason }) => reason === 'LeaderElection');
      assert.deepEqual(
        new Set(told.map(({ note, regarding }) => `${regarding?.kind}: ${note}`)),
        new Set([
          'Lease: first became leader',
          'Lease: first stopped leading',
          'Lease: second became leader',
          'Lease: second stopped leading',
        ]),
      );
      assert.equal(told.length, 4);
      assert.equal(told[0]?.regarding?.name, 'gadgets');
    });
  });
}

const election = (identity: string): LeaderElection => ({
  namespace: 'default',
  name: 'gadgets',
  identity,
  ...TIMES,
});

const readLease = (client: Client) => client.get(Leases, { namespace: 'default', name: 'gadgets' });
