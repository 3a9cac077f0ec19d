import type { Informer } from '@flotilla/client';
import {
  formatKey,
  type Kind,
  type KubeObject,
  keyOfObject,
  type ObjectKey,
} from '@flotilla/machinery';
import type { ConditionSet } from '../conditions/condition-set.ts';
import type { QueueReading } from '../observer.ts';
import { createWorkQueue, type WorkQueue } from '../queue/work-queue.ts';
import type {
  ControllerContext,
  ControllerDefinition,
  PreparedController,
  RunBounds,
} from './definition.ts';
import { createOverlay, type Overlay } from './overlay.ts';
import { createPassRunner } from './pass-runner.ts';
import { userChanged } from './predicates.ts';
import type { Lookup, Watch } from './watch.ts';
import { createWorkers } from './workers.ts';

const NOTHING_QUEUED: QueueReading = {
  ready: { change: 0, other: 0, resync: 0 },
  delayed: 0,
  running: 0,
  unfinishedMs: 0,
  longestRunningMs: 0,
};

/** Gives a controller its caches and its series. */
export function prepareController<T extends KubeObject, S extends ConditionSet>(
  definition: ControllerDefinition<T, S>,
  context: ControllerContext,
  listeners: Set<(key: ObjectKey) => void>,
): PreparedController {
  const { name, concurrency = 1, watches = [] } = definition;
  const informer = context.informers.for(definition.for, definition.choice);
  for (const [index, valuesOf] of Object.entries(definition.indexes ?? {})) {
    informer.addIndex(index, valuesOf);
  }
  const watched = watches.map((each) => ({
    ...each,
    informer: context.informers.for(each.kind, each.choice),
  }));
  let queue: WorkQueue | undefined;
  const reading = () => queue?.reading() ?? NOTHING_QUEUED;
  const meter = context.observer.controller({
    name,
    kind: groupKind(definition.for),
    concurrency,
    queue: reading,
  });
  const logger = context.logger.child({ controller: name });
  const workers = createWorkers({ clock: context.clock, logger, concurrency });

  async function run(bounds: RunBounds): Promise<void> {
    // A queue and an overlay of its own for each run: what was known in an earlier term of office is old.
    const work = createWorkQueue({
      clock: context.clock,
      meter,
      ...(definition.limits === undefined ? {} : { limits: definition.limits }),
    });
    queue = work;
    const overlay = createOverlay(informer);
    const enqueue = (key: ObjectKey) => work.add(formatKey(key));
    const runner = createPassRunner(definition, {
      ...context,
      logger,
      meter,
      overlay,
      queue: work,
      bounds,
    });
    listeners.add(enqueue);
    const subscriptions = [
      subscribe(definition, informer, { queue: work, overlay }),
      ...watched.map((each) => follow(each, work, lookupIn(informer))),
    ];
    const stop = () => work.shutDown();
    bounds.stop.addEventListener('abort', stop, { once: true });
    if (bounds.stop.aborted) stop();
    try {
      await workers.run(work, runner);
    } finally {
      bounds.stop.removeEventListener('abort', stop);
      listeners.delete(enqueue);
      for (const subscription of subscriptions) subscription[Symbol.dispose]();
    }
  }

  return {
    name,
    run,
    queue: reading,
    get abandoned() {
      return workers.abandoned;
    },
  };
}

/** Turns changes of the controller's own objects into work. */
function subscribe<T extends KubeObject, S extends ConditionSet>(
  { predicates = [userChanged] }: ControllerDefinition<T, S>,
  informer: Informer<T>,
  { queue, overlay }: { queue: WorkQueue; overlay: Overlay<T> },
): Disposable {
  return informer.subscribe({
    added: (object, { isInitial }) => {
      queue.add(formatKey(keyOfObject(object)), { priority: isInitial ? 'resync' : 'change' });
    },
    updated: (object, before) => {
      const key = keyOfObject(object);
      overlay.prune(key);
      if (object === before) queue.add(formatKey(key), { priority: 'resync' });
      else if (predicates.every((predicate) => predicate(object, before))) {
        queue.add(formatKey(key), { priority: 'change' });
      }
    },
    // There is nothing to do for what is gone: what had to be done was done under the finalizer.
    deleted: (object) => {
      const key = keyOfObject(object);
      overlay.forget(key);
      queue.forget(formatKey(key));
    },
  });
}

/** Turns changes of another kind's objects into work. */
function follow(
  { informer, predicates, map }: Watch & { readonly informer: Informer },
  queue: WorkQueue,
  lookup: Lookup,
): Disposable {
  const concerns = (object: KubeObject, priority: 'other' | 'resync') => {
    for (const key of map(object, lookup)) queue.add(formatKey(key), { priority });
  };
  return informer.subscribe({
    added: (object, { isInitial }) => concerns(object, isInitial ? 'resync' : 'other'),
    updated: (object, before) => {
      if (object === before) concerns(object, 'resync');
      else if (predicates.every((predicate) => predicate(object, before))) {
        concerns(before, 'other');
        concerns(object, 'other');
      }
    },
    deleted: (object) => concerns(object, 'other'),
  });
}

function lookupIn<T extends KubeObject>(informer: Informer<T>): Lookup {
  return {
    kind: informer.kind as unknown as Kind,
    byIndex: (index, value) => informer.byIndex(index, value).map(keyOfObject),
  };
}

function groupKind({ kind, group }: Pick<Kind, 'kind' | 'group'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}
