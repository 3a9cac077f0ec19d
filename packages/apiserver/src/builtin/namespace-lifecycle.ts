import { deepCopy, isNotFound, type KubeObject } from '@flotilla/machinery';
import { deleteObject } from '../objects/delete-object.ts';
import type { Engine } from '../objects/engine.ts';
import { decodeStored, findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import { keyOf, type ResourceDef } from '../resources/resource.ts';
import type { Entry, Tenant } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { mayBeDeleting } from './garbage-collection/metadata-scan.ts';
import { type Leftover, type Outcome, withConditions } from './namespace-conditions.ts';
import { namesOf } from './namespace-defaults.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

const FINALIZER = 'kubernetes';
const PODS = 'core/pods/';
/** Objects deleted between two looks at the event loop. */
const SLICE = 100;
/** Content that goes only after its grace period or finalizers is looked at again by then at the latest. */
const RECHECK_MS = 5_000;

/** Empties namespaces that are being deleted, then lets them go. */
export function namespaceLifecycleController(
  engine: Engine,
  namespaces: ResourceDef,
  contents: (tenant: Tenant) => readonly ResourceDef[],
): BuiltinController {
  return {
    name: 'namespace',
    yields: true,
    initial: (tenant) => namesOf(engine, namespaces, tenant),
    concerns: (change) => {
      if (change.key.startsWith(namespaces.prefix)) {
        return change.value === undefined ? [] : [change.key.slice(namespaces.prefix.length)];
      }
      // Something in a namespace went away: it may have been the last thing that kept it.
      if (change.value !== undefined) return [];
      const namespace = change.key.split('/')[2];
      if (namespace === undefined) return [];
      // This is asked for every object that goes: the parent is not decoded to find that it stays.
      const parent = engine.store.read(change.tenant, keyOf(namespaces, '', namespace));
      return parent !== undefined && mayBeDeleting(parent.value) ? [namespace] : [];
    },
    sync: async (tenant, name) => {
      const target = { tenant, def: namespaces, namespace: '', name };
      const stored = findStored(engine, target);
      if (stored?.object.metadata.deletionTimestamp === undefined) return undefined;
      const spec = stored.object['spec'] as { finalizers?: string[] } | undefined;
      if (!(spec?.finalizers ?? []).includes(FINALIZER)) return undefined;

      const change = { ...target, user: SYSTEM_USER, dryRun: false, warn: noWarnings };
      do {
        const outcome = await emptyAll(engine, tenant, { namespace: name, defs: contents(tenant) });
        await updateObject(engine, {
          ...change,
          subresource: 'status',
          change: (current) => withConditions(current, outcome, engine.now()),
        });
        if (outcome.isPending) return RECHECK_MS;
        // A create that was accepted before anyone could see the namespace terminate is stored by now: it stood in line
        // before our status.
      } while (contents(tenant).some((def) => holdsAny(engine, tenant, `${def.prefix}${name}/`)));
      await updateObject(engine, {
        ...change,
        subresource: 'finalize',
        change: (current) => {
          const next = deepCopy(current);
          const { finalizers = [] } = (next['spec'] ?? {}) as { finalizers?: string[] };
          next['spec'] = { finalizers: finalizers.filter((each) => each !== FINALIZER) };
          return next;
        },
      }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      return undefined;
    },
  };
}

function holdsAny(engine: Engine, tenant: Tenant, prefix: string): boolean {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { limit: 1 }).length > 0;
}

/** Deletes what a namespace holds, pods first: what they run with must outlive them. */
async function emptyAll(
  engine: Engine,
  tenant: Tenant,
  { namespace, defs }: { namespace: string; defs: readonly ResourceDef[] },
): Promise<Outcome> {
  const left: Leftover[] = [];
  const failures: string[] = [];
  const isPods = ({ prefix }: ResourceDef): boolean => prefix === PODS;
  const emptyEach = async (some: readonly ResourceDef[]): Promise<void> => {
    for (const def of some) {
      try {
        const leftover = await empty(engine, tenant, { def, namespace });
        if (leftover !== undefined) left.push(leftover);
      } catch (error) {
        // One kind that cannot be deleted does not keep the others.
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await emptyEach(defs.filter(isPods));
  // Upstream tells of no content while there are pods.
  if (left.length > 0) return { left: [], failures, isPending: true };
  await emptyEach(defs.filter((def) => !isPods(def)));
  return { left, failures, isPending: left.length > 0 || failures.length > 0 };
}

/** Deletes all objects of one kind in a namespace and tells what stays behind. */
async function empty(
  engine: Engine,
  tenant: Tenant,
  { def, namespace }: { def: ResourceDef; namespace: string },
): Promise<Leftover | undefined> {
  const contents = { engine, tenant, def, prefix: `${def.prefix}${namespace}/` };
  for await (const objects of slices(contents)) {
    await Promise.all(
      objects.map(async ({ metadata }) => {
        if (metadata.deletionTimestamp !== undefined) return;
        await deleteObject(engine, {
          tenant,
          def,
          namespace,
          name: metadata.name ?? '',
          options: { propagationPolicy: 'Background' },
          user: SYSTEM_USER,
          warn: noWarnings,
        }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      }),
    );
  }
  let count = 0;
  const finalizers = new Map<string, number>();
  for await (const objects of slices(contents)) {
    count += objects.length;
    for (const { metadata } of objects) {
      for (const finalizer of metadata.finalizers ?? []) {
        finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
      }
    }
  }
  return count === 0 ? undefined : { def, count, finalizers };
}

/** What lies below a prefix, a little at a time: a namespace may hold more than one turn of the event loop can. */
async function* slices(contents: {
  engine: Engine;
  tenant: Tenant;
  def: ResourceDef;
  prefix: string;
}): AsyncGenerator<KubeObject[]> {
  const { engine, tenant, def, prefix } = contents;
  let after: string | undefined;
  for (;;) {
    const entries = read(engine, tenant, { prefix, after });
    if (entries.length > 0) yield entries.map(({ value }) => decodeStored(def, value));
    if (entries.length < SLICE) return;
    after = entries.at(-1)?.key;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function read(
  engine: Engine,
  tenant: Tenant,
  { prefix, after }: { prefix: string; after: string | undefined },
): Entry[] {
  // A new snapshot each time: the one at the beginning would hold up the store for as long as the deletes take.
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { ...(after === undefined ? {} : { after }), limit: SLICE });
}
