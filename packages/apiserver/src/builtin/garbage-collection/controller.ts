import type { Engine } from '../../objects/engine.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Change, Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import type { KindLookup } from '../kind-lookup.ts';
import { namesOf } from '../namespace-defaults.ts';
import type { RecordEvent } from '../record-event.ts';
import { buildGraph } from './build-graph.ts';
import { type CollectDeps, collect, type Item } from './collect.ts';
import {
  mayBeDeleting,
  mayHaveOwners,
  readOwnership,
  readUid,
  sameOwners,
} from './metadata-scan.ts';
import { OwnershipGraph } from './ownership-graph.ts';
import { livesElsewhere, UnknownOwnerKind } from './references.ts';
import { RetryList } from './retry-list.ts';

/** What garbage collection needs. */
export interface GarbageCollectionDeps {
  readonly engine: Engine;
  readonly lookup: KindLookup;
  readonly namespaces: ResourceDef;
  readonly record: RecordEvent;
  readonly report: (error: unknown) => void;
}

/** What is known and to be done in one tenant. */
interface Collection {
  readonly graph: OwnershipGraph;
  /** Keys to look at, in the order they came up. */
  readonly dirty: Set<string>;
  readonly retries: RetryList;
  /** True once everything that is stored has been looked at. */
  isBuilt: boolean;
}

/** The one piece of work of a tenant: whatever there is to look at. */
const WORK = 'graph';
/** Objects looked at between two turns of the event loop. */
const SLICE = 64;
/** Upstream's collector does not know events, nor who owns them. */
const EVENTS = 'core/events/';
const CUSTOM_KINDS = 'apiextensions.k8s.io/customresourcedefinitions/';
const COMPONENT = 'garbage-collector-controller';

/**
 * Deletes what lost its owners, and sees to the dependents of what is deleted in the foreground or orphans them.
 *
 * The graph follows every change as it is told, also while a kube-controller-manager does the work; so it is right
 * the moment its lease ends.
 */
export function garbageCollectionController(deps: GarbageCollectionDeps): BuiltinController {
  const { engine } = deps;
  const tenants = new Map<Tenant, Collection>();
  const of = (tenant: Tenant): Collection => {
    let collection = tenants.get(tenant);
    if (collection === undefined) {
      collection = {
        graph: new OwnershipGraph(),
        dirty: new Set(),
        retries: new RetryList(),
        isBuilt: false,
      };
      tenants.set(tenant, collection);
    }
    return collection;
  };
  return {
    name: 'garbage-collector',
    yields: true,
    initial: () => [WORK],
    concerns: (change) => {
      if (change.key.startsWith(EVENTS)) return [];
      const collection = of(change.tenant);
      if (change.key.startsWith(CUSTOM_KINDS)) {
        for (const key of collection.retries.takeUnknown()) collection.dirty.add(key);
      }
      for (const key of follow(collection.graph, change)) collection.dirty.add(key);
      if (change.value === undefined) {
        collection.dirty.delete(change.key);
        collection.retries.forget(change.key);
      }
      return collection.dirty.size > 0 ? NOW : NEVER;
    },
    sync: async (tenant) => {
      const collection = of(tenant);
      if (!collection.isBuilt) {
        const found = await buildGraph({ ...deps, tenant, graph: collection.graph });
        for (const key of found) collection.dirty.add(key);
        collection.isBuilt = true;
      }
      await work({ ...deps, tenant }, collection);
      return collection.retries.nextMs(engine.now());
    },
  };
}

const NOW = [WORK];
const NEVER: string[] = [];

/** Brings the graph up to date with one change; returns the keys to look at. Called for every write there is. */
function follow(graph: OwnershipGraph, { key, value, previous }: Change): string[] {
  if (value === undefined) {
    // A uid that nobody names is not worth reading.
    if (graph.isEmpty || previous === undefined) return [];
    return graph.delete(key, readUid(previous));
  }
  if (!mayBeDeleting(value)) {
    const known = graph.dependent(key) !== undefined;
    if (!known && !mayHaveOwners(value)) return [];
    if (known && previous !== undefined && sameOwners(value, previous)) return [];
  }
  return graph.set(key, readOwnership(value));
}

async function work(
  deps: GarbageCollectionDeps & { tenant: Tenant },
  { graph, dirty, retries }: Collection,
): Promise<void> {
  const { engine, lookup, tenant } = deps;
  const collecting: CollectDeps = {
    engine,
    lookup,
    tenant,
    graph,
    look: (key) => dirty.add(key),
    misplaced: (item, uid) => tellMisplaced(deps, graph, { item, uid }),
  };
  for (;;) {
    for (const key of retries.takeDue(engine.now())) dirty.add(key);
    const slice = firstOf(dirty, SLICE);
    if (slice.length === 0) return;
    for (const key of slice) dirty.delete(key);
    await Promise.all(
      slice.map(async (key) => {
        try {
          await collect(collecting, key);
          retries.forget(key);
        } catch (error) {
          const isUnknown = error instanceof UnknownOwnerKind;
          const failures = retries.failed(key, { now: engine.now(), isUnknown });
          // A kind that is not served may be a mistake of whoever wrote the reference; it is not one of ours.
          if (failures > 3 && !isUnknown) deps.report(error);
        }
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function firstOf(keys: ReadonlySet<string>, count: number): string[] {
  const first: string[] = [];
  for (const key of keys) {
    if (first.length >= count) break;
    first.push(key);
  }
  return first;
}

/** An owner in another namespace does not count, and whoever wrote the reference should hear of it. */
async function tellMisplaced(
  { engine, lookup, namespaces, record, tenant }: GarbageCollectionDeps & { tenant: Tenant },
  graph: OwnershipGraph,
  { item, uid }: { item: Item; uid: string },
): Promise<void> {
  // An owner whose deletion was seen was in the right place.
  const reference = item.owners.find((each) => each.uid === uid);
  if (reference === undefined || graph.owner(uid)?.isGone === true) return;
  const { def, namespace, name } = item.target;
  const place = { store: engine.store, lookup, tenant, namespace };
  if (!livesElsewhere(place, reference, namesOf(engine, namespaces, tenant))) return;
  const { apiVersion, kind } = reference;
  await record(tenant, {
    about: { apiVersion: def.apiVersion, kind: def.kind, namespace, name, uid: item.uid },
    type: 'Warning',
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${reference.name}, uid: ${uid}] does not exist in namespace ${JSON.stringify(namespace)}`,
    component: COMPONENT,
  });
}
