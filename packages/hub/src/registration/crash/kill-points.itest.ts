import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startChild as startLife } from './testing/child-life.ts';
import { crashRun } from './testing/crash-run.ts';
import { type CrashWorld, openCrashWorld } from './testing/crash-world.ts';
import { FLOWS, type Flow } from './testing/flows.ts';
import type { Outcome } from './testing/outcome.ts';
import type { Trap } from './testing/write-gate.ts';

interface KillPoint {
  readonly flow: Flow;
  readonly trap: Trap;
}

const wanted = Number(process.env['FLOTILLA_KILL_POINTS'] ?? 5);
/** Every write that is known; who is asked for all of them goes on until there is none left. */
const known = FLOWS.flatMap((flow) =>
  [false, true].flatMap((isDone) =>
    flow.writes.map((_, at): KillPoint => ({ flow, trap: { at: at + 1, isDone } })),
  ),
);
const isAll = wanted >= known.length;
const chosen = isAll ? known : spread(known, wanted);

describe('kill -9 of flotilla hub', () => {
  let world: CrashWorld;
  before(async () => {
    world = await openCrashWorld(startLife, { isProxied: true });
  });
  after(() => world[Symbol.asyncDispose]());

  test(`at ${isAll ? 'every write' : `${chosen.length} writes`} leaves nothing that the next process does not finish`, async (context) => {
    const outcomes = new Map<Flow, Outcome>();
    let kills = 0;
    const tried = async ({ flow, trap }: KillPoint): Promise<boolean> => {
      const { outcome, diedAt, where } = await crashRun(flow, { world, startLife, trap });
      assert.deepEqual(outcome, outcomes.get(flow) ?? outcome, where);
      outcomes.set(flow, outcome);
      if (diedAt !== undefined) kills += 1;
      return diedAt !== undefined;
    };
    for (const point of chosen) await tried(point);
    // Where a process writes more often than is known, that is tried as well.
    for (const flow of isAll ? FLOWS : []) {
      for (const isDone of [false, true]) {
        let at = flow.writes.length + 1;
        while (await tried({ flow, trap: { at, isDone } })) at += 1;
      }
    }
    context.diagnostic(
      `figure: kill -9 of flotilla hub: ${kills} kills at ${known.length} known write points of ${FLOWS.length} flows, each finished by the next process`,
    );
    assert.ok(kills > chosen.length / 2, `only ${kills} kills at ${chosen.length} points`);
  });
});

/** So many of them, from the first to the last. */
function spread<T>(all: readonly T[], count: number): T[] {
  return all.filter(
    (_, at) =>
      Math.floor((at * count) / all.length) !== Math.floor(((at - 1) * count) / all.length),
  );
}
