import type { Client } from '@flotilla/client';
import type { Kind, KubeObject } from '@flotilla/machinery';
import type { Item, Source } from './source.ts';

/** Which objects, and how they are asked for. */
export interface ObjectSourceOptions<T> extends WatchPace {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** True asks for the metadata alone. @default false */
  readonly metadataOnly?: boolean;
  readonly pageSize?: number | undefined;
  /** What is kept of an object; undefined leaves it out. */
  readonly keep: (object: KubeObject) => T | undefined;
}

/** How long answers may take. */
export interface WatchPace {
  /** For one page of a list; 0 for ever. */
  readonly listTimeoutMs: number;
  readonly random: () => number;
}

/** Servers end watches after 5 to 10 minutes, as client-go asks them to. */
const SHORTEST_WATCH_SECONDS = 300;
/** Servers send a bookmark every minute or so; where none comes the connection is dead, whatever TCP says. */
const IDLE_MS = 150_000;

/** How a watch is asked for, by all who watch. */
export function watchLimits({ random }: Pick<WatchPace, 'random'>): {
  readonly timeoutSeconds: number;
  readonly idleMs: number;
  readonly timeoutMs: number;
} {
  return {
    timeoutSeconds: Math.floor(SHORTEST_WATCH_SECONDS * (1 + random())),
    idleMs: IDLE_MS,
    // Until it begins; the silence before that counts as much.
    timeoutMs: IDLE_MS,
  };
}

/** Objects of one kind as something that can be followed. */
export function objectSource<T>(
  client: Pick<Client, 'pages' | 'watch'>,
  kind: Kind,
  options: ObjectSourceOptions<T>,
): Source<T> {
  const { namespace, labelSelector, fieldSelector, metadataOnly = false, keep } = options;
  const selection = {
    namespace,
    metadataOnly,
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const itemOf = (object: KubeObject): Item<T> | undefined => {
    const value = keep(object);
    const { uid = '', resourceVersion = '', name = '' } = object.metadata;
    // What is served by extensions may have no uid.
    const id = uid === '' ? `${object.metadata.namespace ?? ''}/${name}` : uid;
    return value === undefined ? undefined : { uid: id, resourceVersion, value };
  };
  return {
    pageSize: options.pageSize,
    pages: async function* (pageSize, signal) {
      const timeoutMs = options.listTimeoutMs;
      const pages = client.pages(kind, { ...selection, pageSize, signal, timeoutMs });
      for await (const { items, metadata } of pages) {
        yield {
          items: items.flatMap((object) => itemOf(object) ?? []),
          resourceVersion: metadata.resourceVersion ?? '',
        };
      }
    },
    watch: async function* (resourceVersion, signal) {
      const watched = client.watch(kind, {
        ...selection,
        ...watchLimits(options),
        resourceVersion,
        signal,
      });
      for await (const { type, object } of watched) {
        const at = object.metadata.resourceVersion ?? '';
        const item = type === 'BOOKMARK' ? undefined : itemOf(object);
        yield type === 'BOOKMARK' || item === undefined
          ? { resourceVersion: at }
          : { resourceVersion: at, change: { type, item } };
      }
    },
  };
}
