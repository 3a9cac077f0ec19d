import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Events, type Secret } from '@flotilla/client';
import { OUR_PREFIX } from '../../cluster-secret/names.ts';
import { tracker } from '../applications/testing/vela-hub.ts';
import { ResourceTrackers } from '../resource-trackers/kinds.ts';
import { NAMESPACE } from '../testing/builders.ts';
import { checkSwept, dieOf, foreignVersions, seeThrough } from './testing/crash-run.ts';
import {
  type CrashWorld,
  clusterSecrets,
  FOREIGN,
  ONE,
  openCrashWorld,
  THREE,
  TRACKER,
  TWO,
} from './testing/crash-world.ts';
import { change, FLOWS, type Flow, get, isGone, isReady, remove } from './testing/flows.ts';
import { startInProcess as startLife } from './testing/in-process-life.ts';

/** What a user wants instead, while nobody is there to see the first wish through. */
interface ChangeOfMind {
  readonly name: string;
  /** What was wanted first. */
  readonly flow: string;
  readonly meanwhile: (world: CrashWorld) => Promise<void>;
  readonly isOver: (world: CrashWorld) => Promise<boolean>;
  /** Secrets beside those of others in the end; undefined for some, which are nobody's. */
  readonly leaves: readonly string[] | undefined;
}

const named = (name: string) => async (world: CrashWorld) =>
  (await isReady(world)) && (await get(world))?.status?.registeredName === name;

const CHANGES: readonly ChangeOfMind[] = [
  {
    name: 'a join under another name',
    flow: 'a join',
    meanwhile: (world) => change(world, { clusterName: TWO }),
    isOver: named(TWO),
    leaves: [TWO],
  },
  {
    name: 'a join that is given up',
    flow: 'a join',
    meanwhile: remove,
    isOver: isGone,
    leaves: [],
  },
  {
    name: 'a rename that is taken back',
    flow: 'a rename',
    meanwhile: (world) => change(world, { clusterName: null }),
    isOver: named(ONE),
    leaves: [ONE],
  },
  {
    name: 'a rename to a third name',
    flow: 'a rename',
    meanwhile: (world) => change(world, { clusterName: THREE }),
    isOver: named(THREE),
    leaves: [THREE],
  },
  {
    name: 'a detach in the middle of a rename',
    flow: 'a rename',
    meanwhile: remove,
    isOver: isGone,
    leaves: [],
  },
  {
    name: 'a detach after a second rename',
    flow: 'a rename',
    meanwhile: async (world) => {
      await change(world, { clusterName: THREE });
      await remove(world);
    },
    isOver: isGone,
    leaves: [],
  },
  {
    name: 'a release after a second rename',
    flow: 'a rename',
    meanwhile: async (world) => {
      await change(world, { clusterName: THREE, deletionPolicy: 'Orphan' });
      await remove(world);
    },
    isOver: isGone,
    leaves: undefined,
  },
];

describe('controllers that die, and a user who wants something else by the time there are others', () => {
  let world: CrashWorld;
  before(async () => {
    world = await openCrashWorld(startLife);
  });
  after(() => world[Symbol.asyncDispose]());

  test('a name that was given up stays for as long as something uses it', async () => {
    await world.reset();
    const flow = FLOWS.find(({ name }) => name === 'a rename') as Flow;
    const options = { world, startLife, trap: { at: 1, isDone: true } };
    assert.equal((await dieOf(flow, options)).diedAt, 'hub: POST secrets');
    const managedResources = [{ kind: 'ConfigMap', name: 'x', namespace: 'y', cluster: TWO }];
    await world.client.create(ResourceTrackers, tracker(TRACKER, { managedResources }));
    await change(world, { clusterName: null });
    const then = { ...flow, isOver: named(ONE) };
    await seeThrough(then, options);
    assert.ok((await clusterSecrets(world.client)).has(TWO));
    const { items } = await world.client.list(Events, { namespace: NAMESPACE });
    const told = items.map((event) => (event as { reason?: string }).reason);
    assert.equal(told.filter((reason) => reason === 'UnusedSecretKept').length, 1);

    await world.client.delete(ResourceTrackers, { name: TRACKER });
    await seeThrough(then, options);
    const left = await clusterSecrets(world.client);
    assert.deepEqual([left.has(ONE), left.has(TWO)], [true, false]);
  });

  for (const mind of CHANGES) {
    test(`${mind.name} leaves no Secret behind`, async () => {
      const flow = FLOWS.find(({ name }) => name === mind.flow) as Flow;
      for (let at = 1; at <= flow.writes.length; at++) {
        await world.reset();
        const foreign = await foreignVersions(world);
        const options = { world, startLife, trap: { at, isDone: true } };
        const { diedAt } = await dieOf(flow, options);
        if (diedAt === undefined) continue;
        await mind.meanwhile(world);
        const { isOver, leaves } = mind;
        await seeThrough({ ...flow, isOver, stays: (leaves ?? []).length > 0 }, options);
        const where = `died after ${diedAt}`;
        const all = [...(await clusterSecrets(world.client)).values()];
        const ours = all.filter(({ metadata }) => !FOREIGN.some((each) => each === metadata.name));
        if (leaves === undefined) {
          assert.ok(ours.length > 0, where);
          assert.deepEqual(ours.flatMap(marksOf), [], where);
        } else {
          assert.deepEqual(ours.map(({ metadata }) => metadata.name ?? '').sort(), leaves, where);
        }
        assert.deepEqual(await foreignVersions(world), foreign, where);
        await checkSwept(world);
      }
    });
  }
});

function marksOf({ metadata }: Secret): string[] {
  const { labels = {}, annotations = {} } = metadata;
  return Object.keys({ ...labels, ...annotations }).filter((key) => key.startsWith(OUR_PREFIX));
}
