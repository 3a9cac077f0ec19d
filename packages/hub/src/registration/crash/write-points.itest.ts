import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type CrashRun, crashRun } from './testing/crash-run.ts';
import { type CrashWorld, openCrashWorld } from './testing/crash-world.ts';
import { FLOWS } from './testing/flows.ts';
import { startInProcess as startLife } from './testing/in-process-life.ts';

describe('controllers that die at any write', () => {
  let world: CrashWorld;
  before(async () => {
    world = await openCrashWorld(startLife);
  });
  after(() => world[Symbol.asyncDispose]());

  for (const flow of FLOWS) {
    test(`of ${flow.name} leave nothing that the next do not finish`, async (context) => {
      const runs: CrashRun[] = [];
      for (let at = 1; runs.at(-1)?.diedAt !== undefined || at === 1; at++) {
        runs.push(await crashRun(flow, { world, startLife, trap: { at, isDone: false } }));
      }
      const calm = runs.at(-1);
      assert.ok(calm !== undefined);
      for (let at = 1; at <= calm.writes.length; at++) {
        runs.push(await crashRun(flow, { world, startLife, trap: { at, isDone: true } }));
      }
      const trap = { at: 1, isDone: true };
      runs.push(await crashRun(flow, { world, startLife, trap, isLoop: true }));
      for (const { outcome, where } of runs) assert.deepEqual(outcome, calm.outcome, where);
      const diedAt = new Set(runs.flatMap((run) => run.diedAt ?? []));
      // Whoever adds a write sees here that it is proved as well, and says so.
      assert.deepEqual([...diedAt].sort(), [...new Set(flow.writes)].sort());
      context.diagnostic(`${runs.length - 1} points of death: ${calm.writes.join(', ')}`);
    });
  }
});
