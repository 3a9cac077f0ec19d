import { humanDuration } from '@flotilla/machinery';
import type { Hub } from './hub.ts';
import { HubError } from './hub-error.ts';
import {
  ageOf,
  type CachedHub,
  dropCachedHub,
  isFresh,
  mayStandIn,
  readCachedHub,
  writeCachedHub,
} from './inventory-cache.ts';
import type { InventoryDeps } from './inventory-deps.ts';

/** What a run wants of the hubs. */
export interface DiscoverOptions {
  /** True asks the hubs in any case, and takes nothing from files: what is old must not be changed. @default false */
  readonly forWrites?: boolean;
  /** Whether to look up the clustersets of namespaces, too. @default false */
  readonly wantsClustersets?: boolean;
}

/**
 * What a hub says of clusters: from the cache while that is fresh, else from the hub itself; from an older cache, with a
 * warning, when the hub is down and the run only reads.
 */
export async function askHub(
  hub: Hub,
  deps: InventoryDeps,
  options: DiscoverOptions = {},
): Promise<CachedHub> {
  const { settings, paths, io } = deps;
  const { refresh, noCache, cacheTtlMs } = settings.discovery;
  const { forWrites = false, wantsClustersets = false } = options;
  const cached = noCache || forWrites ? undefined : readCachedHub(paths.cache, hub.key);
  const isEnough =
    cached !== undefined &&
    cached.profiles.length > 0 &&
    !refresh &&
    isFresh(cached, io.clock.now(), cacheTtlMs);
  if (isEnough && (!wantsClustersets || cached.clustersets !== undefined)) return cached;

  try {
    // Most runs find all in the cache, and need nothing that talks to servers.
    const { withHub } = await import('./with-hub.ts');
    const { listClustersets, listProfiles } = await import('./list-profiles.ts');
    const said = await withHub(hub, deps, async (asked) => ({
      savedAt: isEnough ? cached.savedAt : io.clock.now(),
      server: hub.server,
      profiles: isEnough ? cached.profiles : await listProfiles(asked),
      ...(wantsClustersets ? { clustersets: await listClustersets(asked) } : {}),
    }));
    if (!noCache) await keepHub(hub.key, said, deps);
    return said;
  } catch (error) {
    const isDown = error instanceof HubError && error.isDown;
    if (!isDown || cached === undefined || !mayStandIn(cached, io.clock.now())) throw error;
    const age = ageOf(cached, io.clock.now());
    deps.warn(
      `${error.message.split('\n')[0]}; using what it said ${age === undefined ? 'earlier' : `${humanDuration(age)} ago`}`,
    );
    return cached;
  }
}

/** Keeps what was said. A disk that is full or read-only is no reason to fail: the next run asks again. */
export async function keepHub(
  key: string,
  said: CachedHub,
  { paths, note }: InventoryDeps,
): Promise<void> {
  try {
    // An inventory that is empty is most likely about to be filled; nor may an older one stand in for it.
    if (said.profiles.length === 0) await dropCachedHub(paths.cache, key);
    else await writeCachedHub(paths.cache, key, said);
  } catch (error) {
    note(1, `Cannot keep what the hub said: ${(error as Error).message}`);
  }
}
