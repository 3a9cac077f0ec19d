import type { Informer } from '@flotilla/client';
import {
  type Clock,
  formatKey,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  keyOfObject,
  type LabelSelector,
  labelSelectorAsSelector,
  matchesLabels,
  type ObjectKey,
  selectorFromLabels,
} from '@flotilla/machinery';
import { createWorkQueue, type Logger } from '@flotilla/runtime';
import {
  CronJobs,
  DaemonSets,
  Deployments,
  Jobs,
  Nodes,
  type Pod,
  Pods,
  ReplicaSets,
  Services,
  StatefulSets,
} from './kinds.ts';
import type { Recheck } from './workloads/context.ts';
import { controllerOf } from './world/cache.ts';
import type { World } from './world/world.ts';

/** A pass over one object of a kind, by what is known of it now. */
export interface Pass {
  readonly kind: Kind;
  readonly run: (object: KubeObject) => Promise<Recheck>;
  /** Whether somebody else does this work at the moment. */
  readonly isElsewhere?: () => boolean;
}

/** What runs passes. */
export interface Passes {
  /** Calls for a pass over everything there is of a kind. */
  readonly addAll: (kind: Kind) => void;
  /** Works until the signal; resolves when the last pass has ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Passes at the same time. */
const WORKERS = 4;
/** Those whose pods name them by an owner reference. */
const OWNERS: readonly Kind[] = [
  Deployments,
  ReplicaSets,
  StatefulSets,
  DaemonSets,
  Jobs,
  CronJobs,
];
/** Those who adopt pods that nobody owns. */
const ADOPTERS: readonly Kind[] = [ReplicaSets, StatefulSets, DaemonSets, Jobs];

/** Makes passes over what changes: the object itself, its owner, and whoever selects it. */
export function createPasses(options: {
  readonly world: World;
  readonly informers: readonly Informer[];
  readonly passes: readonly Pass[];
  readonly clock: Clock;
  readonly logger: Logger;
}): Passes {
  const { world, passes, clock, logger } = options;
  const queue = createWorkQueue({ clock });
  const byKind = new Map(passes.map((pass) => [pass.kind, pass]));
  const byPlural = new Map(passes.map((pass) => [pass.kind.plural, pass]));

  function add(kind: Kind, key: ObjectKey): void {
    if (byKind.has(kind)) queue.add(`${kind.plural}:${formatKey(key)}`);
  }

  function addAll(kind: Kind): void {
    for (const object of world.of(kind).list()) add(kind, keyOfObject(object));
  }

  function addOwner(object: KubeObject): void {
    const { namespace, ownerReferences = [] } = object.metadata;
    const owner = ownerReferences.find(({ controller }) => controller === true);
    const kind = OWNERS.find((each) => each.kind === owner?.kind);
    if (owner !== undefined && kind !== undefined) add(kind, { namespace, name: owner.name });
  }

  function addSelecting(object: KubeObject, kinds: readonly Kind[]): void {
    const { namespace, labels = {} } = object.metadata;
    for (const kind of kinds) {
      for (const each of world.of(kind).list(namespace)) {
        if (selects(kind, each, labels)) add(kind, keyOfObject(each));
      }
    }
  }

  /** A change of an object, from its state before, where there was one, to what it is now, where it is. */
  function changed(kind: Kind, object: KubeObject, isDeleted: boolean): void {
    add(kind, keyOfObject(object));
    addOwner(object);
    if (kind === Pods) {
      addSelecting(object, [Services]);
      if (controllerOf(object) === undefined) addSelecting(object, ADOPTERS);
      // Its room may be what another has been waiting for.
      if (isDeleted) addWaiting();
    }
    if (kind === ReplicaSets && controllerOf(object) === undefined) {
      addSelecting(object, [Deployments]);
    }
    // Its pods may have nobody left to count them.
    if (kind === Jobs && isDeleted) {
      for (const pod of world.of(Pods).ownedBy(object.metadata.uid)) add(Pods, keyOfObject(pod));
    }
    const service = object.metadata.labels?.['kubernetes.io/service-name'];
    if (service !== undefined && object.kind === 'EndpointSlice') {
      add(Services, { namespace: object.metadata.namespace, name: service });
    }
    if (kind === Nodes) {
      addAll(DaemonSets);
      addWaiting();
    }
  }

  function addWaiting(): void {
    for (const pod of world.of(Pods).list()) {
      if ((pod.spec.nodeName ?? '') === '') add(Pods, keyOfObject(pod));
    }
  }

  for (const informer of options.informers) {
    const { kind } = informer;
    informer.subscribe({
      added: (object) => changed(kind, object, false),
      updated: (object, before) => {
        if (kind === Nodes && isHeartbeat(object, before)) return;
        if (kind === Pods && saysOther(object.metadata.labels, before.metadata.labels)) {
          changed(kind, before, false);
        }
        changed(kind, object, false);
      },
      deleted: (object) => changed(kind, object, true),
    });
  }

  async function pass(id: string): Promise<void> {
    const [plural = '', path = ''] = id.split(':');
    const found = byPlural.get(plural);
    if (found === undefined || found.isElsewhere?.() === true) return;
    const [namespace = '', name] = path.split('/');
    const key = name === undefined ? { name: namespace } : { namespace, name };
    const object = world.of(found.kind).get(key);
    if (object === undefined) return;
    const nextMs = await found.run(object);
    if (nextMs !== undefined) queue.add(id, { afterMs: nextMs });
  }

  async function work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const taken = await queue.take();
      if (taken === undefined) return;
      try {
        await pass(taken.key);
        queue.forget(taken.key);
      } catch (err) {
        // Somebody was faster: the watch is about to tell what.
        if (isConflict(err) || isNotFound(err) || isAlreadyExists(err)) queue.addAgain(taken.key);
        else if (!signal.aborted) {
          logger.warn('A simulated step failed and is tried again', { object: taken.key, err });
          queue.addFailed(taken.key);
        }
      } finally {
        queue.done(taken.key);
      }
    }
  }

  return {
    addAll,
    run: async (signal) => {
      const stop = (): void => queue.shutDown();
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      await Promise.all(Array.from({ length: WORKERS }, () => work(signal)));
    },
  };
}

function selects(kind: Kind, object: KubeObject, labels: Record<string, string>): boolean {
  const { selector } = (object['spec'] ?? {}) as { selector?: LabelSelector };
  if (selector === undefined) return false;
  return kind === Services
    ? matchesLabels(selectorFromLabels(selector as Record<string, string>), labels)
    : matchesLabels(labelSelectorAsSelector(selector), labels);
}

/** Nodes say every few minutes that nothing has changed. */
function isHeartbeat(node: KubeObject, before: KubeObject): boolean {
  const facts = ({ metadata, spec, status }: KubeObject): string => {
    const { allocatable, conditions = [] } = (status ?? {}) as {
      allocatable?: unknown;
      conditions?: { type: string; status: string }[];
    };
    const health = conditions.map((each) => [each.type, each.status]);
    return JSON.stringify([metadata.labels, metadata.deletionTimestamp, spec, allocatable, health]);
  };
  return facts(node) === facts(before);
}

function saysOther(a: Pod['metadata']['labels'], b: Pod['metadata']['labels']): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}
