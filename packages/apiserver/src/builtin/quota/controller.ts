import { deepEqual, isConflict, isNotFound, type KubeObject, parseJson } from '@flotilla/machinery';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { Engine } from '../../objects/engine.ts';
import { decodeStored, findStored } from '../../objects/stored.ts';
import { updateObject } from '../../objects/update-object.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Change, Tenant } from '../../storage/store.ts';
import type { BuiltinController } from '../controller.ts';
import type { KindLookup } from '../kind-lookup.ts';
import { noWarnings, SYSTEM_USER } from '../system-user.ts';
import { type Amounts, amountsOf, isSame, listOf, only } from './amounts.ts';
import { countUsage } from './count-usage.ts';
import { isCharged } from './evaluators.ts';
import { QuotaIndex } from './quota-index.ts';
import { isTerminating } from './scopes.ts';

/** What keeping quotas needs. */
export interface QuotaDeps {
  readonly engine: Engine;
  readonly quotas: ResourceDef;
  readonly lookup: KindLookup;
  /** Everything in namespaces that could be counted. */
  readonly contents: (tenant: Tenant) => readonly ResourceDef[];
}

/** Upstream's --resource-quota-sync-period: what only time changes shows then at the latest. */
const RECOUNT_MS = 5 * 60_000;
/** A quota that is charged all the time is counted a little later. */
const ATTEMPTS = 5;
const OVERTAKEN_MS = 1_000;
/** Kinds of which some updates give back what admission does not see. */
const UPDATED = new Set(['core/pods/', 'core/services/', 'core/persistentvolumeclaims/']);

interface QuotaStatus {
  readonly hard?: Record<string, unknown> | null;
  readonly used?: Record<string, unknown> | null;
}

/**
 * Shows quotas' limits and what is used of them.
 *
 * What is created is charged by admission, before it exists; counting it here as well could undo a charge whose
 * object is still on its way. So, as upstream, a recount follows only what gives something back.
 */
export function resourceQuotaController(deps: QuotaDeps): BuiltinController {
  const { engine, quotas } = deps;
  const index = new QuotaIndex(engine.store, quotas.prefix);
  return {
    name: 'resourcequota',
    yields: true,
    initial: (tenant) => index.all(tenant),
    concerns: (change) => {
      const { key, value } = change;
      const isQuota = key.startsWith(quotas.prefix);
      if (isQuota) index.follow(change);
      // A quota that goes counts as one object less; one whose limits stay needs no recount, which might
      // undo a charge that admission has just made for an object that is not there yet.
      if (isQuota && value !== undefined) {
        return hasSameLimits(change) ? [] : [key.slice(quotas.prefix.length)];
      }
      return concernsOfOthers(deps, index, change);
    },
    sync: async (tenant, path) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        if (await recount(deps, tenant, path)) return RECOUNT_MS;
      }
      return OVERTAKEN_MS;
    },
  };
}

/** Counts and shows; false when the quota was written meanwhile, since that may have been a charge. */
async function recount(deps: QuotaDeps, tenant: Tenant, path: string): Promise<boolean> {
  const { engine, quotas } = deps;
  const [namespace = '', name = ''] = path.split('/');
  const target = { tenant, def: quotas, namespace, name };
  const quota = findStored(engine, target)?.object;
  if (quota === undefined) return true;
  const hard = amountsOf((quota['spec'] as QuotaStatus | undefined)?.hard);
  const counted = await countUsage(deps, tenant, { quota, hard });
  try {
    await updateObject(engine, {
      ...target,
      subresource: 'status',
      // With the version that was counted for: a newer one is a conflict.
      change: () => withStatus(quota, { hard, counted }),
      user: SYSTEM_USER,
      dryRun: false,
      warn: noWarnings,
    });
  } catch (error) {
    if (isConflict(error)) return false;
    if (!isNotFound(error)) throw error;
  }
  return true;
}

function hasSameLimits({ value, previous }: Change): boolean {
  if (value === undefined || previous === undefined) return false;
  const specOf = (bytes: Buffer): unknown =>
    (parseJson(bytes, { strict: false }).value as unknown as KubeObject)['spec'];
  return deepEqual(specOf(value), specOf(previous));
}

/** Quotas of the namespace in which something was given back. */
function concernsOfOthers(
  { engine, lookup }: QuotaDeps,
  index: QuotaIndex,
  change: Change,
): string[] {
  const { key, value, previous, tenant } = change;
  if (previous === undefined) return [];
  const [group = '', resource = '', namespace = '', name] = key.split('/');
  if (name === undefined) return [];
  if (value !== undefined && !UPDATED.has(`${group}/${resource}/`)) return [];
  const paths = index.inNamespace(tenant, namespace);
  if (paths.length === 0 || value === undefined) return paths;
  const def = lookup.byKey(tenant, key);
  if (def === undefined) return [];
  const [old, next] = [decodeStored(def, previous), decodeStored(def, value)];
  return givesBack(resource, { old, next }, engine.now()) ? paths : [];
}

function givesBack(
  resource: string,
  { old, next }: { old: KubeObject; next: KubeObject },
  now: Date,
): boolean {
  if (resource === 'pods') {
    const [before, after] = [old as Pod, next as Pod];
    if (isTerminating(before) !== isTerminating(after)) return true;
    if (statusResources(before) !== statusResources(after)) return true;
    return isCharged(before, now) && !isCharged(after, now);
  }
  if (resource === 'services') return serviceType(old) !== serviceType(next);
  return claimState(old) !== claimState(next);
}

function statusResources({ status }: KubeObject): string {
  const { containerStatuses, initContainerStatuses } = (status ?? {}) as Record<
    string,
    { name: string; resources?: object }[] | undefined
  >;
  const all = [...(containerStatuses ?? []), ...(initContainerStatuses ?? [])];
  return JSON.stringify(all.flatMap(({ name, resources }) => (resources ? [name, resources] : [])));
}

function serviceType({ spec }: KubeObject): string {
  const { type = '' } = (spec ?? {}) as { type?: string };
  return type === 'NodePort' || type === 'LoadBalancer' ? type : '';
}

function claimState({ spec, status }: KubeObject): string {
  const { volumeAttributesClassName } = (spec ?? {}) as { volumeAttributesClassName?: string };
  const { allocatedResources, currentVolumeAttributesClassName, modifyVolumeStatus } = (status ??
    {}) as Record<string, unknown>;
  return JSON.stringify([
    allocatedResources,
    volumeAttributesClassName,
    currentVolumeAttributesClassName,
    modifyVolumeStatus,
  ]);
}

/** The quota with limits and counts as they are now; as it was when they are so already. */
function withStatus(
  current: KubeObject,
  { hard, counted }: { hard: Amounts; counted: Amounts },
): KubeObject {
  const status = (current['status'] ?? {}) as QuotaStatus;
  // Names that nobody here can count keep what someone else wrote.
  const known = amountsOf(status.used);
  const used = only(new Map([...known, ...counted]), new Set(hard.keys()));
  const isRight =
    status.hard !== undefined &&
    status.used !== undefined &&
    isSame(amountsOf(status.hard), hard) &&
    isSame(known, used);
  if (isRight) return current;
  return { ...current, status: { hard: listOf(hard), used: listOf(used) } };
}
