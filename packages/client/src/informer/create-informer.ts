import { setMaxListeners } from 'node:events';
import { apiVersionOf, type Clock, type Kind, type KubeObject } from '@flotilla/machinery';
import type { Selection } from '../client.ts';
import { compactMetadata } from './compact.ts';
import type { Informer } from './informer.ts';
import { createInterner, type Interner } from './intern.ts';
import { Mirror } from './mirror.ts';
import { type ReflectedClient, reflect } from './reflector.ts';

/** What an informer is made from. */
export interface InformerOptions<T extends KubeObject> {
  readonly client: ReflectedClient;
  readonly kind: Kind<T>;
  /** @default everything */
  readonly selection?: Selection;
  /** `metadata` asks servers for nothing else, which takes a fraction of the memory and of the traffic. @default 'full' */
  readonly mode?: InformerMode;
  /**
   * What is kept of an object, which it may change. Name, namespace, uid and resourceVersion must stay.
   * Whole objects take a third of the memory with `withoutManagedFields`.
   * @default everything; of metadata all but managedFields and the last applied configuration
   */
  readonly transform?: (object: T) => T;
  /** How often subscribers hear of every object again. @default never */
  readonly resyncMs?: number;
  /** Silence after which a watch counts as dead; servers send a bookmark every minute. @default 150,000 */
  readonly idleMs?: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Shares memory with the informers that have the same one. @default one of its own */
  readonly interner?: Interner;
  /** Hears of failed requests, which are tried again, and of what subscribers throw. @default nobody */
  readonly report?: (error: unknown) => void;
}

/** How much of each object is asked for. */
export type InformerMode = 'full' | 'metadata';

const IDLE_MS = 150_000;

/**
 * Makes an informer, which does nothing until it is started.
 *
 * @example
 * const pods = createInformer({ client, kind: Pods, clock: systemClock, random });
 * pods.subscribe({ added: ({ metadata }) => log(`hello ${metadata.name}`) });
 * void pods.start(signal);
 * await pods.synced(signal);
 */
export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const { client, kind, clock, random, mode = 'full', selection = {}, resyncMs } = options;
  const report = options.report ?? (() => {});
  const mirror = new Mirror<T>(report);
  const synced = createLatch();
  let running: Promise<void> | undefined;

  const resync = async (signal: AbortSignal, everyMs: number): Promise<void> => {
    while (!signal.aborted) {
      await clock.wait(everyMs, signal).catch(() => {});
      if (!signal.aborted) mirror.resync();
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    const reflecting = reflect<T>(
      {
        client,
        kind,
        selection,
        metadataOnly: mode === 'metadata',
        idleMs: options.idleMs ?? IDLE_MS,
        transform: options.transform ?? defaultTransform(options),
        mirror,
        onComplete: synced.open,
        clock,
        random,
        report,
      },
      signal,
    );
    const resyncing = resyncMs === undefined ? undefined : resync(signal, resyncMs);
    await Promise.all([reflecting, resyncing]);
  };

  return {
    kind,
    start: (signal) => {
      // One signal ends any number of informers, each of them with a request under way: that is no leak.
      setMaxListeners(0, signal);
      running ??= run(signal);
      return running;
    },
    get hasSynced() {
      return synced.isOpen;
    },
    synced: synced.passed,
    get: (key) => mirror.objects.get(key),
    list: (namespace) => mirror.objects.list(namespace),
    byIndex: (name, value) => mirror.objects.byIndex(name, value),
    addIndex: (name, valuesOf) => mirror.objects.addIndex(name, valuesOf),
    subscribe: (subscriber) => mirror.subscribe(subscriber),
    get lastResourceVersion() {
      return mirror.resourceVersion;
    },
  };
}

function defaultTransform<T extends KubeObject>({
  kind,
  mode,
  interner,
}: InformerOptions<T>): (object: T) => T {
  if (mode === 'metadata') return compactMetadata(kind, interner ?? createInterner());
  const apiVersion = apiVersionOf(kind);
  return (object) => {
    // Items of lists say neither, where the list says it for them.
    object.apiVersion ??= apiVersion;
    object.kind ??= kind.kind;
    return object;
  };
}

interface Latch {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly passed: (signal?: AbortSignal) => Promise<void>;
}

function createLatch(): Latch {
  const waiting = new Set<() => void>();
  let isOpen = false;
  return {
    get isOpen() {
      return isOpen;
    },
    open: () => {
      isOpen = true;
      for (const each of waiting) each();
      waiting.clear();
    },
    passed: (signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted === true) reject(signal.reason as Error);
        else if (isOpen) resolve();
        else {
          const pass = (): void => {
            signal?.removeEventListener('abort', abort);
            resolve();
          };
          const abort = (): void => {
            waiting.delete(pass);
            reject(signal?.reason as Error);
          };
          waiting.add(pass);
          signal?.addEventListener('abort', abort, { once: true });
        }
      }),
  };
}
