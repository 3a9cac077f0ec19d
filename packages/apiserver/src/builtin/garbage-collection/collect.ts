import { deepCopy, deepEqual, isConflict, isNotFound, type KubeObject } from '@flotilla/machinery';
import { deleteObject } from '../../objects/delete-object.ts';
import type { Engine } from '../../objects/engine.ts';
import type { Target } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import type { Tenant } from '../../storage/store.ts';
import type { KindLookup } from '../kind-lookup.ts';
import { controllerUser, noWarnings } from '../system-user.ts';
import { type Ownership, readOwnership } from './metadata-scan.ts';
import { FOREGROUND, namespaceOf, ORPHAN, type OwnershipGraph } from './ownership-graph.ts';
import { type Classified, classify, NamespacedOwner } from './references.ts';

/** What collecting needs of its surroundings. */
export interface CollectDeps {
  readonly engine: Engine;
  readonly lookup: KindLookup;
  readonly tenant: Tenant;
  readonly graph: OwnershipGraph;
  /** Asks for another object to be looked at. */
  readonly look: (key: string) => void;
  /** Hears of an owner that was not found where it should be. */
  readonly misplaced: (item: Item, ownerUid: string) => Promise<void>;
}

/** One object as it was read. */
export interface Item extends Ownership {
  readonly key: string;
  readonly target: Target;
  readonly revision: number;
}

const USER = controllerUser('generic-garbage-collector');
/** Dependents that are let go at a time. */
const SLICE = 50;

/** Does for one object what ownership asks for: deletes it, lets its dependents go, or lets it go itself. */
export async function collect(deps: CollectDeps, key: string): Promise<void> {
  const item = read(deps, key);
  if (item === undefined) return;
  if (item.isDeleting) {
    if (item.finalizers.includes(ORPHAN)) await orphanDependents(deps, item);
    else if (item.finalizers.includes(FOREGROUND)) await awaitDependents(deps, item);
    // Otherwise it is on its way; its dependents are looked at when it is gone.
    return;
  }
  if (item.owners.length > 0) await judge(deps, item);
}

function read({ engine, lookup, tenant }: CollectDeps, key: string): Item | undefined {
  const entry = engine.store.read(tenant, key);
  if (entry === undefined) return undefined;
  const def = lookup.byKey(tenant, key);
  if (def === undefined) return undefined;
  const namespace = def.namespaced ? namespaceOf(key) : '';
  const name = key.slice(key.lastIndexOf('/') + 1);
  return {
    ...readOwnership(entry.value),
    key,
    target: { tenant, def, namespace, name },
    revision: entry.revision,
  };
}

/** Deletes the object unless one of its owners stays. */
async function judge(deps: CollectDeps, item: Item): Promise<void> {
  const verdict = await classified(deps, item);
  if (verdict === undefined) return;
  const { solid, dangling, waiting } = verdict;
  if (solid.length > 0) {
    // What waits for its dependents must not wait for one that stays.
    const lost = new Set([...dangling, ...waiting].map(({ uid }) => uid));
    if (lost.size > 0) await dropOwners(deps, item, lost);
    return;
  }
  const dependents = deps.graph.dependentsOf(item.uid);
  if (waiting.length > 0 && dependents.length > 0) {
    if (dependents.some(({ uid }) => deps.graph.isWaiting(uid))) {
      // A circle, perhaps: nobody in it would ever be the first to go.
      await unblockOwners(deps, item);
      const unblocked = read(deps, item.key);
      if (unblocked !== undefined) await remove(deps, unblocked, 'Foreground');
      return;
    }
    await remove(deps, item, 'Foreground');
    return;
  }
  await remove(deps, item, policyOf(item));
}

/** An object's own finalizers say how it wants to go. */
function policyOf({ finalizers }: Item): string {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}

/** Undefined when the owners cannot be judged and never will be. */
async function classified(deps: CollectDeps, item: Item): Promise<Classified | undefined> {
  const { engine, lookup, tenant, graph } = deps;
  const place = { store: engine.store, lookup, tenant, namespace: item.target.namespace };
  try {
    const verdict = classify(place, item.owners, (reference, home) => {
      for (const link of graph.owner(reference.uid)?.links ?? []) {
        const { apiVersion, kind, name } = reference;
        const same = link.name === name && link.kind === kind && link.apiVersion === apiVersion;
        if (same) link.home = home;
      }
    });
    for (const { uid } of verdict.dangling) await deps.misplaced(item, uid);
    return verdict;
  } catch (error) {
    if (!(error instanceof NamespacedOwner)) throw error;
    await deps.misplaced(item, error.reference.uid);
    return undefined;
  }
}

/** Deletes exactly the object that was judged: another one of the same name, or other owners, begin anew. */
async function remove(deps: CollectDeps, item: Item, propagationPolicy: string): Promise<void> {
  const { engine } = deps;
  const attempt = (resourceVersion: { resourceVersion?: string }) =>
    deleteObject(engine, {
      ...item.target,
      options: { propagationPolicy, preconditions: { uid: item.uid, ...resourceVersion } },
      user: USER,
      warn: noWarnings,
    });
  try {
    await attempt({ resourceVersion: String(item.revision) });
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isConflict(error)) throw error;
    const now = read(deps, item.key);
    if (now?.uid !== item.uid) return;
    if (!deepEqual(now.owners, item.owners)) {
      deps.look(item.key);
      return;
    }
    // Someone writes it all the time, but not its owners: that must not keep it alive.
    await attempt({}).catch(ignoreGone);
  }
}

/** Waits for the dependents that block the owner's deletion, and sees to it that they go. */
async function awaitDependents(deps: CollectDeps, item: Item): Promise<void> {
  const blocking = deps.graph
    .dependentsOf(item.uid)
    .filter(({ links }) => links.some(({ owner, blocks }) => blocks && owner.uid === item.uid));
  if (blocking.length === 0) {
    await dropFinalizer(deps, item, FOREGROUND);
    return;
  }
  for (const { key, isDeleting } of blocking) if (!isDeleting) deps.look(key);
}

/** Takes the owner out of its dependents' metadata, then lets it go. */
async function orphanDependents(deps: CollectDeps, item: Item): Promise<void> {
  const dependents = deps.graph.dependentsOf(item.uid);
  const owner = new Set([item.uid]);
  for (let start = 0; start < dependents.length; start += SLICE) {
    await Promise.all(
      dependents.slice(start, start + SLICE).map(async ({ key }) => {
        const dependent = read(deps, key);
        if (dependent !== undefined) await dropOwners(deps, dependent, owner);
      }),
    );
  }
  await dropFinalizer(deps, item, ORPHAN);
}

async function dropOwners(deps: CollectDeps, item: Item, uids: ReadonlySet<string>): Promise<void> {
  await change(deps, item, (metadata) => {
    const left = (metadata.ownerReferences ?? []).filter(({ uid }) => !uids.has(uid));
    if (left.length > 0) metadata.ownerReferences = left;
    else delete metadata.ownerReferences;
  });
}

async function unblockOwners(deps: CollectDeps, item: Item): Promise<void> {
  await change(deps, item, (metadata) => {
    for (const reference of metadata.ownerReferences ?? []) {
      if (reference.blockOwnerDeletion === true) reference.blockOwnerDeletion = false;
    }
  });
}

async function dropFinalizer(deps: CollectDeps, item: Item, finalizer: string): Promise<void> {
  await change(deps, item, (metadata) => {
    const left = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
    if (left.length > 0) metadata.finalizers = left;
    else delete metadata.finalizers;
  });
}

/** Changes the metadata of the very object that was read. */
async function change(
  deps: CollectDeps,
  item: Item,
  edit: (metadata: KubeObject['metadata']) => void,
): Promise<void> {
  if (read(deps, item.key)?.uid !== item.uid) return;
  await updateObject(deps.engine, {
    ...item.target,
    subresource: '',
    change: (now) => {
      const next = deepCopy(now);
      if (now.metadata.uid === item.uid) edit(next.metadata);
      return next;
    },
    user: USER,
    dryRun: false,
    warn: noWarnings,
  }).catch(ignoreGone);
}

function ignoreGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
