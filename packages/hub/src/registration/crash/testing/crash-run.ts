import assert from 'node:assert/strict';
import { ClusterRegistrations } from '@flotilla/api';
import { systemClock } from '@flotilla/machinery';
import { silentLogger } from '@flotilla/runtime';
import { eventually, expectSoundStatus } from '@flotilla/testkit';
import { registrationConditions } from '../../conditions.ts';
import { sweep } from '../../janitor/janitor.ts';
import { NAMESPACE } from '../../testing/builders.ts';
import { REGISTRATION_FINALIZER } from '../../types.ts';
import { type CrashWorld, clusterSecrets, FOREIGN, NEIGHBOUR, ONE } from './crash-world.ts';
import { type Flow, get, PATIENCE } from './flows.ts';
import type { Life, StartLife } from './life.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { Trap } from './write-gate.ts';

/** What came of one time that something happened. */
export interface CrashRun {
  /** For whoever reads that it went wrong. */
  readonly where: string;
  /** At which write the process died; undefined where it lived. */
  readonly diedAt: string | undefined;
  /** What it wrote until then. */
  readonly writes: readonly string[];
  readonly outcome: Outcome;
}

/** What it takes to let something happen. */
export interface CrashOptions {
  readonly world: CrashWorld;
  readonly startLife: StartLife;
  readonly trap: Trap;
  /** Whether those who come after the dead die too, for a while. @default false */
  readonly isLoop?: boolean;
}

/**
 * Lets something happen, and the controllers die of it where the trap says. Those that are started then have to see it
 * through; what is left at the end is looked at once nobody writes any more.
 */
export async function crashRun(flow: Flow, options: CrashOptions): Promise<CrashRun> {
  const { world, trap } = options;
  await world.reset();
  const foreign = await foreignVersions(world);
  const first = await dieOf(flow, options);
  const where = `death ${trap.isDone ? 'after' : 'before'} write ${trap.at} of ${flow.name}, ${first.diedAt ?? 'which it did not make'}`;
  try {
    if (first.diedAt !== undefined) await seeThrough(flow, options);
    const { secrets, refreshes } = await world.diary.since();
    assert.deepEqual(secrets, flow.secrets, 'What happened to Secrets');
    checkRefreshes(flow, refreshes);
    assert.deepEqual(await foreignVersions(world), foreign, 'Secrets of others');
    await checkRegistration(flow, world);
    await checkSwept(world);
    return { ...first, where, outcome: await outcomeOf(world) };
  } catch (cause) {
    const then = world.gate.writes.join(', ');
    throw new Error(`Cannot recover from the ${where}: ${String(cause)}\nwrites: ${then}`, {
      cause,
    });
  }
}

/** Runs until the trap has sprung, or everything is done and the process has ended. */
export async function dieOf(
  flow: Flow,
  { world, startLife, trap }: CrashOptions,
): Promise<Pick<CrashRun, 'diedAt' | 'writes'>> {
  const { gate } = world;
  const start = () => startLife({ access: world.hubAccess, gate });
  gate.arm();
  let life = flow.prepare === undefined ? undefined : start();
  if (life !== undefined) await eventually(() => hasLookedAt(world, NEIGHBOUR), Boolean, PATIENCE);
  await flow.prepare?.(world);
  gate.arm({ ...trap, kill: () => life?.kill() });
  await flow.happen(world);
  life ??= start();
  await eventually(async () => gate.isSprung || (await flow.isOver(world)), Boolean, PATIENCE);
  // The last words of a process may be the ones it dies of.
  await (gate.isSprung ? life.gone : life.end());
  const writes = [...gate.writes];
  return { writes, diedAt: gate.isSprung ? writes[trap.at - 1] : undefined };
}

/**
 * What follows a death: time goes by, and somebody starts the controllers again. In a crash loop those die as well, each
 * of them one write later than the one before.
 */
export async function seeThrough(flow: Flow, options: CrashOptions): Promise<void> {
  const { world, startLife, trap, isLoop = false } = options;
  const { gate } = world;
  for (let at = 1; ; at++) {
    gate.open();
    await world.restartWorkflows();
    const holder: { life?: Life } = {};
    gate.arm(isLoop ? { at, isDone: trap.isDone, kill: () => holder.life?.kill() } : undefined);
    holder.life = startLife({ access: world.hubAccess, gate });
    // Where all was done before the death, the next has to have looked at it, and to have left it alone.
    const looked = [NEIGHBOUR, ...(flow.stays ? [ONE] : [])];
    const isOver = async () =>
      looked.every((name) => hasLookedAt(world, name)) && (await flow.isOver(world));
    await eventually(async () => gate.isSprung || (await isOver()), Boolean, PATIENCE);
    await (gate.isSprung ? holder.life.gone : holder.life.end());
    if (!gate.isSprung) return;
  }
}

/** Whether a pass over a registration has begun: the source is read with each. */
function hasLookedAt({ gate }: CrashWorld, name: string): boolean {
  return gate.hasRead('hub', `/api/v1/namespaces/${NAMESPACE}/secrets/${name}-kubeconfig`);
}

function checkRefreshes({ refreshes }: Flow, seen: readonly string[]): void {
  assert.deepEqual([...seen].sort(), [...refreshes].sort(), 'Refreshed Applications');
}

/** Versions of the Secrets that are somebody else's. */
export async function foreignVersions({ client }: CrashWorld): Promise<string[]> {
  const all = await clusterSecrets(client);
  return FOREIGN.map((name) => `${name} ${all.get(name)?.metadata.resourceVersion}`);
}

async function checkRegistration({ stays }: Flow, world: CrashWorld): Promise<void> {
  const registration = await get(world);
  assert.equal(registration !== undefined, stays, 'whether there is a registration');
  if (registration === undefined) return;
  expectSoundStatus(registration, { ...registrationConditions, Ready: ['Registered'] });
  assert.deepEqual(registration.metadata.finalizers, [REGISTRATION_FINALIZER]);
}

/** The janitor would find nothing to do: nothing was left for it, and it takes nothing. */
export async function checkSwept({ client }: CrashWorld): Promise<void> {
  const { items } = await client.list(ClusterRegistrations, { namespace: NAMESPACE });
  const secrets = [...(await clusterSecrets(client)).values()];
  const uids = new Set(items.map(({ metadata }) => metadata.uid));
  const swept = await sweep(
    {
      client,
      clock: systemClock,
      logger: silentLogger,
      secrets: () => secrets,
      hasRegistration: (uid) => uids.has(uid),
    },
    new AbortController().signal,
  );
  assert.equal(swept, 0, 'Secrets that the janitor had to sweep');
}
