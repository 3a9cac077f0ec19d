import {
  type Client,
  createInformers,
  type Informer,
  withoutManagedFields,
} from '@flotilla/client';
import {
  type Clock,
  formatTime,
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  keyOfObject,
} from '@flotilla/machinery';
import {
  ControllerRevisions,
  CronJobs,
  DaemonSets,
  Deployments,
  EndpointSlices,
  Jobs,
  Nodes,
  Pods,
  ReplicaSets,
  Services,
  StatefulSets,
} from '../kinds.ts';
import { type Cache, createCache } from './cache.ts';

/** As which writes are recorded in managedFields. */
export const FIELD_MANAGER = 'flotilla-simulator';

/** Everything the simulator knows of one server, and all it does there. */
export interface World {
  readonly of: <T extends KubeObject>(kind: Kind<T>) => Cache<T>;
  readonly create: <T extends KubeObject>(kind: Kind<T>, object: T) => Promise<T>;
  readonly update: <T extends KubeObject>(kind: Kind<T>, object: T) => Promise<T>;
  readonly updateStatus: <T extends KubeObject>(kind: Kind<T>, object: T) => Promise<T>;
  readonly delete: <T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    how?: Deleting,
  ) => Promise<void>;
  /** The time as objects write it, to the second. */
  readonly timestamp: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How an object is deleted. */
export interface Deleting {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
}

/** The world with the watches that feed it. */
export interface LiveWorld extends World {
  readonly informers: readonly Informer[];
  readonly start: (signal: AbortSignal) => Promise<void>;
  readonly synced: (signal: AbortSignal) => Promise<void>;
}

/** What is watched; all of it, because any of it may belong to a workload. */
const WATCHED: readonly Kind[] = [
  Pods,
  Nodes,
  Deployments,
  ReplicaSets,
  StatefulSets,
  DaemonSets,
  Jobs,
  CronJobs,
  ControllerRevisions,
  Services,
  EndpointSlices,
];

/** Makes a world that knows nothing until it is started. */
export function createWorld(options: {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  readonly report: (error: unknown) => void;
  readonly signal: AbortSignal;
}): LiveWorld {
  const { client, clock, signal } = options;
  const set = createInformers(options);
  const informers = WATCHED.map((kind) => set.for(kind, { transform: withoutManagedFields }));
  const caches = new Map(WATCHED.map((kind, index) => [kind, createCache(need(informers[index]))]));
  const call = { signal, fieldManager: FIELD_MANAGER };

  function of<T extends KubeObject>(kind: Kind<T>): Cache<T> {
    // Made for this very kind above.
    return need(caches.get(kind)) as unknown as Cache<T>;
  }

  async function write<T extends KubeObject>(kind: Kind<T>, send: () => Promise<T>): Promise<T> {
    const written = withoutManagedFields(await send());
    caches.get(kind)?.wrote(written);
    return written;
  }

  /** Whoever is refused for an outdated version waits for the watch. */
  async function change<T extends KubeObject>(
    kind: Kind<T>,
    object: T,
    send: () => Promise<T>,
  ): Promise<T> {
    try {
      return await write(kind, send);
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) of(kind).forget(keyOfObject(object));
      throw error;
    }
  }

  return {
    informers,
    start: set.start,
    synced: set.synced,
    of,
    create: (kind, object) => write(kind, () => client.create(kind, object, call)),
    update: (kind, object) => change(kind, object, () => client.replace(kind, object, call)),
    updateStatus: (kind, object) =>
      change(kind, object, () => client.replace(kind, object, { ...call, subresource: 'status' })),
    delete: async (kind, object, how = {}) => {
      const { uid } = object.metadata;
      try {
        const answer = await client.delete(kind, keyOfObject(object), {
          signal,
          ...how,
          ...(uid === undefined ? {} : { preconditions: { uid } }),
        });
        const { deletionTimestamp, finalizers = [] } = answer.metadata ?? {};
        const isGone = deletionTimestamp === undefined || how.gracePeriodSeconds === 0;
        if (isGone && finalizers.length === 0) of(kind).deleted(object);
        else of(kind).wrote(withoutManagedFields(answer as typeof object));
      } catch (error) {
        // Gone already, or another object of the same name: either way this one is.
        if (!isNotFound(error) && !isConflict(error)) throw error;
        of(kind).forget(keyOfObject(object));
      }
    },
    timestamp: () => formatTime(new Date(clock.now())),
    now: clock.now,
  };
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Cannot read a kind that is not watched');
  return value;
}
