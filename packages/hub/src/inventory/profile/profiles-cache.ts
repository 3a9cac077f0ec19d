import { type ClusterProfile, ClusterProfiles } from '@flotilla/api';
import { type Client, createInformer, type Informer } from '@flotilla/client';
import { type Clock, isForbidden, isNotFound, type ObjectKey } from '@flotilla/machinery';
import { SOURCE_ANNOTATION } from '../names.ts';
import { type OwnWrites, ownWrites } from '../own-writes.ts';
import { onlyOurEntries } from './owned-fields.ts';

/** Why there is no inventory, in the words of the registration's condition. */
export interface Obstacle {
  readonly reason: 'NotInstalled' | 'WriteFailed';
  readonly message: string;
}

/** The profiles of our namespaces while the hub serves them. */
export interface SeenProfiles {
  readonly get: (place: ObjectKey) => ClusterProfile | undefined;
  /** Remembers our own write; undefined for a deletion. */
  readonly wrote: (place: ObjectKey, profile: ClusterProfile | undefined) => void;
  /** Those whose annotation says that they come from a source, as the cache has them. */
  readonly bySource: (source: string) => ClusterProfile[];
  readonly list: () => ClusterProfile[];
}

/** Follows whether the hub has the kind at all, and its objects while it has. */
export interface ProfilesCache {
  /** Undefined while nothing is known yet, or the kind is not there. */
  readonly seen: SeenProfiles | undefined;
  readonly obstacle: Obstacle | undefined;
  /** Resolves when the signal is aborted; never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What a cache is made of. */
export interface ProfilesCacheOptions {
  readonly client: Pick<Client, 'pages' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly namespaces: readonly string[];
  /** A profile of this name changed. */
  readonly changed: (name: string) => void;
  /** Everything has to be looked at again: there are profiles now, or none can be had. */
  readonly turned: () => void;
  readonly report: (error: unknown) => void;
}

/** Between two looks whether the kind has been installed. */
const ABSENT_POLL_MS = 10_000;
const AGAIN_MS = 1_000;

/**
 * Makes a cache that waits for the kind: on a hub of others it may be installed later, or never, and go again. An
 * informer of the manager would hold up every other controller until then.
 */
export function createProfilesCache(options: ProfilesCacheOptions): ProfilesCache {
  const { client, clock, namespaces, turned, report } = options;
  let seen: SeenProfiles | undefined;
  let obstacle: Obstacle | undefined;

  const turn = (now: Pick<ProfilesCache, 'seen' | 'obstacle'>): void => {
    const isSame = now.seen === seen && now.obstacle?.message === obstacle?.message;
    ({ seen, obstacle } = now);
    if (!isSame) turned();
  };

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const found = await probe(signal);
      if (signal.aborted) return;
      if (found === 'served') await follow(signal);
      else if (found !== 'unknown') turn({ seen: undefined, obstacle: found });
      const isBlocked = typeof found === 'object';
      await clock.wait(isBlocked ? ABSENT_POLL_MS : AGAIN_MS, signal).catch(() => {});
    }
  }

  /** Whether profiles can be listed. */
  async function probe(signal: AbortSignal): Promise<Obstacle | 'served' | 'unknown'> {
    const selection = { namespace: namespaces[0], pageSize: 1, metadataOnly: true, signal };
    try {
      for await (const _ of client.pages(ClusterProfiles, selection)) break;
      return 'served';
    } catch (error) {
      if (isNotFound(error)) {
        return {
          reason: 'NotInstalled',
          message:
            'The hub has no ClusterProfiles; install the CRD of the Cluster Inventory API to have an inventory',
        };
      }
      if (!signal.aborted) report(error);
      // A hub that does not answer says nothing about what it has.
      return isForbidden(error) ? forbidden() : 'unknown';
    }
  }

  const forbidden = (): Obstacle => ({
    reason: 'WriteFailed',
    message: `Cannot list and watch ClusterProfiles in namespace "${namespaces[0] ?? ''}": the hub forbids it`,
  });

  /** Until the kind is gone again, or the signal is aborted. */
  async function follow(signal: AbortSignal): Promise<void> {
    const gone = new AbortController();
    const bounds = AbortSignal.any([signal, gone.signal]);
    const informers = namespaces.map((namespace) =>
      createInformer<ClusterProfile>({
        ...options,
        kind: ClusterProfiles,
        selection: { namespace },
        transform: onlyOurEntries,
        report: (error) => {
          if (isNotFound(error)) gone.abort(error);
          else report(error);
          // Whoever may list but not watch never gets so far as to see anything.
          if (seen === undefined && isForbidden(error)) turn({ seen, obstacle: forbidden() });
        },
      }),
    );
    const tell = ({ metadata }: ClusterProfile) => options.changed(metadata.name ?? '');
    const subscriptions = informers.map((informer) => {
      informer.addIndex('source', sourcesOf);
      return informer.subscribe({ added: tell, updated: tell, deleted: tell });
    });
    const running = informers.map((informer) => informer.start(bounds));
    try {
      await Promise.all(informers.map((informer) => informer.synced(bounds)));
      turn({ seen: seenIn(namespaces, informers), obstacle: undefined });
    } catch {
      // Only by the end of the bounds, and then the informers end, too.
    }
    await Promise.all(running);
    for (const subscription of subscriptions) subscription[Symbol.dispose]();
    // Whether it is really gone, the next probe says; until then nothing is known.
    seen = undefined;
  }

  return {
    get seen() {
      return seen;
    },
    get obstacle() {
      return obstacle;
    },
    run,
  };
}

const sourcesOf = ({ metadata }: ClusterProfile): string[] => {
  const source = metadata.annotations?.[SOURCE_ANNOTATION];
  return source === undefined ? [] : [source];
};

function seenIn(
  namespaces: readonly string[],
  informers: readonly Informer<ClusterProfile>[],
): SeenProfiles {
  const caches = new Map<string, OwnWrites<ClusterProfile>>(
    namespaces.flatMap((namespace, at) => {
      const informer = informers[at];
      return informer === undefined ? [] : [[namespace, ownWrites(informer)]];
    }),
  );
  const cacheOf = ({ namespace = '' }: ObjectKey) => caches.get(namespace);
  return {
    get: (place) => cacheOf(place)?.get(place),
    wrote: (place, profile) => cacheOf(place)?.wrote(place, profile),
    bySource: (source) => informers.flatMap((informer) => informer.byIndex('source', source)),
    list: () => informers.flatMap((informer) => informer.list()),
  };
}
