import { ClusterRegistrations } from '@flotilla/api';
import {
  type Access,
  type Client,
  createClient,
  createTransport,
  Events,
  Namespaces,
  Secrets,
} from '@flotilla/client';
import { isNotFound, type KubeObject, systemClock } from '@flotilla/machinery';
import { eventually, startServer } from '@flotilla/testkit';
import type { TestPair } from '../../../cluster-secret/testing/certificate.ts';
import { installKinds } from '../../../install/install-kinds.ts';
import { Applications } from '../../applications/kinds.ts';
import { RESTART_WORKFLOW } from '../../applications/refresh-method.ts';
import { application, createApplications, tracker } from '../../applications/testing/vela-hub.ts';
import { ResourceTrackers } from '../../resource-trackers/kinds.ts';
import {
  GATEWAY_NAMESPACE,
  joinedSecret,
  kubeconfig,
  kubeconfigFor,
  NAMESPACE,
  registration,
  sourceSecret,
} from '../../testing/builders.ts';
import { startMember } from '../../testing/member.ts';
import { startOddMember, welcoming } from '../../testing/odd-member.ts';
import { installVela } from '../../testing/vela.ts';
import { type Diary, keepDiary, MARKER } from './diary.ts';
import { startGateProxy } from './gate-proxy.ts';
import type { StartLife } from './life.ts';
import { createWriteGate, type WriteGate } from './write-gate.ts';

/** The registration that is joined, renamed, rotated and detached, and the name that its cluster has at first. */
export const ONE = 'one';
/** The other name. */
export const TWO = 'two';
/** And another one. */
export const THREE = 'three';
/** Applications by what they select. */
export const PROD = 'prod';
export const GOLD = 'gold';
/** What KubeVela remembers of the cluster. */
export const TRACKER = 'web-v1';
/** A namespace that the cluster is to have. */
export const TEAM = 'team-x';
/** Another registration, and its cluster. */
export const NEIGHBOUR = 'neighbour';
/** A cluster that somebody joined by hand. */
const JOINED = 'joined-by-hand';
/** A Secret that has nothing to do with clusters. */
const UNRELATED = 'unrelated';
/** Nobody but a test may touch these. */
export const FOREIGN = [JOINED, NEIGHBOUR, UNRELATED] as const;

/** A hub with somebody else's clusters, a member, and the gate through which controllers reach both. */
export interface CrashWorld extends AsyncDisposable {
  /** An administrator, who goes another way. */
  readonly client: Client;
  readonly gate: WriteGate;
  readonly diary: Diary;
  /** The hub as controllers reach it: through the gate where a process of its own has to. */
  readonly hubAccess: Access;
  /** The member's kubeconfigs, by credential. */
  readonly kubeconfigs: Readonly<Record<'first' | 'second' | 'certificate', string>>;
  /** Where the member is as controllers reach it, and how it proves itself. */
  readonly member: { readonly endpoint: string; readonly ca: string };
  readonly tokens: Readonly<Record<'first' | 'second', string>>;
  readonly putSource: (text: string) => Promise<void>;
  /** Takes away whatever a run has left, without any controller. */
  readonly reset: () => Promise<void>;
  /** What KubeVela does with Applications that are to begin anew. */
  readonly restartWorkflows: () => Promise<void>;
}

/** Builds it, with controllers that join the neighbour. */
export async function openCrashWorld(
  start: StartLife,
  { isProxied = false }: { readonly isProxied?: boolean } = {},
): Promise<CrashWorld> {
  const open: AsyncDisposable[] = [];
  try {
    return await build(open, start, isProxied);
  } catch (error) {
    await closeAll(open);
    throw error;
  }
}

async function build(
  open: AsyncDisposable[],
  start: StartLife,
  isProxied: boolean,
): Promise<CrashWorld> {
  const use = <T extends AsyncDisposable>(opened: T): T => {
    open.push(opened);
    return opened;
  };
  const hub = use(await startServer());
  const member = use(await startMember());
  const neighbour = use(await startOddMember(welcoming('admin', NEIGHBOUR)));
  const client = use(
    createClient(createTransport({ access: hub.access, clock: systemClock, random: Math.random })),
  );
  const gate = createWriteGate();
  const memberProxy = use(
    await startGateProxy({ gate, name: 'member', target: member.access, pair: member.pair }),
  );
  const hubAccess = isProxied
    ? use(await startGateProxy({ gate, name: 'hub', target: hub.access })).access
    : hub.access;
  const { server: endpoint, tls } = memberProxy.access;
  const ca = tls.ca ?? '';
  await installKinds(client, { clusterProfiles: false }, new AbortController().signal);
  await installVela(client);
  const prod = application(PROD, { clusterLabelSelector: { env: 'prod' } });
  const gold = application(GOLD, { clusterLabelSelector: { tier: 'gold' } });
  await createApplications(client, prod, gold);

  const life = start({ access: hubAccess, gate });
  const source = sourceSecret(`${NEIGHBOUR}-kubeconfig`, kubeconfigFor(neighbour.access));
  await client.create(Secrets, source);
  await client.create(ClusterRegistrations, registration(NEIGHBOUR));
  const key = { namespace: NAMESPACE, name: NEIGHBOUR };
  await eventually(
    () => client.get(ClusterRegistrations, key),
    ({ status }) => status?.phase === 'Ready',
    { withinMs: 60_000 },
  );
  await life.end();
  const data = { endpoint: 'https://192.0.2.1:443', 'ca.crt': 'ca', token: 'theirs' };
  await client.create(Secrets, joinedSecret(JOINED, data, { labels: { env: 'prod' } }));
  await client.create(
    Secrets,
    sourceSecret(UNRELATED, 'nothing', { namespace: GATEWAY_NAMESPACE, key: 'text' }),
  );
  const diary = use(await keepDiary(client));
  const tokens = { first: await member.token('first'), second: await member.token('second') };
  const at = (credential: { token: string } | { pair: TestPair }) =>
    kubeconfig({ server: endpoint, ca, ...credential });
  return {
    client,
    gate,
    diary,
    hubAccess,
    tokens,
    member: { endpoint, ca },
    kubeconfigs: {
      first: at({ token: tokens.first }),
      second: at({ token: tokens.second }),
      certificate: at({ pair: member.pair }),
    },
    putSource: async (text) => {
      const secret = sourceSecret(`${ONE}-kubeconfig`, text);
      await client.apply(Secrets, secret, { fieldManager: 'test', force: true });
    },
    reset: async () => {
      await removeRegistration(client);
      for (const name of [ONE, TWO, THREE]) {
        await missing(client.delete(Secrets, { namespace: GATEWAY_NAMESPACE, name }));
      }
      await missing(client.delete(ResourceTrackers, { name: TRACKER }));
      await client.deleteCollection(Events, { namespace: NAMESPACE });
      await missing(member.client.delete(Namespaces, { name: TEAM }));
      await eventually(() => isMissing(member.client.get(Namespaces, { name: TEAM })));
      await diary.since();
    },
    restartWorkflows: async () => {
      const body = { metadata: { annotations: { [RESTART_WORKFLOW]: null } } };
      for (const name of [PROD, GOLD]) {
        await client.patch(Applications, { namespace: NAMESPACE, name }, { type: 'merge', body });
      }
    },
    [Symbol.asyncDispose]: () => closeAll(open),
  };
}

/** The last that was opened is the first to close. */
async function closeAll(open: readonly AsyncDisposable[]): Promise<void> {
  for (const each of [...open].reverse()) await each[Symbol.asyncDispose]();
}

/** A tracker of something on both clusters. */
export function trackerOfBoth(): KubeObject {
  const entry = (cluster: string) => ({ kind: 'ConfigMap', name: 'x', namespace: 'y', cluster });
  return tracker(TRACKER, { managedResources: [entry(ONE), entry(NEIGHBOUR)] });
}

/** Secrets where clusters are, by name; the diary's own is left out. */
export async function clusterSecrets(client: Client) {
  const { items } = await client.list(Secrets, { namespace: GATEWAY_NAMESPACE });
  const others = items.filter(({ metadata }) => metadata.name !== MARKER);
  return new Map(others.map((secret) => [secret.metadata.name ?? '', secret]));
}

async function removeRegistration(client: Client): Promise<void> {
  const key = { namespace: NAMESPACE, name: ONE };
  const body = { metadata: { finalizers: [] } };
  await missing(client.patch(ClusterRegistrations, key, { type: 'merge', body }));
  await missing(client.delete(ClusterRegistrations, key));
}

/** What is not there need not be taken away. */
async function missing(taking: Promise<unknown>): Promise<void> {
  await isMissing(taking);
}

async function isMissing(looking: Promise<unknown>): Promise<boolean> {
  try {
    await looking;
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

/** A cluster Secret of the member as `vela cluster join` writes it, with a token of its own. */
export function handMade({ member, tokens }: CrashWorld) {
  const data = { endpoint: member.endpoint, 'ca.crt': member.ca, token: tokens.first };
  return joinedSecret(ONE, data);
}
