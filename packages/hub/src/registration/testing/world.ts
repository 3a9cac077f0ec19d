import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import {
  type Access,
  type Client,
  createClient,
  createTransport,
  Events,
  type Secret,
  Secrets,
} from '@flotilla/client';
import { isNotFound, type ObjectKey, systemClock } from '@flotilla/machinery';
import type { Logger } from '@flotilla/runtime';
import { eventually, expectSoundStatus, startServer } from '@flotilla/testkit';
import { createHub, defaultHubConfig, type HubConfig } from '../../hub.ts';
import { installKinds } from '../../install/install-kinds.ts';
import { registrationConditions } from '../conditions.ts';
import { createMint } from '../exec-profiles/mint-credential.ts';
import { GATEWAY_NAMESPACE, kubeconfigFor, NAMESPACE, sourceSecret } from './builders.ts';
import { LeapClock } from './leap-clock.ts';

/** Gives a server that can be a hub or a member. */
export type StartServer = () => Promise<AsyncDisposable & { readonly access: Access }>;

/** A hub under test. */
export interface TestHub extends AsyncDisposable {
  readonly access: Access;
  readonly client: Client;
  readonly clock: LeapClock;
  /** Log lines of at least `warn`, each with its error. */
  readonly complaints: string[];
  /** Starts the controllers. */
  readonly start: (config?: Partial<HubConfig>) => void;
  /** Ends the controllers; what is stored stays. */
  readonly stop: () => Promise<void>;
  /** Creates a registration. */
  readonly register: (registration: ClusterRegistration) => Promise<ClusterRegistration>;
  readonly get: (key: string) => Promise<ClusterRegistration>;
  /** Waits for a phase, and for a status that is sound. */
  readonly until: (
    key: string,
    holds: string | ((registration: ClusterRegistration) => boolean),
  ) => Promise<ClusterRegistration>;
  /** The cluster Secret of a name. */
  readonly secret: (name: string) => Promise<Secret>;
  readonly hasSecret: (name: string) => Promise<boolean>;
  /** Changes the spec of a registration. */
  readonly change: (key: string, spec: object) => Promise<ClusterRegistration>;
  readonly annotate: (key: string, annotations: object) => Promise<ClusterRegistration>;
  readonly remove: (key: string) => Promise<void>;
  readonly isGone: (key: string) => Promise<boolean>;
  /** Reasons of the events about a registration, oldest first. */
  readonly events: (name: string) => Promise<string[]>;
  /** Puts a kubeconfig into a Secret, whether it is there or not. */
  readonly putSource: (name: string, text: string, namespace?: string) => Promise<void>;
  /** Puts the kubeconfig of a member's administrator where {@link registration} looks for it. */
  readonly putMember: (name: string, member: { readonly access: Access }) => Promise<void>;
}

/** The reasons of all conditions; what the summary may say beside them. */
const SUMMARY = { Ready: ['Registered'] };

/** Starts a hub whose controllers run on a clock that can be set forth; loopback is allowed. */
export async function startHub(
  start: StartServer = startServer,
  config: Partial<HubConfig> = {},
): Promise<TestHub> {
  const server = await start();
  const random = Math.random;
  const connect = () =>
    createClient(createTransport({ access: server.access, clock: systemClock, random }));
  const client = connect();
  const clock = new LeapClock();
  await installKinds(client, { clusterProfiles: false }, new AbortController().signal);
  const complaints: string[] = [];
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  const begin = (more: Partial<HubConfig> = {}): void => {
    const logger = complaining(complaints);
    const mint = createMint({ clock, logger });
    const hub = createHub({
      client,
      clock,
      random,
      logger,
      ...(config.execProfiles === undefined
        ? {}
        : { runExec: mint.mint, forgetCredential: mint.forget }),
      config: {
        ...defaultHubConfig,
        publishesInventory: false,
        endpoints: { allow: [], deny: [], allowsLoopback: true },
        ...config,
        ...more,
      },
    });
    const stop = new AbortController();
    running = { stop, ended: hub.run(stop.signal) };
    // Whoever stops it hears of it.
    running.ended.catch(() => {});
  };
  const stop = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    ending?.stop.abort(new Error('The test stops the controllers'));
    await ending?.ended;
  };
  const get = (key: string) => client.get(ClusterRegistrations, keyOf(key));
  const patch = (key: string, body: object) =>
    client.patch(ClusterRegistrations, keyOf(key), { type: 'merge', body });
  const isThere = (look: Promise<unknown>) =>
    look.then(
      () => true,
      (error: unknown) => {
        if (isNotFound(error)) return false;
        throw error;
      },
    );
  const secretKey = (name: string) => ({ namespace: GATEWAY_NAMESPACE, name });
  const hub: TestHub = {
    access: server.access,
    client,
    clock,
    complaints,
    start: begin,
    stop,
    register: (registration) => client.create(ClusterRegistrations, registration),
    get,
    until: async (key, holds) => {
      const isSo =
        typeof holds === 'string'
          ? ({ status }: ClusterRegistration) => status?.phase === holds
          : holds;
      const found = await eventually(() => get(key), isSo, { withinMs: 20_000 });
      if (found.status?.conditions !== undefined) {
        expectSoundStatus(found, { ...registrationConditions, ...SUMMARY });
      }
      return found;
    },
    secret: (name) => client.get(Secrets, secretKey(name)),
    hasSecret: (name) => isThere(client.get(Secrets, secretKey(name))),
    change: (key, spec) => patch(key, { spec }),
    annotate: (key, annotations) => patch(key, { metadata: { annotations } }),
    remove: async (key) => void (await client.delete(ClusterRegistrations, keyOf(key))),
    isGone: async (key) => !(await isThere(get(key))),
    events: async (name) => {
      const { items } = await client.list(Events);
      return items
        .filter((event) => regardingOf(event) === name)
        .sort((a, b) => timeOf(a) - timeOf(b))
        .map((event) => String((event as { reason?: unknown }).reason));
    },
    putSource: async (name, text, namespace = NAMESPACE) => {
      const secret = sourceSecret(name, text, { namespace });
      await client.apply(Secrets, secret, { fieldManager: 'test', force: true });
    },
    putMember: async (name, member) => {
      // A real server has another administrator than ours.
      const { authorization = 'Bearer admin' } = await member.access.credential.present();
      const token = authorization.replace('Bearer ', '');
      await hub.putSource(`${name}-kubeconfig`, kubeconfigFor(member.access, token));
    },
    [Symbol.asyncDispose]: async () => {
      await stop();
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
  return hub;
}

/** `name` in the namespace of tests, or `namespace/name`. */
function keyOf(key: string): ObjectKey {
  const [first = '', second] = key.split('/');
  return second === undefined
    ? { namespace: NAMESPACE, name: first }
    : { namespace: first, name: second };
}

function regardingOf(event: object): string | undefined {
  return (event as { regarding?: { name?: string } }).regarding?.name;
}

function timeOf(event: object): number {
  return Date.parse((event as { eventTime?: string }).eventTime ?? '');
}

function complaining(complaints: string[]): Logger {
  const nothing = () => {};
  const complain = (message: string, fields: unknown = {}) => {
    complaints.push(`${message} ${String((fields as { err?: unknown }).err ?? '')}`);
  };
  const logger: Logger = {
    debug: nothing,
    info: nothing,
    warn: complain,
    error: complain,
    child: () => logger,
  };
  return logger;
}
