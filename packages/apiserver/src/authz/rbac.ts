import type { Store, Tenant } from '../storage/store.ts';
import type { Attributes, Decision } from './attributes.ts';
import { type Grant, PolicyIndex } from './policy-index.ts';
import { type PolicyRule, ruleAllows } from './rules.ts';

/** Answers who may do what, from the roles and bindings in the store. */
export interface Authorizer extends Disposable {
  readonly decide: (tenant: Tenant, asked: Attributes) => Decision;
  /** Every rule that reaches the user in the namespace; `missing` names roles that bindings grant but nobody defined. */
  readonly rulesFor: (
    tenant: Tenant,
    user: Attributes['user'],
    namespace: string,
  ) => { rules: PolicyRule[]; missing: string[] };
  readonly index: (tenant: Tenant) => PolicyIndex;
}

const SUPERUSERS = 'system:masters';

/** Makes an authorizer that follows the store: an index per tenant, built when the tenant is first asked about. */
export function createAuthorizer(store: Store): Authorizer {
  const indexes = new Map<Tenant, PolicyIndex>();
  const subscription = store.changes((changes) => {
    for (const change of changes) {
      if (PolicyIndex.concerns(change)) indexes.get(change.tenant)?.apply(change);
    }
  });
  const index = (tenant: Tenant): PolicyIndex => {
    let found = indexes.get(tenant);
    if (found === undefined) {
      found = PolicyIndex.load(store, tenant);
      indexes.set(tenant, found);
    }
    return found;
  };
  return {
    index,
    decide: (tenant, asked) => {
      if (asked.user.groups.includes(SUPERUSERS)) return { allowed: true, reason: '' };
      return decide(index(tenant), asked);
    },
    rulesFor: (tenant, user, namespace) => {
      const policy = index(tenant);
      const rules: PolicyRule[] = [];
      const missing: string[] = [];
      for (const grant of policy.grants(user, namespace)) {
        const found = policy.rules(grant.role, grant.namespace);
        if (found === undefined) missing.push(missingRole(grant));
        else rules.push(...found);
      }
      return { rules, missing };
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function decide(policy: PolicyIndex, asked: Attributes): Decision {
  const missing: string[] = [];
  for (const grant of policy.grants(asked.user, asked.namespace)) {
    const rules = policy.rules(grant.role, grant.namespace);
    if (rules === undefined) {
      missing.push(missingRole(grant));
      continue;
    }
    if (rules.some((rule) => ruleAllows(rule, asked))) {
      return { allowed: true, reason: `RBAC: allowed by ${describe(grant)}` };
    }
  }
  return { allowed: false, reason: missing.length === 0 ? '' : `RBAC: ${aggregate(missing)}` };
}

function missingRole(grant: Grant): string {
  return grant.role.kind === 'ClusterRole'
    ? `clusterrole.rbac.authorization.k8s.io "${grant.role.name}" not found`
    : `role.rbac.authorization.k8s.io "${grant.role.name}" not found`;
}

/** Upstream's way of writing several errors as one. */
function aggregate(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

function describe(grant: Grant): string {
  const to = `${grant.role.kind} "${grant.role.name}" to ${grant.subject}`;
  return grant.namespace === ''
    ? `ClusterRoleBinding "${grant.binding}" of ${to}`
    : `RoleBinding "${grant.binding}/${grant.namespace}" of ${to}`;
}
