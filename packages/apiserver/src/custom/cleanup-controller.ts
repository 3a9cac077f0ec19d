import { deepCopy, formatTime, isNotFound, type KubeObject, parseJson } from '@flotilla/machinery';
import type { BuiltinController } from '../builtin/controller.ts';
import { noWarnings, SYSTEM_USER } from '../builtin/system-user.ts';
import { API_SERVER } from '../managed-fields/manager-name.ts';
import { deleteObject } from '../objects/delete-object.ts';
import type { Engine } from '../objects/engine.ts';
import { updateObject } from '../objects/update-object.ts';
import type { Registry } from '../resources/registry.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Entry, Tenant } from '../storage/store.ts';
import type { CrdControllerDeps } from './conditions-controller.ts';
import {
  CLEANUP_FINALIZER,
  CRD_PREFIX,
  type CrdCondition,
  type CustomResourceDefinition,
  hasCondition,
  setCondition,
} from './crd.ts';
import type { CrdHolder } from './crd-holder.ts';

type Condition = Omit<CrdCondition, 'lastTransitionTime'>;

/** Objects deleted between two looks at the event loop. */
const SLICE = 100;
/** Objects that wait for their finalizers are looked at again by then at the latest. */
const RECHECK_MS = 5_000;
/** A create that was let in before the end began is waited for by looking again soon. */
const CREATING_MS = 20;
/** After this long the CRD says what it waits for. */
const PATIENCE_MS = 60_000;

/** Deletes all objects of CRDs that are being deleted, then lets the CRDs go. */
export function crdCleanupController(
  deps: CrdControllerDeps & { readonly builtin: Registry },
): BuiltinController {
  const { engine, crds, builtin } = deps;
  const terminating = (tenant: Tenant, name: string): CrdHolder | undefined => {
    const holder = crds.get(tenant, name);
    return holder !== undefined && isHeld(holder.crd()) ? holder : undefined;
  };
  return {
    name: 'crd-finalizer',
    yields: false,
    initial: (tenant) => heldNames(engine, tenant),
    concerns: ({ tenant, key, value }) => {
      if (key.startsWith(CRD_PREFIX)) {
        const name = key.slice(CRD_PREFIX.length);
        return value !== undefined && terminating(tenant, name) !== undefined ? [name] : [];
      }
      // An object went away: it may have been the last its CRD waited for.
      const [group = '', resource = ''] = key.split('/', 2);
      if (value !== undefined || !group.includes('.')) return [];
      const name = `${resource}.${group}`;
      return terminating(tenant, name) === undefined ? [] : [name];
    },
    sync: async (tenant, name) => {
      const holder = terminating(tenant, name);
      if (holder === undefined) return undefined;
      const progress = (condition: Condition, isLast = false): Promise<boolean> =>
        report(deps, { tenant, name }, { condition, isLast });
      const crd = holder.crd();
      // The keys of a kind we have built in are none of the CRD's.
      if (builtin.groupVersions.some((gv) => isBuiltin(builtin, gv, crd))) {
        await progress(ended('OverlappingBuiltInResource', OVERLAP), true);
        return undefined;
      }
      if (!hasCondition(crd, 'Established')) {
        await progress(ended('NeverEstablished', 'resource was never established'), true);
        return undefined;
      }
      if (!(await progress(running('InstanceDeletionInProgress', IN_PROGRESS)))) return undefined;
      const def = holder.stored();
      const left = def === undefined ? 0 : await deleteInstances(engine, tenant, def);
      if (holder.creating() > 0) return CREATING_MS;
      if (left > 0) {
        const since = new Date(crd.metadata.deletionTimestamp ?? 0).getTime();
        if (engine.now().getTime() - since > PATIENCE_MS) {
          await progress(running('InstanceDeletionCheck', UNCONFIRMED));
        }
        return RECHECK_MS;
      }
      await progress(ended('InstanceDeletionCompleted', 'removed all instances'), true);
      return undefined;
    },
  };
}

const IN_PROGRESS = 'CustomResource deletion is in progress';
const OVERLAP = 'instances overlap with built-in resources in storage';
const UNCONFIRMED = 'could not confirm zero CustomResources remaining: context deadline exceeded';

function running(reason: string, message: string): Condition {
  return { type: 'Terminating', status: 'True', reason, message };
}

function ended(reason: string, message: string): Condition {
  return { type: 'Terminating', status: 'False', reason, message };
}

function isHeld({ metadata }: CustomResourceDefinition): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (metadata.finalizers ?? []).includes(CLEANUP_FINALIZER)
  );
}

function isBuiltin(
  builtin: Registry,
  gv: { group: string; version: string },
  { spec }: CustomResourceDefinition,
): boolean {
  return (
    gv.group === spec.group && builtin.find(gv.group, gv.version, spec.names.plural) !== undefined
  );
}

/** Told by their bytes, so that a thousand CRDs are not read at every start. */
function heldNames(engine: Engine, tenant: Tenant): string[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(CRD_PREFIX, { limit: Number.MAX_SAFE_INTEGER })
    .filter(({ value }) => value.includes(CLEANUP_FINALIZER))
    .map(({ key }) => key.slice(CRD_PREFIX.length));
}

/** False when the CRD is gone, or no longer waits for us. */
async function report(
  { engine, crdDef }: CrdControllerDeps,
  { tenant, name }: { tenant: Tenant; name: string },
  { condition, isLast }: { condition: Condition; isLast: boolean },
): Promise<boolean> {
  try {
    await updateObject(engine, {
      tenant,
      def: crdDef,
      namespace: '',
      name,
      subresource: 'status',
      change: (current) => {
        const next = deepCopy(current) as CustomResourceDefinition;
        const now = formatTime(engine.now());
        const conditions = setCondition(next.status?.conditions ?? [], condition, now);
        next.status = { ...next.status, conditions };
        if (isLast) {
          const finalizers = (next.metadata.finalizers ?? []).filter(
            (each) => each !== CLEANUP_FINALIZER,
          );
          next.metadata.finalizers = finalizers;
        }
        return next;
      },
      user: SYSTEM_USER,
      manager: API_SERVER,
      dryRun: false,
      warn: noWarnings,
    });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** Deletes all objects of a kind and tells how many stay behind. */
async function deleteInstances(engine: Engine, tenant: Tenant, def: ResourceDef): Promise<number> {
  let left = 0;
  let after: string | undefined;
  for (;;) {
    const entries = read(engine, tenant, { prefix: def.prefix, after });
    const outcomes = await Promise.all(
      entries.map(({ value }) => deleteInstance(engine, tenant, { def, value })),
    );
    left += outcomes.filter((gone) => !gone).length;
    if (entries.length < SLICE) return left;
    after = entries.at(-1)?.key;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function deleteInstance(
  engine: Engine,
  tenant: Tenant,
  { def, value }: { def: ResourceDef; value: Buffer },
): Promise<boolean> {
  const { metadata } = parseJson(value, { strict: false }).value as KubeObject;
  if (metadata.deletionTimestamp !== undefined) return false;
  try {
    const { gone } = await deleteObject(engine, {
      tenant,
      def,
      namespace: metadata.namespace ?? '',
      name: metadata.name ?? '',
      options: {},
      user: SYSTEM_USER,
      warn: noWarnings,
    });
    return gone;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

function read(
  engine: Engine,
  tenant: Tenant,
  { prefix, after }: { prefix: string; after: string | undefined },
): Entry[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot.range(prefix, { ...(after === undefined ? {} : { after }), limit: SLICE });
}
