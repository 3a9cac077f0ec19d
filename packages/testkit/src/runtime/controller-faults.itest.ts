import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { type Client, ConfigMaps, createInformers, type Informers } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { type Seeded, seeded } from '@flotilla/machinery/testing';
import { defineController, untilChanged, watchIndexed } from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { faultProxy } from '../fault-proxy/fault-proxy.ts';
import { startServer } from '../start-server.ts';
import { connectClient } from '../testing/connect-client.ts';
import { hastyClock } from '../testing/hasty-clock.ts';
import { defineGadgets, type Gadget, Gadgets, gadget, gadgetConditions } from './gadgets.ts';
import { runManager } from './run-manager.ts';

const faults = Number(process.env['FLOTILLA_CONTROLLER_FAULTS'] ?? 30);
const seed = Number(process.env['FLOTILLA_SEED'] ?? 1);

/** Short, as everything here is: a silent connection is dead after so long, and so is an unanswered request. */
const IDLE_MS = 150;
const LIMITS = { connectMs: 500, totalMs: 500, pingAfterMs: 50, pingWithinMs: 100 };
const PATIENCE = { withinMs: 30_000 };
const FINALIZER = 'test.flotilla.dev/clean-up';
const NAMES = Array.from({ length: 8 }, (_, at) => `gadget-${at}`);
const CONFIGS = Array.from({ length: 3 }, (_, at) => `config-${at}`);
const place = (name: string) => ({ namespace: 'default', name });

describe('controller faults', () => {
  test(`no reconcile is lost over ${faults} faults, and nothing is left open`, async (context) => {
    const before = resources();
    await chaos(context);

    await eventually(() => assert.deepEqual(resources(), before), passed);
  });
});

/** Without a resync: a change that nobody notices is never made up for. */
async function chaos(context: TestContext): Promise<void> {
  const random = seeded(seed);
  await using server = await startServer({ doesManagersWork: false });
  await using writer = connectClient(server.access);
  await defineGadgets(writer);
  await using proxy = await faultProxy(server.access, { seed });
  await using client = connectClient(proxy.access, LIMITS);
  const informers = createInformers({
    client,
    clock: hastyClock(1_000),
    random: () => 0.5,
    idleMs: IDLE_MS,
  });
  await using _informing = started(informers);
  const controller = gadgetController(informers);
  await using run = runManager({ client, controllers: [controller], informers });
  const begun = performance.now();
  let restarts = 0;

  for (let done = 0; done < faults; done++) {
    await change(writer, random);
    const fault = proxy.strike();
    await change(writer, random);
    if (random.below(20) === 0) await server.compact();
    if (random.below(100) === 0) {
      restarts += 1;
      await server.stop();
      await server.start();
      // Connections that wait for their next request are found dead by it.
      await eventually(() => writer.list(ConfigMaps), Boolean, { tolerates: () => true });
    }
    try {
      await eventually(() => assertReconciled(writer), passed, PATIENCE);
    } catch (cause) {
      throw new Error(`Cannot see passes catch up: seed ${seed}, fault ${done}, ${fault}`, {
        cause,
      });
    }
    if (done > 0 && done % 500 === 0) {
      context.diagnostic(`${done} faults in ${Math.round((performance.now() - begun) / 1_000)} s`);
    }
  }

  const counts = Object.entries(proxy.struck).map(([fault, count]) => `${count} ${fault}`);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  context.diagnostic(
    `figure: controllers behind faults: ${faults} (${counts.join(', ')}), ${restarts} restarts, ` +
      `${run.outcomes.length} passes, ${run.writes} writes, ${seconds} s, seed ${seed}`,
  );
}

/** Says in the status what it has seen: of the object, and of the ConfigMap that it names. */
function gadgetController(informers: Informers) {
  const configs = informers.for(ConfigMaps);
  return defineController<Gadget, typeof gadgetConditions>({
    name: 'gadgets',
    for: Gadgets,
    conditions: gadgetConditions,
    finalizer: FINALIZER,
    concurrency: 4,
    // Longer waits than the test's own patience would look like a loss.
    limits: { longestMs: 200, overallPerSecond: 10_000, overallBurst: 10_000 },
    indexes: { config: ({ spec }) => [`default/${spec.config ?? ''}`] },
    watches: [watchIndexed(ConfigMaps, { index: 'config' })],
    reconcile: (pass) => {
      const { spec } = pass.observed;
      const config = configs.get(place(spec.config ?? ''));
      pass.object.status.size = spec.size ?? 0;
      pass.mark('Configured', 'Read', turnOf(config));
      pass.mark('Built', 'Made', 'Made');
      return untilChanged;
    },
    finalize: () => {},
  });
}

const turnOf = (object: { metadata: { labels?: Record<string, string> } } | undefined): string =>
  `turn ${object?.metadata.labels?.['turn'] ?? 'none'}`;

/** A gadget is made, changed or deleted, or the ConfigMap that gadgets name. */
async function change(writer: Client, random: Seeded): Promise<void> {
  const turn = String(random.below(1_000_000));
  if (random.below(3) === 0) {
    const metadata = { ...place(random.pick(CONFIGS)), labels: { turn } };
    const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata };
    await writer.apply(ConfigMaps, config, { fieldManager: 'test', force: true });
    return;
  }
  const name = random.pick(NAMES);
  const spec = { size: Number(turn), config: random.pick(CONFIGS) };
  const found = await writer.get(Gadgets, place(name)).catch(unlessGone);
  if (found === undefined) await writer.create(Gadgets, gadget(name, spec));
  // One that is on its way out belongs to its controller.
  else if (found.metadata.deletionTimestamp !== undefined) return;
  else if (random.below(4) === 0) await writer.delete(Gadgets, place(name));
  else await writer.patch(Gadgets, place(name), { type: 'merge', body: { spec } });
}

/** Fails unless every gadget has been seen as it is, together with its ConfigMap, and none waits for its end. */
async function assertReconciled(writer: Client): Promise<void> {
  const configs = new Map(
    (await writer.list(ConfigMaps, { namespace: 'default' })).items.map((each) => [
      each.metadata.name,
      each,
    ]),
  );
  const { items } = await writer.list(Gadgets);
  assert.deepEqual(
    items.map(({ metadata, status }) => ({
      name: metadata.name,
      isLeaving: metadata.deletionTimestamp !== undefined,
      finalizers: metadata.finalizers,
      size: status?.size,
      seen: status?.conditions?.find(({ type }) => type === 'Configured')?.message,
    })),
    items.map(({ metadata, spec }) => ({
      name: metadata.name,
      isLeaving: false,
      finalizers: [FINALIZER],
      size: spec.size,
      seen: turnOf(configs.get(spec.config ?? '')),
    })),
  );
}

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

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** For checks that say what is wrong by throwing. */
const passed = (): boolean => true;

function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
}
