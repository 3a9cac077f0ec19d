import {
  deepCopy,
  deepEqual,
  isNotFound,
  type KubeObject,
  labelSelectorAsSelector,
  matchesLabels,
} from '@flotilla/machinery';
import type { PolicyRule } from '../authz/rules.ts';
import { applyConfiguration } from '../managed-fields/apply-configuration.ts';
import type { Engine } from '../objects/engine.ts';
import { decodeStored } from '../objects/stored.ts';
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
  return {
    name: 'clusterrole-aggregation',
    yields: true,
    initial: () => [ALL],
    // Any role's labels or rules may matter to any aggregate, so all are looked at, however many changed.
    concerns: (change) => (change.key.startsWith(clusterRoles.prefix) ? [ALL] : []),
    sync: async (tenant) => {
      const all = allRoles(engine, clusterRoles, tenant);
      for (const role of all) {
        if (selectorsOf(role).length === 0) continue;
        const rules = aggregate(role, all);
        if (deepEqual(rules, role['rules'] ?? [])) continue;
        await updateObject(engine, {
          tenant,
          def: clusterRoles,
          namespace: '',
          name: role.metadata.name ?? '',
          subresource: '',
          // Whoever changes a role makes us look again; what they no longer want aggregated is theirs.
          change: (current) =>
            deepEqual(selectorsOf(current), selectorsOf(role))
              ? applied(engine, clusterRoles, { current, rules })
              : deepCopy(current),
          isTracked: true,
          user: SYSTEM_USER,
          dryRun: false,
          warn: noWarnings,
        }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      }
      return undefined;
    },
  };
}

/** The role with its rules applied, as upstream's controller does it: the rules are its own, whoever set them. */
async function applied(
  engine: Engine,
  def: ResourceDef,
  { current, rules }: { current: KubeObject; rules: readonly PolicyRule[] },
): Promise<KubeObject> {
  const { apiVersion, kind } = def;
  return applyConfiguration(
    {
      def,
      subresource: '',
      manager: 'clusterrole-aggregation-controller',
      now: engine.now(),
      applied: {
        apiVersion,
        kind,
        metadata: { name: current.metadata.name ?? '' },
        // Upstream says nothing about rules when there are none: it gives up its own, and leaves those of others.
        ...(rules.length === 0 ? {} : { rules }),
      },
      force: true,
      restore: (merged) => def.canonicalize(merged as KubeObject),
    },
    current,
  );
}

/** The one piece of work there is per tenant. */
const ALL = 'all';

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
