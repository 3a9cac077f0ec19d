import { type Client, createInformer, type Informer, Secrets } from '@flotilla/client';
import {
  type Clock,
  defineKind,
  formatKey,
  type Kind,
  type KubeObject,
  type ObjectKey,
} from '@flotilla/machinery';
import type { SourceRead } from './source/resolved-source.ts';

/** Watches exactly the objects that registrations read their credentials from, and only their metadata. */
export interface SourceWatch {
  /** Replaces what a registration depends on; true once all of it is watched. */
  readonly follow: (
    key: ObjectKey,
    reads: readonly SourceRead[],
    resourceVersion: string | undefined,
  ) => boolean;
  /** Watches until the signal is aborted; resolves when all has ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What watching takes. */
export interface SourceWatchOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: () => number;
  /** Calls for a pass. */
  readonly enqueue: (key: ObjectKey) => void;
  readonly report?: (error: unknown) => void;
}

const ExternalSecrets = defineKind({
  group: 'external-secrets.io',
  version: 'v1',
  kind: 'ExternalSecret',
  plural: 'externalsecrets',
  namespaced: true,
});

const KINDS: Readonly<Record<SourceRead['kind'], Kind>> = {
  Secret: Secrets as unknown as Kind,
  ExternalSecret: ExternalSecrets,
};

/**
 * Up to so many objects of a namespace are watched one by one, which needs no right to anything else there. Beyond that
 * a stream each would cost more than one for the namespace.
 */
const MOST_NAMED = 16;

interface Follower {
  readonly key: ObjectKey;
  readonly targets: ReadonlySet<string>;
  readonly resourceVersion: string | undefined;
}

interface Running {
  readonly informer: Informer;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Makes a watch of nothing yet. */
export function createSourceWatch(options: SourceWatchOptions): SourceWatch {
  const { client, clock, random, enqueue, report = () => {} } = options;
  const followers = new Map<string, Follower>();
  const followed = new Map<string, Set<string>>();
  /** `kind namespace` to the names that are followed there. */
  const places = new Map<string, Set<string>>();
  const watches = new Map<string, Running>();
  const ending = new Set<Promise<void>>();
  let signal: AbortSignal | undefined;

  function follow(
    key: ObjectKey,
    reads: readonly SourceRead[],
    resourceVersion: string | undefined,
  ): boolean {
    const id = formatKey(key);
    const targets = new Set(reads.map(targetOf));
    const before = followers.get(id)?.targets ?? new Set<string>();
    if (targets.size === 0) followers.delete(id);
    else followers.set(id, { key, targets, resourceVersion });
    const touched = new Set<string>();
    for (const target of before) {
      if (!targets.has(target)) touched.add(leave(target, id));
    }
    for (const target of targets) {
      if (!before.has(target)) touched.add(enter(target, id));
    }
    for (const place of touched) settle(place);
    return [...targets].every(isWatched);
  }

  function enter(target: string, id: string): string {
    const by = followed.get(target) ?? new Set();
    followed.set(target, by.add(id));
    const { place, name } = parse(target);
    const names = places.get(place) ?? new Set();
    places.set(place, names.add(name));
    return place;
  }

  function leave(target: string, id: string): string {
    const { place, name } = parse(target);
    const by = followed.get(target);
    by?.delete(id);
    if (by?.size !== 0) return place;
    followed.delete(target);
    const names = places.get(place);
    names?.delete(name);
    if (names?.size === 0) places.delete(place);
    return place;
  }

  /** Starts and stops what has to be for one kind in one namespace. */
  function settle(place: string): void {
    if (signal === undefined || signal.aborted) return;
    const names = places.get(place) ?? new Set<string>();
    const isWide = names.size > MOST_NAMED || (names.size > 0 && watches.has(place));
    const wanted = new Set(isWide ? [place] : [...names].map((name) => `${place} ${name}`));
    for (const [id, running] of watches) {
      if ((id === place || id.startsWith(`${place} `)) && !wanted.has(id)) {
        watches.delete(id);
        running.stop.abort();
      }
    }
    for (const id of wanted) if (!watches.has(id)) start(id, place);
  }

  function start(id: string, place: string): void {
    const [kind = 'Secret', namespace = ''] = place.split(' ');
    const name = id === place ? undefined : id.slice(place.length + 1);
    const informer = createInformer<KubeObject>({
      client,
      kind: KINDS[kind as SourceRead['kind']],
      selection: {
        namespace,
        ...(name === undefined ? {} : { fieldSelector: `metadata.name=${name}` }),
      },
      mode: 'metadata',
      clock,
      random,
      report,
    });
    const tell = (object: KubeObject) => changed(`${place} ${object.metadata.name ?? ''}`, object);
    informer.subscribe({
      added: tell,
      updated: tell,
      deleted: (object) => changed(`${place} ${object.metadata.name ?? ''}`),
    });
    const stop = new AbortController();
    const ended = informer.start(stop.signal).finally(() => ending.delete(ended));
    ending.add(ended);
    watches.set(id, { informer, stop, ended });
  }

  /** What a registration has read already is no news to it. */
  function changed(target: string, object?: KubeObject): void {
    for (const id of followed.get(target) ?? []) {
      const follower = followers.get(id);
      if (follower === undefined) continue;
      const version = object?.metadata.resourceVersion;
      if (version === undefined || version !== follower.resourceVersion) enqueue(follower.key);
    }
  }

  function isWatched(target: string): boolean {
    const running = watches.get(target) ?? watches.get(parse(target).place);
    return running?.informer.hasSynced === true;
  }

  return {
    follow,
    run: async (until) => {
      signal = until;
      for (const place of places.keys()) settle(place);
      await new Promise<void>((resolve) => {
        if (until.aborted) resolve();
        else until.addEventListener('abort', () => resolve(), { once: true });
      });
      for (const { stop } of watches.values()) stop.abort();
      watches.clear();
      await Promise.all(ending);
    },
  };
}

/** `kind namespace name`: none of them can have a space in it. */
function targetOf({ kind, namespace, name }: SourceRead): string {
  return `${kind} ${namespace} ${name}`;
}

function parse(target: string): { readonly place: string; readonly name: string } {
  const at = target.lastIndexOf(' ');
  return { place: target.slice(0, at), name: target.slice(at + 1) };
}
