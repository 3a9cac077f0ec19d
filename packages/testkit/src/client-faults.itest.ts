import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  type Client,
  type ConfigMap,
  ConfigMaps,
  createInformer,
  type InformerOptions,
  type Secret,
  Secrets,
} from '@flotilla/client';
import { type Kind, type KubeObject, systemClock } from '@flotilla/machinery';
import { type Seeded, seeded } from '@flotilla/machinery/testing';
import { eventually } from './eventually.ts';
import { faultProxy } from './fault-proxy/fault-proxy.ts';
import { startServer, type TestApiServer } from './start-server.ts';
import { connectClient } from './testing/connect-client.ts';
import { assertHolds, type Followed, follow } from './testing/followed.ts';
import { hastyClock } from './testing/hasty-clock.ts';

const faults = Number(process.env['FLOTILLA_CLIENT_FAULTS'] ?? 100);
const seed = Number(process.env['FLOTILLA_SEED'] ?? 1);

/** Short, as everything here is: a silent connection is dead after so long, and so is an unanswered request. */
const IDLE_MS = 150;
const LIMITS = { connectMs: 500, totalMs: 500, pingAfterMs: 50, pingWithinMs: 100 };
const STEP_MS = 30_000;
const NAMES = Array.from({ length: 12 }, (_, at) => `object-${at}`);
const NAMESPACES = ['default', 'kube-public'];

/** One for watches, some for lists, and dead ones that wait to be noticed. */
const MOST_CONNECTIONS = 10;

describe('client faults', () => {
  test(`informers have what the server has after each of ${faults} faults, and leave nothing open`, async (context) => {
    const before = resources();
    await chaos(context);

    await eventually(() => assert.deepEqual(resources(), before), passed);
  });
});

async function chaos(context: TestContext): Promise<void> {
  const random = seeded(seed);
  await using server = await startServer({ doesManagersWork: false });
  await using writer = connectClient(server.access);
  await using proxy = await faultProxy(server.access, { seed });
  const client = connectClient(proxy.access, LIMITS);
  await using _closing = bounded('close the client', client);
  const lines = informersOf(client);
  await using running = started(lines);
  const begun = performance.now();
  let restarts = 0;
  let compactions = 0;
  let most = 0;

  for (let done = 0; done < faults; done++) {
    await within('change', change(writer, random));
    const fault = proxy.strike();
    await within('change', change(writer, random));
    if (random.below(20) === 0) {
      compactions += 1;
      await within('compact', server.compact());
    }
    if (random.below(100) === 0) {
      restarts += 1;
      await within('restart', restart(server, writer));
    }
    if (done > 0 && done % 500 === 0) {
      context.diagnostic(`${done} faults in ${Math.round((performance.now() - begun) / 1_000)} s`);
    }
    await converged(writer, lines, `seed ${seed}, fault ${done}, ${fault}`);
    most = Math.max(most, proxy.connections());
    assert.ok(proxy.connections() < MOST_CONNECTIONS, `${proxy.connections()} connections`);
  }

  await within('stop the informers', running.end());
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const counts = Object.entries(proxy.struck).map(([fault, count]) => `${count} ${fault}`);
  context.diagnostic(
    `figure: informers behind faults: ${faults} (${counts.join(', ')}), ${restarts} restarts, ` +
      `${compactions} compactions, at most ${most} connections, ${seconds} s, seed ${seed}`,
  );
}

/** A step that hangs would hang the test; better it fails, and says which. */
async function within<T>(step: string, done: Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = systemClock.wait(STEP_MS, limit.signal).then(() => {
    throw new Error(`Cannot ${step}: it takes longer than ${STEP_MS} ms`);
  });
  try {
    return await Promise.race([done, late]);
  } finally {
    limit.abort();
    await late.catch(() => {});
  }
}

/** Disposes in the time of a step: a connection that never closes is a leak to be told of, not to be waited for. */
function bounded(step: string, disposable: AsyncDisposable): AsyncDisposable {
  const dispose = async () => disposable[Symbol.asyncDispose]();
  return { [Symbol.asyncDispose]: () => within(step, dispose()) };
}

function started(lines: readonly Line[]) {
  const ending = new AbortController();
  const running = lines.map(({ followed }) => followed.informer.start(ending.signal));
  const end = async (): Promise<void> => {
    ending.abort();
    await Promise.all(running);
  };
  return { end, [Symbol.asyncDispose]: end };
}

interface Line {
  readonly followed: Followed;
  readonly expected: (writer: Client) => Promise<KubeObject[]>;
}

function informersOf(client: Client): Line[] {
  const make = <T extends KubeObject>(
    kind: Kind<T>,
    choice: Pick<InformerOptions<T>, 'selection' | 'mode'>,
  ): Line => {
    const informer = createInformer<T>({
      client,
      kind,
      ...choice,
      idleMs: IDLE_MS,
      clock: hastyClock(1_000),
      random: () => 0.5,
    });
    const metadataOnly = choice.mode === 'metadata';
    return {
      followed: follow(informer),
      expected: async (writer) => {
        const { items } = await writer.list<T>(kind, { ...choice.selection, metadataOnly });
        return metadataOnly ? items.map((object) => compacted(kind, object)) : items;
      },
    };
  };
  return [
    make<ConfigMap>(ConfigMaps, {}),
    make<ConfigMap>(ConfigMaps, { mode: 'metadata', selection: { labelSelector: 'color=red' } }),
    make<Secret>(Secrets, { selection: { namespace: 'default' } }),
    make<Secret>(Secrets, { mode: 'metadata' }),
  ];
}

function compacted(kind: Kind, { metadata }: KubeObject): KubeObject {
  const { managedFields: _, ...rest } = metadata;
  return { apiVersion: kind.version, kind: kind.kind, metadata: rest };
}

/** Something is created, changed, deleted, or deleted and created anew. */
async function change(writer: Client, random: Seeded): Promise<void> {
  const kind = random.pick<Kind>([ConfigMaps, Secrets]);
  const key = { namespace: random.pick(NAMESPACES), name: random.pick(NAMES) };
  const labels = { color: random.pick(['red', 'green']), turn: String(random.below(1_000)) };
  const object = { apiVersion: 'v1', kind: kind.kind, metadata: { ...key, labels } };
  const doesExist = await exists(writer, kind, key);
  if (!doesExist) await writer.create(kind, object);
  else if (random.below(3) > 0) {
    await writer.patch(kind, key, { type: 'merge', body: { metadata: { labels } } });
  } else {
    await writer.delete(kind, key);
    if (random.below(2) === 0) await writer.create(kind, object);
  }
}

async function exists(
  writer: Client,
  kind: Kind,
  { namespace, name }: { namespace: string; name: string },
): Promise<boolean> {
  const fieldSelector = `metadata.name=${name}`;
  const { items } = await writer.list(kind, { namespace, fieldSelector });
  return items.length > 0;
}

async function restart(server: TestApiServer, writer: Client): Promise<void> {
  await server.stop();
  await server.start();
  // Connections that wait for their next request are found dead by it.
  await eventually(() => writer.list(ConfigMaps), Boolean, { tolerates: () => true });
}

async function converged(writer: Client, lines: readonly Line[], when: string): Promise<void> {
  for (const { followed, expected } of lines) {
    const objects = await expected(writer);
    try {
      await eventually(() => assertHolds(followed, objects), passed, { withinMs: 20_000 });
    } catch (cause) {
      throw new Error(`Cannot see ${followed.informer.kind.plural} converge: ${when}`, { cause });
    }
  }
}

/** For checks that say what is wrong by throwing. */
const passed = (): boolean => true;

function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /TCP|TLS|Timeout/.test(name));
}
