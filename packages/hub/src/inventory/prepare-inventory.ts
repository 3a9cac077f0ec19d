import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { deepEqual, type KubeObject } from '@flotilla/machinery';
import {
  type ControllerContext,
  createWorkQueue,
  type PreparedController,
  type QueueReading,
  type RunBounds,
  type WorkQueue,
} from '@flotilla/runtime';
import { LOCAL_CLUSTER } from '../cluster-secret/names.ts';
import { clusterSecretChoice, registrationChoice } from '../informer-choices.ts';
import type { InventoryDeps } from './inventory-controller.ts';
import { createInventoryPass } from './inventory-pass.ts';
import { overflowNamespace } from './names.ts';
import { ownWrites } from './own-writes.ts';
import { createProfilesCache } from './profile/profiles-cache.ts';
import { createHubWatch } from './sources/hub-watch.ts';
import { publishedName } from './sources/registration-facts.ts';
import { slimRegistration } from './sources/slim-registration.ts';
import { slimSecret } from './sources/slim-secret.ts';
import { slimView } from './sources/slim-view.ts';

const CONCURRENCY = 8;
/** Passes without a request never wait; after so many, timers and sockets get their turn. */
const PASSES_PER_SLICE = 50;
const LONGEST_BACKOFF_MS = 60_000;
const NAME_INDEX = 'inventory.flotilla.dev/cluster';

const NOTHING_QUEUED: QueueReading = {
  ready: { change: 0, other: 0, resync: 0 },
  delayed: 0,
  running: 0,
  unfinishedMs: 0,
  longestRunningMs: 0,
};

/** The names that a registration concerns: the one its cluster has and the one it is to have. */
const namesOf = (registration: ClusterRegistration): string[] => [
  ...new Set([
    publishedName(registration),
    registration.spec.clusterName ?? registration.metadata.name ?? '',
  ]),
];

/**
 * Gives the inventory its caches. Work is keyed by the name of a cluster, not by an object: what a profile says may come
 * from one object today and from another tomorrow, and a profile whose source is gone has only its name.
 */
export function prepareInventory(
  { client, clock, config }: InventoryDeps,
  context: ControllerContext,
  listeners: Set<(name: string) => void>,
): PreparedController {
  const registrations = slimView(
    context.informers.for(ClusterRegistrations, registrationChoice),
    slimRegistration,
  );
  registrations.addIndex(NAME_INDEX, namesOf);
  const secrets = slimView(
    context.informers.for(Secrets, clusterSecretChoice(config.gatewayNamespace)),
    slimSecret,
  );
  let queue: WorkQueue | undefined;
  const reading = () => queue?.reading() ?? NOTHING_QUEUED;
  const meter = context.observer.controller({
    name: 'inventory',
    kind: 'ClusterProfile.multicluster.x-k8s.io',
    concurrency: CONCURRENCY,
    queue: reading,
  });
  const logger = context.logger.child({ controller: 'inventory' });

  async function run(bounds: RunBounds): Promise<void> {
    // Of its own for each run: what was known in an earlier term of office is old.
    const work = createWorkQueue({ clock, meter, limits: { longestMs: LONGEST_BACKOFF_MS } });
    queue = work;
    const enqueue = (name: string) => work.add(name);
    const enqueueAll = () => {
      const names = new Set([
        ...registrations.list().flatMap(namesOf),
        ...secrets.list().map(({ metadata }) => metadata.name ?? ''),
        ...(profiles.seen?.list() ?? []).map(({ metadata }) => metadata.name ?? ''),
        ...(config.includesHub ? [LOCAL_CLUSTER] : []),
      ]);
      for (const name of names) work.add(name, { priority: 'resync' });
    };
    const profiles = createProfilesCache({
      client,
      clock,
      random: context.random,
      namespaces: [config.namespace, overflowNamespace(config.namespace)],
      changed: enqueue,
      turned: enqueueAll,
      report: (err) => logger.warn('Cannot follow ClusterProfiles', { err }),
    });
    const hub = createHubWatch({
      client,
      clock,
      route: config.hubRoute,
      changed: () => enqueue(LOCAL_CLUSTER),
      report: (err) => logger.warn('Cannot ask the hub what it is', { err }),
    });
    const begin = createInventoryPass({
      ...context,
      client,
      clock,
      config,
      logger,
      meter,
      bounds,
      queue: work,
      profiles,
      hub: () => hub.facts,
      registrations: {
        named: (name) => registrations.byIndex(NAME_INDEX, name),
        ...ownWrites(registrations),
      },
      secret: (name) => secrets.get({ namespace: config.gatewayNamespace, name }),
    });
    const ending = new AbortController();
    const following = [
      profiles.run(ending.signal),
      ...(config.includesHub ? [hub.run(ending.signal)] : []),
    ];
    const secretNames = ({ metadata }: Secret) => [metadata.name ?? ''];
    const subscriptions = [
      registrations.subscribe(callsFor(work, namesOf)),
      secrets.subscribe(callsFor(work, secretNames)),
    ];
    listeners.add(enqueue);
    const stop = () => work.shutDown();
    bounds.stop.addEventListener('abort', stop, { once: true });
    if (bounds.stop.aborted) stop();
    try {
      await Promise.all(Array.from({ length: CONCURRENCY }, () => takeTurns(work, begin)));
    } finally {
      bounds.stop.removeEventListener('abort', stop);
      listeners.delete(enqueue);
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
      ending.abort();
      await Promise.all(following);
    }
  }

  return { name: 'inventory', run, queue: reading, abandoned: 0 };
}

/** Turns changes into work. */
function callsFor<T extends KubeObject>(queue: WorkQueue, names: (object: T) => string[]) {
  const call = (objects: readonly T[], priority: 'change' | 'resync') => {
    for (const name of new Set(objects.flatMap(names))) queue.add(name, { priority });
  };
  return {
    added: (object: T, { isInitial }: { readonly isInitial: boolean }) =>
      call([object], isInitial ? 'resync' : 'change'),
    updated: (object: T, before: T) => {
      if (!isSameButVersion(object, before)) call([before, object], 'change');
    },
    deleted: (object: T) => call([object], 'change'),
  };
}

/** Of what is kept here, a heartbeat changes the version and nothing else. */
function isSameButVersion(object: KubeObject, before: KubeObject): boolean {
  const { resourceVersion } = object.metadata;
  return deepEqual({ ...before, metadata: { ...before.metadata, resourceVersion } }, object);
}

async function takeTurns(queue: WorkQueue, begin: (name: string) => Promise<void>): Promise<void> {
  let passes = 0;
  for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
    await begin(taken.key);
    queue.done(taken.key);
    passes += 1;
    if (passes % PASSES_PER_SLICE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}
