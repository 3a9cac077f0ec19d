// `members.ts MEMBERS PROFILES`: a fleet in one process. Each server is an API server with its own data, key, port and
// certificate authority: `hub` with a profile for each member, `large` with many profiles of clusters that are nowhere,
// and the members. Prints one JSON line for each, then does what its input says, a line at a time, and answers each:
// `pods N` has every member hold N pods, `delay MS` adds that to every response.
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, createClient, createTransport, Pods } from '@flotilla/client';
import { systemClock as clock } from '@flotilla/machinery';
import { startServer, type TestApiServer } from '@flotilla/testkit';
import {
  healthyStatus,
  installProfiles,
  offerOf,
  profileOf,
  storeProfiles,
} from '../../packages/mc/src/testing/profiles.ts';
import { fillPods } from './pods.ts';
import { preparedAnswers } from './prepared-answers.ts';

/** One server, as its line tells it. */
export interface ServerLine {
  readonly name: string;
  readonly server: string;
  readonly ca: string;
  readonly token: string;
  /** How many bytes an object it holds has, as it sends it. */
  readonly podBytes?: number;
}

interface Running {
  readonly name: string;
  readonly server: TestApiServer;
  readonly client: Client;
  readonly prepare: () => void;
}

let delayMs = 0;
const [, , members = '1', profiles = '1'] = process.argv;

const hub = await start('hub');
const large = await start('large');
const fleet: Running[] = [];
for (let index = 1; index <= Number(members); index += 1) {
  fleet.push(await start(`c${String(index).padStart(2, '0')}`));
}
await publish(
  hub,
  fleet.map(({ name, server }) => ({ name, access: server.access })),
);
await publish(
  large,
  Array.from({ length: Number(profiles) }, (_, index) => {
    const name = `c${String(index + 1).padStart(4, '0')}`;
    const server = `https://${name}.example.invalid:6443`;
    return { name, access: { server, tls: hub.server.access.tls } };
  }),
);
for (const each of [hub, large, ...fleet]) {
  each.prepare();
  await tell(each);
}

let pods = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const [command, value] = line.split(' ');
  if (command === 'delay') delayMs = Number(value);
  if (command === 'pods') {
    for (const { client } of fleet) await fillPods(client, pods, Number(value));
    pods = Number(value);
    for (const { prepare } of fleet) prepare();
  }
  const [first] = fleet;
  const { items = [] } = (await first?.client.list(Pods, { pageSize: 1 })) ?? {};
  process.stdout.write(`${JSON.stringify({ podBytes: JSON.stringify(items[0] ?? '').length })}\n`);
}
for (const { client, server } of [hub, large, ...fleet]) {
  await client[Symbol.asyncDispose]();
  await server.stop();
}

async function start(name: string): Promise<Running> {
  const { around, prepare } = preparedAnswers();
  const server = await startServer({
    doesManagersWork: false,
    around: async (request, next) => {
      if (delayMs > 0) await delay(delayMs);
      return await around(request, next);
    },
  });
  const transport = createTransport({ access: server.access, clock, random: Math.random });
  return { name, server, client: createClient(transport), prepare };
}

async function publish(
  { client }: Running,
  clusters: readonly { name: string; access: Parameters<typeof offerOf>[1] }[],
): Promise<void> {
  await installProfiles(client);
  await storeProfiles(
    client,
    clusters.map(({ name, access }) =>
      profileOf({
        name,
        namespace: 'open-cluster-management',
        labels: { env: 'bench', region: 'eu-west-1' },
        status: healthyStatus({
          accessProviders: [offerOf('bench', access)],
          properties: [
            { name: 'cluster.clusterset.k8s.io', value: `id-of-${name}` },
            { name: 'location', value: 'eu-west-1' },
          ],
        }),
      }),
    ),
  );
}

async function tell({ name, server }: Running): Promise<void> {
  const { authorization = '' } = await server.access.credential.present();
  const line: ServerLine = {
    name,
    server: server.url,
    ca: server.access.tls.ca ?? '',
    token: authorization.replace('Bearer ', ''),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
