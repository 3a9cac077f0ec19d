import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Client, createClient, createTransport, Events, Secrets } from '@flotilla/client';
import { isNotFound, systemClock } from '@flotilla/machinery';
import { createLogger } from '@flotilla/runtime';
import { eventually } from '@flotilla/testkit';
import { createHub, defaultHubConfig, type HubConfig } from '../../../hub.ts';
import { installKinds } from '../../../install/install-kinds.ts';
import { createMint } from '../../exec-profiles/mint-credential.ts';
import {
  GATEWAY_NAMESPACE,
  kubeconfigFor,
  NAMESPACE,
  registration,
  sourceSecret,
  textsOf,
} from '../../testing/builders.ts';
import { startMember } from '../../testing/member.ts';
import type { StartServer } from '../../testing/world.ts';

/** What no status, event or log line may hold. */
export const SECRET = 's3cret';

/** A hub on which strangers register clusters. */
export interface HostileHub extends AsyncDisposable {
  readonly client: Client;
  /** Where the hub itself is dialled. */
  readonly port: number;
  /** Registers what a kubeconfig says. */
  readonly register: (name: string, kubeconfig: string, spec?: object) => Promise<void>;
  readonly until: (
    name: string,
    holds: (registration: ClusterRegistration) => boolean,
  ) => Promise<ClusterRegistration>;
  readonly hasSecret: (name: string) => Promise<boolean>;
  /** The decoded data of a cluster Secret. */
  readonly data: (name: string) => Promise<Record<string, string>>;
  /** Everything that people may read: registrations, events and what the hub logs at its most talkative. */
  readonly told: () => Promise<string>;
  /** Registers a cluster that is as it should be, and waits for it: the hub works. */
  readonly joinGood: (name: string) => Promise<void>;
}

/** Starts it. Commands could be run: it is the policy that keeps it from them. */
export async function startHostileHub({
  start,
  allowsLoopback,
  addresses = {},
  config = {},
}: {
  readonly start: StartServer;
  readonly allowsLoopback: boolean;
  readonly addresses?: Readonly<Record<string, readonly string[]>>;
  readonly config?: Partial<HubConfig>;
}): Promise<HostileHub> {
  const random = () => 0.5;
  const server = await start();
  const client = createClient(
    createTransport({ access: server.access, clock: systemClock, random }),
  );
  await installKinds(client, { clusterProfiles: false }, new AbortController().signal);
  const lines: string[] = [];
  const logger = createLogger({
    sink: { write: (line) => void lines.push(line) },
    clock: systemClock,
    level: 'debug',
  });
  const mint = createMint({ clock: systemClock, logger });
  const hub = createHub({
    client,
    clock: systemClock,
    random,
    logger,
    runExec: mint.mint,
    forgetCredential: mint.forget,
    resolveHost: async (host) => addresses[host] ?? [],
    config: {
      ...defaultHubConfig,
      publishesInventory: false,
      endpoints: { allow: [], deny: [], allowsLoopback },
      ...config,
    },
  });
  const stop = new AbortController();
  const running = hub.run(stop.signal);
  running.catch(() => {});
  const key = (name: string) => ({ namespace: NAMESPACE, name });
  const hostile: HostileHub = {
    client,
    port: Number(new URL(server.access.server).port),
    register: async (name, kubeconfig, spec = {}) => {
      await client.create(Secrets, sourceSecret(`${name}-kubeconfig`, kubeconfig));
      await client.create(ClusterRegistrations, registration(name, spec));
    },
    until: (name, holds) =>
      eventually(() => client.get(ClusterRegistrations, key(name)), holds, { withinMs: 60_000 }),
    hasSecret: (name) =>
      client.get(Secrets, { namespace: GATEWAY_NAMESPACE, name }).then(
        () => true,
        (error: unknown) => {
          if (!isNotFound(error)) throw error;
          return false;
        },
      ),
    data: async (name) =>
      textsOf(await client.get(Secrets, { namespace: GATEWAY_NAMESPACE, name })),
    told: async () => {
      const registrations = await client.list(ClusterRegistrations);
      const events = await client.list(Events);
      return JSON.stringify([registrations.items, events.items, lines]);
    },
    joinGood: async (name) => {
      await using member = await startMember();
      await hostile.register(name, kubeconfigFor(member.access));
      await hostile.until(name, ({ status }) => status?.phase === 'Ready');
      await client.delete(ClusterRegistrations, key(name));
      await eventually(async () => !(await hostile.hasSecret(name)));
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  return hostile;
}
