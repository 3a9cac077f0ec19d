import type { Informer } from '@flotilla/client';
import { formatKey, type KubeObject, keyOfObject, type ObjectKey } from '@flotilla/machinery';
import { isNewer } from './resource-version.ts';

/**
 * Reads a cache without ever falling behind our own writes. A watch takes a while to bring back what was just written;
 * until then the answer to the write stands in for the cache, or the next pass would undo what this one did.
 */
export interface Overlay<T extends KubeObject> {
  readonly get: (key: ObjectKey) => T | undefined;
  /** Remembers the server's answer to a write. */
  readonly wrote: (object: T) => void;
  /** Remembers that we have finished with an object that is being deleted, and hold it no longer. */
  readonly released: (object: T) => void;
  /** Whether that is so: what the cache still shows is from before. */
  readonly isReleased: (object: T) => boolean;
  /** The server knows something newer than both: only the cache can tell what. */
  readonly forget: (key: ObjectKey) => void;
  /** Drops what the cache has caught up with; called with every change the cache hears of. */
  readonly prune: (key: ObjectKey) => void;
  /** How many writes the cache has not brought back. */
  readonly size: number;
}

/** Lays our writes over a cache. */
export function createOverlay<T extends KubeObject>(cache: Pick<Informer<T>, 'get'>): Overlay<T> {
  const writes = new Map<string, { readonly object: T; readonly cachedThen: string | undefined }>();
  /** Uids by key. The answer to the last write of an object may carry a version that is no newer than the cache's. */
  const released = new Map<string, string | undefined>();

  function get(key: ObjectKey): T | undefined {
    const cached = cache.get(key);
    if (writes.size === 0) return cached;
    const id = formatKey(key);
    const write = writes.get(id);
    if (write === undefined) return cached;
    // Passes begin with what the cache has: gone from there means deleted since.
    const isBehind = cached !== undefined && isOlder(cached, write);
    if (isBehind) return write.object;
    writes.delete(id);
    return cached;
  }

  return {
    get,
    prune: (key) => void get(key),
    wrote: (object) => {
      const key = keyOfObject(object);
      const cachedThen = cache.get(key)?.metadata.resourceVersion;
      writes.set(formatKey(key), { object, cachedThen });
      get(key);
    },
    released: (object) => {
      // The cache may have been quicker: then nobody comes to ask.
      if (cache.get(keyOfObject(object)) === undefined) return;
      released.set(idOf(object), object.metadata.uid);
    },
    isReleased: (object) =>
      released.size > 0 &&
      released.has(idOf(object)) &&
      released.get(idOf(object)) === object.metadata.uid,
    forget: (key) => {
      writes.delete(formatKey(key));
      released.delete(formatKey(key));
    },
    get size() {
      return writes.size;
    },
  };
}

function idOf(object: KubeObject): string {
  return formatKey(keyOfObject(object));
}

function isOlder<T extends KubeObject>(
  cached: T,
  write: { readonly object: T; readonly cachedThen: string | undefined },
): boolean {
  const { resourceVersion: cachedVersion, uid } = cached.metadata;
  const { metadata } = write.object;
  if (uid !== metadata.uid) return false;
  const newer = isNewer(metadata.resourceVersion, cachedVersion);
  // Versions that are no numbers say nothing about age; then any movement of the cache counts as having caught up.
  return newer ?? cachedVersion === write.cachedThen;
}
