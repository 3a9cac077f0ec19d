import { type Clock, isNotFound, statusErrorOf } from '@flotilla/machinery';
import type { Transport } from '../transport.ts';
import { builtInSurface } from './built-ins.ts';
import { type CachedSurface, diskCache, type SurfaceCache } from './disk-cache.ts';
import { fetchHalves, joinHalves } from './fetch-surface.ts';
import { findCategory, findResource } from './find-resource.ts';
import type { ApiResource, ApiSurface } from './surface.ts';

/** How to learn what a server serves. */
export interface DiscoveryOptions {
  readonly clock: Clock;
  /** Where answers are kept between runs; nowhere unless said. `server` tells servers apart. */
  readonly cache?: { readonly folder: string; readonly server: string } | undefined;
  /** After which the server is asked whether something changed. @default 10 minutes */
  readonly ttlMs?: number;
  /** False asks the server even about pods. @default true */
  readonly trustBuiltIns?: boolean;
}

/** What a server serves. */
export interface Discovery {
  /** Everything, from memory or disk while that is fresh. */
  readonly surface: (signal?: AbortSignal) => Promise<ApiSurface>;
  /** The resource a user means; undefined when the server has none. Built-in names cost no request. */
  readonly find: (name: string, signal?: AbortSignal) => Promise<ApiResource | undefined>;
  /** The resources of a category; empty when there is no such. */
  readonly category: (name: string, signal?: AbortSignal) => Promise<ApiResource[]>;
  /**
   * Uses a resource. When it is known only because servers usually have it, and this one answers
   * that it does not, the server is asked what it has, and the use is repeated with that.
   */
  readonly use: <R>(
    name: string,
    use: (resource: ApiResource) => Promise<R>,
    signal?: AbortSignal,
  ) => Promise<R>;
  /** Asks the server again next time, whatever is remembered. */
  readonly forget: () => void;
}

const TTL_MS = 10 * 60_000;
const NO_CACHE: SurfaceCache = { read: async () => undefined, write: async () => {} };

/** Discovery over a transport. */
export function createDiscovery(transport: Transport, options: DiscoveryOptions): Discovery {
  const { clock, cache, ttlMs = TTL_MS, trustBuiltIns = true } = options;
  const disk = cache === undefined ? NO_CACHE : diskCache(cache.folder, cache.server);
  let memory: CachedSurface | undefined;
  let surface: ApiSurface | undefined;
  let isForgotten = false;
  let fetches = 0;
  let pending: Promise<ApiSurface> | undefined;

  const isFresh = (cached: CachedSurface) => {
    const age = clock.now() - cached.savedAt;
    // From the future only when a clock was set back: nobody knows how old it is.
    return age >= 0 && age < ttlMs;
  };
  const remember = (cached: CachedSurface) => {
    memory = cached;
    surface = joinHalves(cached.halves);
    return surface;
  };
  const load = async (): Promise<ApiSurface> => {
    memory ??= await disk.read();
    if (memory !== undefined && isFresh(memory) && !isForgotten) return remember(memory);
    const halves = await fetchHalves(transport, memory?.halves);
    isForgotten = false;
    fetches += 1;
    const cached = { savedAt: clock.now(), halves };
    const loaded = remember(cached);
    // What is missing now may be back in a moment, so others should not have to do without it.
    if (loaded.failed.length === 0) await disk.write(cached);
    return loaded;
  };
  const whole = async (signal?: AbortSignal): Promise<ApiSurface> => {
    signal?.throwIfAborted();
    if (surface !== undefined && memory !== undefined && isFresh(memory) && !isForgotten) {
      return surface;
    }
    pending ??= load().finally(() => {
      pending = undefined;
    });
    return unlessAborted(pending, signal);
  };
  /** What is not found in something remembered may have been added since. */
  const search = async <R>(look: (surface: ApiSurface) => R | undefined, signal?: AbortSignal) => {
    const before = fetches;
    const found = look(await whole(signal));
    if (found !== undefined || fetches > before) return found;
    isForgotten = true;
    return look(await whole(signal));
  };
  const served = (name: string, signal?: AbortSignal) =>
    search((all) => findResource(all, name), signal);
  const assumed = (name: string) => {
    if (!trustBuiltIns) return undefined;
    const found = findResource(builtInSurface(), name);
    // A group that is only begun may be another's whole name on this server.
    const group = name.split('.').slice(1).join('.');
    const isExact = group === '' || group === found?.group;
    return found !== undefined && (isExact || group === `${found.version}.${found.group}`)
      ? found
      : undefined;
  };

  return {
    surface: whole,
    find: async (name, signal) => assumed(name) ?? (await served(name, signal)),
    category: async (name, signal) => {
      const found = await search((all) => {
        const resources = findCategory(all, name);
        return resources.length === 0 ? undefined : resources;
      }, signal);
      return found ?? [];
    },
    use: async (name, use, signal) => {
      const guess = assumed(name);
      if (guess !== undefined) {
        try {
          return await use(guess);
        } catch (error) {
          if (!saysNoSuchResource(error)) throw error;
          const real = await served(name, signal);
          if (real === undefined || isSame(real, guess)) throw error;
          return use(real);
        }
      }
      const found = await served(name, signal);
      if (found === undefined) {
        // kubectl's words, which leave version and group out.
        throw new Error(`the server doesn't have a resource type "${name.split('.', 1).join()}"`);
      }
      return use(found);
    },
    forget: () => {
      isForgotten = true;
    },
  };
}

/** A 404 about the path, not about an object of a resource that exists. */
function saysNoSuchResource(error: unknown): boolean {
  if (!isNotFound(error)) return false;
  const { name, causes = [] } = statusErrorOf(error)?.details ?? {};
  return name === undefined || causes.some(({ reason }) => reason === 'UnexpectedServerResponse');
}

function isSame(one: ApiResource, other: ApiResource): boolean {
  return one.group === other.group && one.version === other.version && one.plural === other.plural;
}

/** Others may wait for the same, so one who gives up ends only the own waiting. */
async function unlessAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
