import type { Informer } from '@flotilla/client';
import { formatKey, type KubeObject, type ObjectKey } from '@flotilla/machinery';

/** A cache that is never older than our own last write. */
export interface OwnWrites<T extends KubeObject> {
  readonly get: (key: ObjectKey) => T | undefined;
  /** Remembers what the server answered to a write; undefined that we deleted it. */
  readonly wrote: (key: ObjectKey, object: T | undefined) => void;
}

interface Write<T> {
  readonly object: T | undefined;
  /** What the cache had then. */
  readonly before: T | undefined;
}

/**
 * Lays what we wrote over a cache until the cache has heard of it. Without, the next look would find things as they were
 * before, write them once more, and say that conditions changed just now.
 */
export function ownWrites<T extends KubeObject>(
  informer: Pick<Informer<T>, 'get' | 'lastResourceVersion'>,
): OwnWrites<T> {
  const writes = new Map<string, Write<T>>();

  function hasHeard({ object, before }: Write<T>, cached: T | undefined): boolean {
    // A deletion has been heard of when the object is no more there, or another one of its name.
    if (object === undefined) return cached?.metadata.uid !== before?.metadata.uid;
    const isReached = reaches(informer.lastResourceVersion, object.metadata.resourceVersion);
    // Versions that are no numbers say nothing about age; then any movement counts.
    return isReached ?? cached?.metadata.resourceVersion !== before?.metadata.resourceVersion;
  }

  return {
    get: (key) => {
      const cached = informer.get(key);
      const id = formatKey(key);
      const write = writes.get(id);
      if (write === undefined) return cached;
      if (!hasHeard(write, cached)) return write.object;
      writes.delete(id);
      return cached;
    },
    wrote: (key, object) => {
      writes.set(formatKey(key), { object, before: informer.get(key) });
    },
  };
}

function reaches(version = '', wanted = ''): boolean | undefined {
  if (!/^\d+$/.test(version) || !/^\d+$/.test(wanted)) return undefined;
  return BigInt(version) >= BigInt(wanted);
}
