import type { Kind, KubeObject } from '@flotilla/machinery';
import { createInformer, type InformerOptions } from './create-informer.ts';
import type { Informer } from './informer.ts';
import { createInterner } from './intern.ts';

/** What every informer of a set has in common. */
export type InformersOptions = Pick<
  InformerOptions<KubeObject>,
  'client' | 'clock' | 'random' | 'resyncMs' | 'idleMs' | 'interner' | 'report'
>;

/** What tells the informers of one kind apart. */
export type InformerChoice<T extends KubeObject> = Pick<
  InformerOptions<T>,
  'selection' | 'mode' | 'transform'
>;

/** The informers of one client: who asks for the same thing gets the same one. */
export interface Informers {
  readonly for: <T extends KubeObject>(kind: Kind<T>, choice?: InformerChoice<T>) => Informer<T>;
  /** Starts all there are, and at once whatever is asked for later; resolves when all have ended. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  /** Resolves once all there are have been complete. */
  readonly synced: (signal?: AbortSignal) => Promise<void>;
}

interface Shared {
  readonly informer: Informer;
  readonly transform: unknown;
}

/** Makes an empty set. */
export function createInformers(options: InformersOptions): Informers {
  const interner = options.interner ?? createInterner();
  const known = new Map<string, Shared[]>();
  const running: Promise<void>[] = [];
  let started: AbortSignal | undefined;

  const all = (): Informer[] => [...known.values()].flat().map(({ informer }) => informer);
  const make = <T extends KubeObject>(kind: Kind<T>, choice: InformerChoice<T>): Informer<T> => {
    const informer = createInformer<T>({ ...options, interner, kind, ...choice });
    if (started !== undefined) running.push(informer.start(started));
    return informer;
  };

  return {
    for: <T extends KubeObject>(kind: Kind<T>, choice: InformerChoice<T> = {}): Informer<T> => {
      const name = nameOf(kind, choice);
      const sharing = known.get(name) ?? [];
      known.set(name, sharing);
      const found = sharing.find(({ transform }) => transform === choice.transform);
      // What was made for a name was made for this kind.
      if (found !== undefined) return found.informer as unknown as Informer<T>;
      const informer = make(kind, choice);
      sharing.push({ informer: informer as unknown as Informer, transform: choice.transform });
      return informer;
    },
    start: async (signal) => {
      if (started === undefined) {
        started = signal;
        running.push(...all().map((informer) => informer.start(signal)));
      }
      // More may be asked for while these run.
      for (let at = 0; at < running.length; at++) await running[at];
    },
    synced: async (signal) => {
      await Promise.all(all().map((informer) => informer.synced(signal)));
    },
  };
}

function nameOf<T extends KubeObject>(kind: Kind<T>, choice: InformerChoice<T>): string {
  const { namespace, labelSelector, fieldSelector } = choice.selection ?? {};
  return JSON.stringify([
    kind.group,
    kind.version,
    kind.plural,
    choice.mode ?? 'full',
    namespace ?? '',
    labelSelector ?? '',
    fieldSelector ?? '',
  ]);
}
