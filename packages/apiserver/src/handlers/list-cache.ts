import type { Change, Store, Tenant } from '../storage/store.ts';

/** Some consecutive items of a collection, joined as they are sent. */
export interface Chunk {
  readonly bytes: Buffer;
  readonly count: number;
  /** Key of the last item. */
  readonly last: string;
}

/** Keeps joined items of collections that do not change, so that the next list of them only sends. */
export interface ListCache extends Disposable {
  /** The chunk after `after`, when it is as it was at `revision`. */
  readonly get: (place: Place) => Chunk | undefined;
  /** Keeps a chunk read at a revision, unless the collection changed since. */
  readonly put: (place: Place, chunk: Chunk) => void;
}

/** Where a chunk belongs. */
export interface Place {
  readonly tenant: Tenant;
  readonly prefix: string;
  /** Key before the chunk's first item; '' at the beginning. */
  readonly after: string;
  /** The revision the list is read at. */
  readonly revision: number;
}

interface Collection {
  /** The last change below the prefix, as far as it was seen since the collection is kept. */
  changedAt: number;
  readonly chunks: Map<string, Chunk>;
  bytes: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_COLLECTIONS = 1_000;

/**
 * A collection is forgotten at its next change, and the one not listed for longest when room is needed. Readers see
 * a change in the same turn as this does, so a chunk is never older than the snapshot it is used for.
 */
export function createListCache(store: Store, maxBytes = MAX_BYTES): ListCache {
  // In the order of their last use.
  const collections = new Map<string, Collection>();
  let total = 0;
  const idOf = (tenant: Tenant, prefix: string): string => `${tenant}\u0000${prefix}`;

  const forget = (id: string, collection: Collection): void => {
    total -= collection.bytes;
    collections.delete(id);
  };

  const touched = (id: string, revision: number): void => {
    const collection = collections.get(id);
    if (collection === undefined) return;
    total -= collection.bytes;
    collection.bytes = 0;
    collection.chunks.clear();
    collection.changedAt = revision;
  };

  const subscription = store.changes((changes: readonly Change[]) => {
    if (collections.size === 0) return;
    for (const { tenant, key, revision } of changes) {
      // `core/pods/default/a` lies in the collections `core/pods/` and `core/pods/default/`.
      const group = key.indexOf('/');
      for (let end = key.indexOf('/', group + 1); end >= 0; end = key.indexOf('/', end + 1)) {
        touched(idOf(tenant, key.slice(0, end + 1)), revision);
      }
    }
  });

  return {
    get: ({ tenant, prefix, after, revision }) => {
      const id = idOf(tenant, prefix);
      const collection = collections.get(id);
      if (collection === undefined) {
        // From now on its changes are watched, so that what this list reads can be kept. Any write until now may have
        // been one of them, so nothing read at an older revision can.
        collections.set(id, { changedAt: store.revision(tenant), chunks: new Map(), bytes: 0 });
        for (const [oldest, each] of collections) {
          if (collections.size <= MAX_COLLECTIONS) break;
          forget(oldest, each);
        }
        return undefined;
      }
      if (revision < collection.changedAt) return undefined;
      collections.delete(id);
      collections.set(id, collection);
      return collection.chunks.get(after);
    },
    put: ({ tenant, prefix, after, revision }, chunk) => {
      const collection = collections.get(idOf(tenant, prefix));
      if (collection === undefined || revision < collection.changedAt) return;
      if (collection.chunks.has(after) || chunk.bytes.length > maxBytes / 4) return;
      collection.chunks.set(after, chunk);
      collection.bytes += chunk.bytes.length;
      total += chunk.bytes.length;
      for (const [oldest, each] of collections) {
        if (total <= maxBytes) break;
        forget(oldest, each);
      }
    },
    [Symbol.dispose]: () => {
      subscription[Symbol.dispose]();
      collections.clear();
    },
  };
}
