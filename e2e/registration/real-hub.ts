// One real kube-apiserver for many cases that each want a hub of their own.
import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import {
  type Access,
  type Client,
  CustomResourceDefinitions,
  createClient,
  createTransport,
  Events,
  Namespaces,
  Secrets,
} from '@flotilla/client';
import { isNotFound, type Kind, type KubeObject, systemClock } from '@flotilla/machinery';
import { eventually } from '../../packages/testkit/src/eventually.ts';
import { accessOf } from '../client/access.ts';
import { BUILT_IN, type Side, startSide } from '../sides.ts';

/** A real server that is emptied whenever a case is done with it, or replaced where that takes too long. */
export interface RealHub extends AsyncDisposable {
  /** The one that serves at this moment. */
  readonly side: Side;
  /** What cases are given; disposing of it empties the server. */
  readonly start: () => Promise<AsyncDisposable & { readonly access: Access }>;
}

/** Namespaces that stay, because emptying one is quicker than waiting for its end. */
const KEPT = /^(default|kube-.*|vela-system|flotilla-inventory.*)$/;
const PATIENCE = { withinMs: 30_000, everyMs: 100 };

/** Starts it, with the controllers that our own server has built in. */
export async function startRealHub(): Promise<RealHub> {
  let server = await startServer();
  return {
    get side() {
      return server.side;
    },
    start: async () => ({
      access: server.access,
      [Symbol.asyncDispose]: async () => {
        try {
          await empty(server.client);
        } catch (error) {
          // A real server's finalizer of kinds has been seen to rest for minutes; the next case shall not pay for it.
          process.stderr.write(`The real server is replaced: ${error}\n`);
          await server[Symbol.asyncDispose]();
          server = await startServer();
        }
      },
    }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function startServer() {
  const side = await startSide('real', { controllers: BUILT_IN, certificates: true });
  const access = accessOf(side);
  const client = createClient(createTransport({ access, clock: systemClock, random: Math.random }));
  return {
    side,
    access,
    client,
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await side.stop();
    },
  };
}

/** Every hub has it, and a real server takes two seconds to forget a kind and to learn it again. */
const KEPT_CRD = `${ClusterRegistrations.plural}.${ClusterRegistrations.group}`;

/** Takes away whatever a case may have left. */
async function empty(client: Client): Promise<void> {
  await removeRegistrations(client);
  for (const name of await foreignCrds(client)) {
    await client.delete(CustomResourceDefinitions, { name }).catch(unlessGone);
  }
  const spaces = await namesOf(client, Namespaces);
  for (const name of spaces.filter((each) => !KEPT.test(each))) {
    await client.delete(Namespaces, { name }).catch(unlessGone);
  }
  for (const namespace of spaces.filter((each) => KEPT.test(each) && !each.startsWith('kube-'))) {
    for (const kind of [Secrets, Events] as Kind<KubeObject>[]) {
      await client.deleteCollection(kind, { namespace });
    }
  }
  await eventually(
    async () => [
      ...(await foreignCrds(client)),
      ...(await namesOf(client, Namespaces)).filter((each) => !KEPT.test(each)),
    ],
    (left) => left.length === 0,
    PATIENCE,
  );
}

/** Those whose controller has ended would wait for it for ever. */
async function removeRegistrations(client: Client): Promise<void> {
  const found: readonly ClusterRegistration[] = await client.list(ClusterRegistrations).then(
    ({ items }) => items,
    (error: unknown) => unlessGone(error) ?? [],
  );
  for (const { metadata } of found) {
    const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
    const body = { metadata: { finalizers: null } };
    await client.patch(ClusterRegistrations, key, { type: 'merge', body }).catch(unlessGone);
    await client.delete(ClusterRegistrations, key).catch(unlessGone);
  }
}

async function foreignCrds(client: Client): Promise<string[]> {
  const names = await namesOf(client, CustomResourceDefinitions);
  return names.filter((name) => name !== KEPT_CRD);
}

async function namesOf<T extends KubeObject>(client: Client, kind: Kind<T>): Promise<string[]> {
  return (await client.list(kind)).items.map(({ metadata }) => metadata.name ?? '');
}

function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
