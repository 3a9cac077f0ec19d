import {
  badRequest,
  deepEqual,
  forbiddenError,
  goQuote,
  type KubeObject,
  notFound,
} from '@flotilla/machinery';
import type { Admission, UserInfo } from '../objects/engine.ts';
import { groupResource } from '../resources/resource.ts';
import type { Attributes } from './attributes.ts';
import type { RoleRef } from './policy-index.ts';
import type { Authorizer } from './rbac.ts';
import type { PolicyRule } from './rules.ts';

const GROUP = 'rbac.authorization.k8s.io';
const ROLES = new Set(['roles', 'clusterroles']);
const BINDINGS = new Set(['rolebindings', 'clusterrolebindings']);

/**
 * Nobody hands out permissions they do not hold: a role may only list what its writer may do, and a
 * binding may only grant a role its writer could be. The verbs `escalate` and `bind` are the way around it.
 */
export function refuseEscalation(authorizer: Authorizer, admission: Admission): void {
  const { def, object, old, operation, user } = admission;
  if (def.group !== GROUP || operation === 'DELETE' || object === undefined) return;
  if (user.groups.includes('system:masters')) return;
  if (old !== undefined && onlyCollectorFields(object, old)) return;
  if (ROLES.has(def.resource)) checkRole(authorizer, admission, object);
  else if (BINDINGS.has(def.resource)) checkBinding(authorizer, admission, object);
}

function checkRole(authorizer: Authorizer, admission: Admission, role: KubeObject): void {
  const { tenant, def, user, namespace, name, old } = admission;
  if (
    authorizer.decide(tenant, ask(user, 'escalate', { resource: def.resource, name, namespace }))
      .allowed
  ) {
    return;
  }
  const rules = (role['rules'] as PolicyRule[] | null | undefined) ?? [];
  const aggregation = role['aggregationRule'];
  if (
    old !== undefined &&
    deepEqual(rules, old['rules']) &&
    deepEqual(aggregation, old['aggregationRule'])
  ) {
    return;
  }
  confirmHeld(authorizer, admission, { rules });
  // Whoever aggregates may come to hold anything, so it takes everything to ask for it.
  if (
    aggregation !== undefined &&
    aggregation !== null &&
    !deepEqual(aggregation, old?.['aggregationRule'])
  ) {
    confirmHeld(authorizer, admission, {
      rules: EVERYTHING,
      prefix: 'must have cluster-admin privileges to use the aggregationRule: ',
    });
  }
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

function checkBinding(authorizer: Authorizer, admission: Admission, binding: KubeObject): void {
  const { tenant, user, namespace } = admission;
  const role = binding['roleRef'] as RoleRef;
  const resource = role.kind === 'ClusterRole' ? 'clusterroles' : 'roles';
  if (
    authorizer.decide(tenant, ask(user, 'bind', { resource, name: role.name, namespace })).allowed
  ) {
    return;
  }
  const rules = authorizer.index(tenant).rules(role, namespace);
  if (rules === undefined) throw notFound(groupResource(admission.def), role.name);
  confirmHeld(authorizer, admission, { rules });
}

function confirmHeld(
  authorizer: Authorizer,
  admission: Admission,
  { rules, prefix = '' }: { rules: readonly PolicyRule[]; prefix?: string },
): void {
  const { tenant, def, user, namespace, name } = admission;
  if (rules.reduce((sum, rule) => sum + grantsOf(rule), 0) > MAX_GRANTS) {
    throw badRequest(
      `Cannot check "${name}": its rules grant more than ${MAX_GRANTS} single permissions`,
    );
  }
  const held = authorizer.rulesFor(tenant, user, namespace);
  const missing = rules
    .flatMap(breakDown)
    .filter((rule) => !held.rules.some((owner) => covers(owner, rule)));
  if (missing.length === 0) return;
  const lines = [...new Set(compact(missing).map(describe))].sort();
  const groups = `[${user.groups.map(goQuote).join(' ')}]`;
  const errors =
    held.missing.length === 0 ? '' : `; resolution errors: [${held.missing.join(', ')}]`;
  throw forbiddenError(
    { group: def.group, resource: def.resource },
    name,
    `${prefix}user ${goQuote(user.name)} (groups=${groups}) is attempting to grant RBAC permissions not currently held:\n${lines.join('\n')}${errors}`,
  );
}

/** A short text can name more combinations than there is time to look at; no role that people write comes near this. */
const MAX_GRANTS = 100_000;

/** How many rules `breakDown` makes of one. */
function grantsOf({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule) {
  const size = (list: readonly string[] | null | undefined): number => list?.length ?? 0;
  const objects = size(apiGroups) * size(resources) * Math.max(1, size(resourceNames));
  return size(verbs) * (objects + size(nonResourceURLs));
}

/** Rules of one verb, one resource and one name each. */
function breakDown(rule: PolicyRule): PolicyRule[] {
  const rules: PolicyRule[] = [];
  // Not validated yet: a rule without verbs grants nothing, and is refused later for having none.
  const verbs = rule.verbs ?? [];
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of verbs) {
        const one = { apiGroups: [group], resources: [resource], verbs: [verb] };
        const names = rule.resourceNames ?? [];
        if (names.length === 0) rules.push(one);
        else rules.push(...names.map((name) => ({ ...one, resourceNames: [name] })));
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? []) {
    rules.push(...verbs.map((verb) => ({ nonResourceURLs: [url], verbs: [verb] })));
  }
  return rules;
}

/** Joins rules that differ only in their verb, so that the message stays short. */
function compact(rules: readonly PolicyRule[]): PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...rest } = rule;
    const key = rule.nonResourceURLs === undefined ? JSON.stringify(rest) : JSON.stringify(rule);
    const known = joined.get(key);
    joined.set(key, known === undefined ? rule : { ...known, verbs: [...known.verbs, ...verbs] });
  }
  return [...joined.values()];
}

function covers(owner: PolicyRule, rule: PolicyRule): boolean {
  const within = (list: readonly string[] = [], wanted: readonly string[] = []): boolean =>
    list.includes('*') || wanted.every((each) => list.includes(each));
  const names = owner.resourceNames ?? [];
  const wantedNames = rule.resourceNames ?? [];
  return (
    within(owner.verbs, rule.verbs) &&
    within(owner.apiGroups, rule.apiGroups) &&
    (rule.resources ?? []).every((resource) => coversResource(owner.resources ?? [], resource)) &&
    (rule.nonResourceURLs ?? []).every((url) => coversUrl(owner.nonResourceURLs ?? [], url)) &&
    (names.length === 0 || (wantedNames.length > 0 && wantedNames.every((n) => names.includes(n))))
  );
}

function coversResource(list: readonly string[], resource: string): boolean {
  if (list.includes('*') || list.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && list.includes(`*${resource.slice(slash)}`);
}

function coversUrl(list: readonly string[], url: string): boolean {
  return list.some(
    (each) => each === url || (each.endsWith('*') && url.startsWith(each.replace(/\*+$/, ''))),
  );
}

function describe(rule: PolicyRule): string {
  const parts: string[] = [];
  const add = (name: string, list: readonly string[] | undefined): void => {
    if (list !== undefined && list.length > 0) {
      parts.push(`${name}:[${list.map(goQuote).join(' ')}]`);
    }
  };
  add('APIGroups', rule.apiGroups);
  add('Resources', rule.resources);
  add('NonResourceURLs', rule.nonResourceURLs);
  add('ResourceNames', rule.resourceNames);
  add('Verbs', rule.verbs);
  return `{${parts.join(', ')}}`;
}

/** The garbage collector must be able to do its work on roles it could not write. */
function onlyCollectorFields(next: KubeObject, old: KubeObject): boolean {
  const strip = ({ metadata, ...rest }: KubeObject): unknown => {
    const { ownerReferences: _o, finalizers: _f, managedFields: _m, ...meta } = metadata;
    return { ...rest, metadata: meta };
  };
  return deepEqual(strip(next), strip(old)) && !deepEqual(next, old);
}

function ask(
  user: UserInfo,
  verb: string,
  target: { resource: string; name: string; namespace: string },
): Attributes {
  return {
    user,
    verb,
    isResource: true,
    group: GROUP,
    version: '*',
    subresource: '',
    path: '',
    ...target,
  };
}
