import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { Events, Secrets } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { CREDENTIAL_REVISION_ANNOTATION } from '../../../cluster-secret/names.ts';
import { ResourceTrackers } from '../../resource-trackers/kinds.ts';
import {
  base64,
  GATEWAY_NAMESPACE,
  NAMESPACE,
  registration,
  textsOf,
} from '../../testing/builders.ts';
import {
  type CrashWorld,
  GOLD,
  handMade,
  ONE,
  PROD,
  TEAM,
  TWO,
  trackerOfBoth,
} from './crash-world.ts';

/** Something that happens to a cluster, which controllers have to see through whatever becomes of them. */
export interface Flow {
  readonly name: string;
  /** What is so before, with controllers running where that takes them; undefined where they start with the event. */
  readonly prepare: ((world: CrashWorld) => Promise<void>) | undefined;
  readonly happen: (world: CrashWorld) => Promise<void>;
  readonly isOver: (world: CrashWorld) => Promise<boolean>;
  /** What happens to Secrets where clusters are, in this order, and nothing else ever. */
  readonly secrets: readonly string[];
  /** Applications that are refreshed, each as often as it is here. */
  readonly refreshes: readonly string[];
  /** Whether the registration is there afterwards. */
  readonly stays: boolean;
  /** Every kind of write that controllers make of it when nobody disturbs them. */
  readonly writes: readonly string[];
}

const SECRET = { namespace: GATEWAY_NAMESPACE, name: ONE };
const DRIFT = 'hub: POST events DriftCorrected';
const KEY = { namespace: NAMESPACE, name: ONE };
/** Far longer than anything takes, on any machine. */
export const PATIENCE = { withinMs: 60_000, everyMs: 20 };
const REVIEW = 'member: POST selfsubjectreviews';
const STATUS = 'hub: PATCH clusterregistrations/status';
const FINALIZER = 'hub: PATCH clusterregistrations finalizers';
const REFRESH = 'hub: PATCH applications annotations';
const REGISTERED = 'hub: POST events Registered';

/** All of them. */
export const FLOWS: readonly Flow[] = [
  {
    name: 'a join',
    prepare: undefined,
    happen: async (world) => {
      await world.putSource(world.kubeconfigs.first);
      await register(world, { labels: { env: 'prod' }, config: { createNamespace: TEAM } });
    },
    isOver: isReady,
    secrets: ['ADDED one'],
    refreshes: [PROD],
    stays: true,
    writes: [
      'hub: POST namespaces',
      FINALIZER,
      REVIEW,
      'hub: POST secrets',
      'member: POST namespaces',
      REFRESH,
      STATUS,
      REGISTERED,
    ],
  },
  {
    name: 'a rename',
    prepare: join,
    happen: (world) => change(world, { clusterName: TWO }),
    isOver: async (world) => (await get(world))?.status?.registeredName === TWO && isReady(world),
    secrets: ['ADDED two', 'DELETED one'],
    refreshes: [PROD],
    stays: true,
    writes: [
      'hub: POST secrets',
      'hub: DELETE secrets',
      REFRESH,
      STATUS,
      'hub: POST events Renamed',
    ],
  },
  {
    name: 'a new token',
    prepare: join,
    happen: (world) => world.putSource(world.kubeconfigs.second),
    isOver: isRotated,
    secrets: ['MODIFIED one'],
    refreshes: [],
    stays: true,
    writes: [REVIEW, 'hub: PATCH secrets annotations data', STATUS],
  },
  {
    name: 'a certificate instead of a token',
    prepare: join,
    happen: (world) => world.putSource(world.kubeconfigs.certificate),
    isOver: isRotated,
    secrets: ['MODIFIED one'],
    refreshes: [],
    stays: true,
    writes: [REVIEW, 'hub: PATCH secrets annotations data labels', STATUS],
  },
  {
    name: 'another label',
    prepare: join,
    happen: (world) => change(world, { labels: { tier: 'gold' } }),
    isOver: isReady,
    secrets: ['MODIFIED one'],
    refreshes: [GOLD],
    // Which labels there were before is known to nobody then.
    stays: true,
    writes: ['hub: PATCH secrets annotations labels', REFRESH, STATUS],
  },
  {
    name: 'a change of the Secret by somebody',
    prepare: join,
    happen: async ({ client }) => {
      const body = { data: { token: base64('stolen') } };
      await client.patch(Secrets, SECRET, { type: 'merge', body });
    },
    isOver: async (world) => {
      const secret = await world.client.get(Secrets, SECRET);
      return textsOf(secret)['token'] === world.tokens.first && isReady(world);
    },
    secrets: ['MODIFIED one', 'MODIFIED one'],
    refreshes: [],
    stays: true,
    writes: ['hub: PATCH secrets data', STATUS, DRIFT],
  },
  {
    name: 'a loss of the Secret',
    prepare: join,
    happen: async ({ client }) => void (await client.delete(Secrets, SECRET)),
    isOver: isRestored,
    secrets: ['DELETED one', 'ADDED one'],
    refreshes: [PROD],
    stays: true,
    writes: ['hub: POST secrets', REFRESH, STATUS, DRIFT],
  },
  {
    name: 'an adoption',
    prepare: async (world) => {
      await world.client.create(Secrets, handMade(world));
      await world.putSource(world.kubeconfigs.second);
      await world.diary.since();
    },
    happen: (world) => register(world, { labels: { env: 'prod' } }),
    isOver: isReady,
    secrets: ['MODIFIED one', 'MODIFIED one'],
    refreshes: [PROD],
    stays: true,
    writes: [
      FINALIZER,
      REVIEW,
      'hub: PATCH secrets annotations labels',
      'hub: PATCH secrets data',
      REFRESH,
      STATUS,
      REGISTERED,
    ],
  },
  {
    name: 'a detach',
    prepare: async (world) => {
      await world.client.create(ResourceTrackers, trackerOfBoth());
      await join(world);
    },
    happen: remove,
    isOver: isGone,
    secrets: ['DELETED one'],
    refreshes: [],
    stays: false,
    writes: ['hub: PUT resourcetrackers', 'hub: DELETE secrets', FINALIZER],
  },
  {
    name: 'a release (deletionPolicy Orphan)',
    prepare: async (world) => {
      await join(world);
      await change(world, { deletionPolicy: 'Orphan' });
      await eventually(() => isReady(world), Boolean, PATIENCE);
      await world.diary.since();
    },
    happen: remove,
    isOver: isGone,
    secrets: ['MODIFIED one'],
    refreshes: [],
    stays: false,
    writes: ['hub: PATCH secrets annotations labels', FINALIZER],
  },
];

/** The registration, if it is there. */
export async function get({ client }: CrashWorld): Promise<ClusterRegistration | undefined> {
  try {
    return await client.get(ClusterRegistrations, KEY);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Joins the cluster, and waits until nothing of that is under way any more. */
async function join(world: CrashWorld): Promise<void> {
  await world.putSource(world.kubeconfigs.first);
  await register(world, { labels: { env: 'prod' } });
  await eventually(() => isReady(world), Boolean, PATIENCE);
  const isTold = async () => {
    const { items } = await world.client.list(Events, { namespace: NAMESPACE });
    return items.some((event) => (event as { reason?: string }).reason === 'Registered');
  };
  // The last write of a join.
  await eventually(isTold, Boolean, PATIENCE);
  await world.diary.since();
}

async function register(
  { client }: CrashWorld,
  spec: Parameters<typeof registration>[1],
): Promise<void> {
  await client.create(ClusterRegistrations, registration(ONE, spec));
}

/** Changes the spec of the registration. */
export async function change({ client }: CrashWorld, spec: object): Promise<void> {
  await client.patch(ClusterRegistrations, KEY, { type: 'merge', body: { spec } });
}

/** Deletes the registration. */
export async function remove({ client }: CrashWorld): Promise<void> {
  await client.delete(ClusterRegistrations, KEY);
}

/** Whether there is no registration any more. */
export async function isGone(world: CrashWorld): Promise<boolean> {
  return (await get(world)) === undefined;
}

/** Whether the registration is Ready with the spec that it has now. */
export async function isReady(world: CrashWorld): Promise<boolean> {
  const { metadata, status } = (await get(world)) ?? {};
  return status?.phase === 'Ready' && status.observedGeneration === metadata?.generation;
}

/** Whether the registration says that it uses what its source has now. */
async function isRotated(world: CrashWorld): Promise<boolean> {
  const source = await world.client.get(Secrets, {
    namespace: NAMESPACE,
    name: `${ONE}-kubeconfig`,
  });
  const secret = await world.client.get(Secrets, SECRET);
  const { credential } = (await get(world))?.status ?? {};
  return (
    credential?.sourceResourceVersion === source.metadata.resourceVersion &&
    credential?.revision === secret.metadata.annotations?.[CREDENTIAL_REVISION_ANNOTATION] &&
    (await isReady(world))
  );
}

/** Whether the registration knows the Secret that is there now. */
async function isRestored(world: CrashWorld): Promise<boolean> {
  const { items } = await world.client.list(Secrets, { namespace: GATEWAY_NAMESPACE });
  const uid = items.find(({ metadata }) => metadata.name === ONE)?.metadata.uid;
  const known = (await get(world))?.status?.secretRef?.uid;
  return uid !== undefined && known === uid && isReady(world);
}
