import { setTimeout as delay } from 'node:timers/promises';
import { type Seeded, seeded } from '../../packages/machinery/src/testing/seeded.ts';
import { type Client, connectClient, objectOf, PROTOCOLS, type Target } from './client.ts';
import { startFlotilla } from './flotilla-process.ts';
import { NamespaceChurn } from './namespace-churn.ts';
import { type Listed, rebuilt, sameEvents } from './rebuilt.ts';
import { ResumingWatch } from './watch-reader.ts';
import { COLLECTIONS, NAMESPACE, newObject, type Resource, Writer } from './writer.ts';

/** How often to kill, and where the data is. */
export interface KillOptions {
  readonly dataFolder: string;
  readonly rounds: number;
  readonly seed: number;
  /** Told after every round. */
  readonly progress?: (line: string) => void;
}

/** What all rounds together saw. */
export interface KillFigures {
  readonly acknowledged: number;
  /** Events watches were told, all watches together. */
  readonly events: number;
  readonly slowestRestartMs: number;
}

const WRITERS = 10;

/** What is watched, and whose writes it must show. */
const WATCHED: readonly { path: string; resource: Resource }[] = [
  { path: '/api/v1/configmaps', resource: 'configmaps' },
  { path: COLLECTIONS.configmaps, resource: 'configmaps' },
  { path: COLLECTIONS.secrets, resource: 'secrets' },
  { path: COLLECTIONS.deployments, resource: 'deployments' },
  { path: '/apis/apps/v1/deployments', resource: 'deployments' },
];

/**
 * Kills a server under writes, again and again, and asks the next one what is left: every
 * acknowledged write or a later one, nothing that was deleted, growing revisions, and watches that
 * go on without gap or duplicate. Rejects with the first thing that is wrong.
 */
export async function killRounds(options: KillOptions): Promise<KillFigures> {
  const random = seeded(options.seed);
  const fleet: Fleet = {
    writers: Array.from(
      { length: WRITERS },
      (_, index) => new Writer(`w${index}`, seeded(options.seed + index)),
    ),
    churn: new NamespaceChurn(),
    watches: [],
  };
  let acknowledged = 0;
  let slowestRestartMs = 0;
  for (let round = 0; round <= options.rounds; round++) {
    const begun = performance.now();
    await using server = await startFlotilla(options);
    const restartMs = performance.now() - begun;
    using admin = connectClient(server.target);
    if (round === 0) await setUp(admin, fleet);
    else slowestRestartMs = Math.max(slowestRestartMs, restartMs);
    const clients = await inspect(server.target, fleet);
    const found = fleet.writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    acknowledged += found;
    options.progress?.(`round ${round}: ${found} acknowledged, up in ${Math.round(restartMs)} ms`);
    if (round === options.rounds) {
      await fleet.churn.settled(admin);
    } else {
      for (const writer of fleet.writers) writer.acknowledged = [];
      await writeAndKill(server, fleet, random);
    }
    for (const client of clients) client.close();
  }
  const events = fleet.watches.reduce((sum, { watch }) => sum + watch.events.length, 0);
  return { acknowledged, events, slowestRestartMs: Math.round(slowestRestartMs) };
}

interface Fleet {
  readonly writers: readonly Writer[];
  readonly churn: NamespaceChurn;
  watches: readonly { readonly watch: ResumingWatch; readonly resource: Resource }[];
}

async function setUp(admin: Client, fleet: Fleet): Promise<void> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await created(admin, '/api/v1/namespaces', namespace);
  const shared = { ...newObject('configmaps', 'shared', '0'), data: { '-': '-' } };
  await created(admin, COLLECTIONS.configmaps, shared);
  fleet.watches = await Promise.all(
    WATCHED.map(async ({ path, resource }) => {
      // From nothing on: what exists already is part of what a watch rebuilds.
      const first = new ResumingWatch(path, 1);
      return { watch: first, resource };
    }),
  );
}

async function created(client: Client, path: string, body: object): Promise<void> {
  const { status } = await client.send(`POST ${path}`, { body });
  if (status !== 201) throw new Error(`Cannot prepare ${path}: ${status}`);
}

async function writeAndKill(
  server: { readonly target: Target; readonly crash: () => Promise<void> },
  { writers, churn, watches }: Fleet,
  random: Seeded,
): Promise<void> {
  const clients = writers.map((_, index) =>
    connectClient(server.target, PROTOCOLS[index % PROTOCOLS.length]),
  );
  const running = writers.map(async (writer, index) => writer.run(clients[index] as Client));
  using churning = connectClient(server.target);
  running.push(churn.run(churning));
  await Promise.race([delay(100 + random.below(900)), Promise.all(running)]);
  await server.crash();
  await Promise.all(running);
  await Promise.all(watches.map(({ watch }) => watch.ended));
  for (const client of clients) client.close();
}

/** Everything that must hold after a restart. Returns the clients the watches go on with. */
async function inspect(target: Target, fleet: Fleet): Promise<Client[]> {
  const admin = connectClient(target);
  const seen = highestSeen(fleet);
  const before = fleet.watches.map(({ watch }) => watch.revision);
  await checkObjects(admin, fleet, seen);

  // Watches on connections and protocols of their own, resumed and caught up to a fresh write.
  const clients = fleet.watches.map((_, index) =>
    connectClient(target, PROTOCOLS[index % PROTOCOLS.length]),
  );
  await Promise.all(
    fleet.watches.map(({ watch }, index) => watch.attach(clients[index] as Client)),
  );
  const marks = await mark(admin, seen);
  for (const { watch, resource } of fleet.watches) await watch.reached(marks[resource]);
  await checkWatches(admin, fleet, { marks, before });
  return [...clients, admin];
}

function highestSeen({ writers, watches }: Fleet): number {
  return Math.max(
    0,
    ...writers.flatMap(({ acknowledged }) => acknowledged.map(({ revision }) => revision ?? 0)),
    ...watches.map(({ watch }) => watch.revision),
  );
}

async function list(client: Client, path: string): Promise<Listed> {
  const answer = await client.send(`GET ${path}`);
  if (answer.status !== 200) throw new Error(`Cannot list ${path}: ${answer.body.toString()}`);
  return objectOf<Listed>(answer);
}

/** What each writer was told is what is there; nothing else is. */
async function checkObjects(client: Client, { writers }: Fleet, seen: number): Promise<void> {
  for (const resource of Object.keys(COLLECTIONS) as Resource[]) {
    const { metadata, items } = await list(client, COLLECTIONS[resource]);
    if (Number(metadata.resourceVersion) < seen) {
      throw new Error(`Revisions went back from ${seen} to ${metadata.resourceVersion}`);
    }
    const found = new Map(items.map((item) => [item.metadata.name, item]));
    const slots = writers.flatMap((writer) => writer.slots).filter((s) => s.resource === resource);
    for (const slot of slots) {
      const item = found.get(slot.name);
      found.delete(slot.name);
      const seq = item?.metadata.annotations?.['seq'];
      const isKnown = seq === slot.known?.seq && item?.metadata.uid === slot.known?.uid;
      const isUnsure = slot.unsure !== undefined && seq === slot.unsure.seq;
      if (!isKnown && !isUnsure) {
        throw new Error(
          `${resource} "${slot.name}" is ${seq ?? 'gone'}; acknowledged was ${slot.known?.seq ?? 'its deletion'}`,
        );
      }
      slot.known = item && { uid: item.metadata.uid, seq: seq ?? '' };
      slot.body = item && { ...bodyHead(resource), ...item };
      slot.unsure = undefined;
    }
    for (const name of ['shared', 'kube-root-ca.crt', 'mark']) found.delete(name);
    if (found.size > 0) throw new Error(`${resource} ${[...found.keys()].join()} came back`);
  }
  const shared = objectOf<{ data: Record<string, string> }>(
    await client.send(`GET ${COLLECTIONS.configmaps}/shared`),
  );
  for (const writer of writers) {
    const { key, known, tried } = writer.shared;
    const value = Number(shared.data[key] ?? 0);
    if (value !== known && value !== tried) {
      throw new Error(`"${key}" of the shared object is ${value}; acknowledged was ${known}`);
    }
    writer.shared.known = value;
    writer.shared.tried = value;
  }
}

/** Items of a list come without kind and version. */
function bodyHead(resource: Resource): object {
  const { kind, apiVersion } = newObject(resource, '', '');
  return { kind, apiVersion };
}

/** One more write to each collection; its revision is beyond all that anyone has seen. */
async function mark(client: Client, seen: number): Promise<Record<Resource, number>> {
  const marks = { configmaps: 0, secrets: 0, deployments: 0 };
  for (const resource of Object.keys(COLLECTIONS) as Resource[]) {
    const path = COLLECTIONS[resource];
    await client.send(`DELETE ${path}/mark`);
    const answer = await client.send(`POST ${path}`, { body: newObject(resource, 'mark', 'm') });
    const { metadata } = objectOf<{ metadata: { resourceVersion: string } }>(answer);
    marks[resource] = Number(metadata.resourceVersion);
    if (!(marks[resource] > seen)) {
      throw new Error(`A write got revision ${metadata.resourceVersion} after ${seen}`);
    }
  }
  return marks;
}

/** Resumed watches know exactly what history tells anew, and what it adds up to is what is there. */
async function checkWatches(
  client: Client,
  { watches, writers }: Fleet,
  { marks, before }: { marks: Record<Resource, number>; before: readonly number[] },
): Promise<void> {
  const acknowledged = writers.flatMap((writer) => writer.acknowledged);
  for (const [index, { watch, resource }] of watches.entries()) {
    const through = marks[resource];
    const from = Math.max(1, (before[index] ?? 1) - 500);
    const again = new ResumingWatch(watch.path, from);
    await again.attach(client);
    await again.reached(through);
    sameEvents(watch, again, { from, through });

    const exact = `resourceVersion=${through}&resourceVersionMatch=Exact`;
    rebuilt(watch, await list(client, `${watch.path}?${exact}`), through);

    const told = new Map(watch.events.map((event) => [event.revision, event]));
    const deleted = new Set(
      watch.events.filter(({ type }) => type === 'DELETED').map(({ key, seq }) => key + seq),
    );
    for (const ack of acknowledged.filter((each) => each.resource === resource)) {
      const event = ack.revision === undefined ? undefined : told.get(ack.revision);
      const isTold =
        ack.type === 'DELETED'
          ? deleted.has(ack.key + ack.seq)
          : event?.key === ack.key && event.seq === ack.seq && event.type === ack.type;
      if (!isTold) {
        throw new Error(`"${watch.path}" was not told of ${ack.type} ${ack.key} ${ack.seq}`);
      }
    }
  }
}
