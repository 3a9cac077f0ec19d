import {
  deepCopy,
  deepEqual,
  type KubeObject,
  labelSelectorAsSelector,
  matchesLabels,
} from '@flotilla/machinery';
import type { PolicyRule } from '../authz/rules.ts';
import type { Engine } from '../objects/engine.ts';
import { decodeStored, findStored } from '../objects/stored.ts';
import { updateObject } from '../objects/update-object.ts';
import type { ResourceDef } from '../resources/resource.ts';
import type { Tenant } from '../storage/store.ts';
import type { BuiltinController } from './controller.ts';
import { noWarnings, SYSTEM_USER } from './system-user.ts';

/** Fills ClusterRoles that have an aggregationRule with the rules of the roles it selects. */
export function roleAggregationController(
  engine: Engine,
  clusterRoles: ResourceDef,
): BuiltinController {
  const aggregating = (tenant: Tenant): string[] =>
    allRoles(engine, clusterRoles, tenant)
      .filter((role) => selectorsOf(role).length > 0)
      .map(({ metadata }) => metadata.name ?? '');
  return {
    name: 'clusterrole-aggregation',
    yields: true,
    initial: aggregating,
    // Any role's labels or rules may matter to any aggregate; there are a handful of them.
    concerns: (change) =>
      change.key.startsWith(clusterRoles.prefix) ? aggregating(change.tenant) : [],
    sync: async (tenant, name) => {
      const target = { tenant, def: clusterRoles, namespace: '', name };
      const stored = findStored(engine, target);
      if (stored === undefined || selectorsOf(stored.object).length === 0) return undefined;
      const rules = aggregate(stored.object, allRoles(engine, clusterRoles, tenant));
      if (deepEqual(rules, stored.object['rules'] ?? [])) return undefined;
      await updateObject(engine, {
        ...target,
        subresource: '',
        change: (current) => ({ ...deepCopy(current), rules }),
        user: SYSTEM_USER,
        dryRun: false,
        warn: noWarnings,
      });
      return undefined;
    },
  };
}

function selectorsOf(role: KubeObject): object[] {
  const rule = role['aggregationRule'] as { clusterRoleSelectors?: object[] } | null | undefined;
  return rule?.clusterRoleSelectors ?? [];
}

/** Upstream's order: by selector, then by name, each rule once. */
function aggregate(role: KubeObject, all: readonly KubeObject[]): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const selector of selectorsOf(role)) {
    const wanted = labelSelectorAsSelector(selector);
    for (const other of all) {
      if (other.metadata.name === role.metadata.name) continue;
      if (!matchesLabels(wanted, other.metadata.labels ?? {})) continue;
      for (const rule of (other['rules'] as PolicyRule[] | null | undefined) ?? []) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}

function allRoles(engine: Engine, def: ResourceDef, tenant: Tenant): KubeObject[] {
  using snapshot = engine.store.snapshot(tenant);
  return snapshot
    .range(def.prefix, { limit: Number.MAX_SAFE_INTEGER })
    .map(({ value }) => decodeStored(def, value));
}
