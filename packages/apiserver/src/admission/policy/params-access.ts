import {
  deepEqual,
  forbidden,
  invalidObject,
  type KubeObject,
  parseGroupVersion,
  parseJson,
} from '@flotilla/machinery';
import type { Authorizer } from '../../authz/rbac.ts';
import type { Admission, UserInfo } from '../../objects/engine.ts';
import type { Registry } from '../../resources/registry.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import { ConfigurationError, paramResource } from './params.ts';
import type { Binding, Policy } from './policy-types.ts';

/** What the check needs. */
export interface ParamsAccessDeps {
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly registryOf: (tenant: Tenant) => Registry;
}

const GROUP = 'admissionregistration.k8s.io';

/**
 * A message may show what parameters say, so whoever makes a policy or binding use them must be able to read them.
 * No plug-in: like the check for escalation it cannot be turned off.
 */
export function refuseUnreadableParams(deps: ParamsAccessDeps, admission: Admission): void {
  const { def, object, old, user, subresource } = admission;
  if (def.group !== GROUP || object === undefined || subresource !== '') return;
  if (user.groups.includes('system:masters')) return;
  if (def.kind === 'ValidatingAdmissionPolicy') {
    checkPolicy(deps, admission, { next: object as Policy, old: old as Policy | undefined });
  } else if (def.kind === 'ValidatingAdmissionPolicyBinding') {
    checkBinding(deps, admission, { next: object as Binding, old: old as Binding | undefined });
  }
}

function checkPolicy(
  deps: ParamsAccessDeps,
  admission: Admission,
  { next, old }: { next: Policy; old: Policy | undefined },
): void {
  const { paramKind } = next.spec;
  if (paramKind === undefined || deepEqual(paramKind, old?.spec.paramKind)) return;
  const wanted = resourceOf(deps, admission.tenant, paramKind);
  if (isAllowed(deps, admission, { ...wanted, verb: 'get', name: '*', namespace: '*' })) return;
  const { kind = '', apiVersion = '' } = paramKind;
  throw refusal(
    admission,
    'spec.paramKind',
    `user ${printed(admission.user)} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`,
  );
}

function checkBinding(
  deps: ParamsAccessDeps,
  admission: Admission,
  { next, old }: { next: Binding; old: Binding | undefined },
): void {
  const { paramRef, policyName = '' } = next.spec;
  if (paramRef === undefined) return;
  const isSame = deepEqual(paramRef, old?.spec.paramRef) && policyName === old?.spec.policyName;
  if (isSame) return;
  const { tenant, user } = admission;
  const policy = policyOf(deps.store, tenant, policyName);
  const wanted = resourceOf(deps, tenant, policy?.spec.paramKind);
  const verb = (paramRef.name ?? '') === '' ? 'list' : 'get';
  const { name = '', namespace = '' } = paramRef;
  if (isAllowed(deps, admission, { ...wanted, verb, name, namespace })) return;
  const everything = `and user ${printed(user)} does not have "${verb}" permission for all groups, versions and resources`;
  const why =
    policy === undefined
      ? `unable to get policy ${policyName} to determine minimum required permissions ${everything}`
      : policy.spec.paramKind !== undefined && wanted.resource === '*'
        ? `unable to resolve paramKind &ParamKind{APIVersion:${policy.spec.paramKind.apiVersion ?? ''},Kind:${policy.spec.paramKind.kind ?? ''},} to determine minimum required permissions ${everything}`
        : `user ${printed(user)} does not have "${verb}" permission on the object referenced by paramRef`;
  throw refusal(admission, 'spec.paramRef', why);
}

function policyOf(store: Store, tenant: Tenant, name: string): Policy | undefined {
  const entry = store.read(tenant, `${GROUP}/validatingadmissionpolicies/${name}`);
  if (entry === undefined) return undefined;
  return parseJson(entry.value, { strict: false }).value as unknown as KubeObject as Policy;
}

/** What is not known is everything. */
function resourceOf(
  { registryOf }: ParamsAccessDeps,
  tenant: Tenant,
  paramKind: Policy['spec']['paramKind'],
): { group: string; version: string; resource: string } {
  const gv = paramKind && parseGroupVersion(paramKind.apiVersion ?? '');
  if (gv === undefined) return { group: '*', version: '*', resource: '*' };
  try {
    return { ...gv, resource: paramResource(registryOf(tenant), paramKind)?.resource ?? '*' };
  } catch (error) {
    if (error instanceof ConfigurationError) return { ...gv, resource: '*' };
    throw error;
  }
}

function isAllowed(
  { authorizer }: ParamsAccessDeps,
  { tenant, user }: Admission,
  asked: {
    group: string;
    version: string;
    resource: string;
    verb: string;
    name: string;
    namespace: string;
  },
): boolean {
  const question = { ...asked, user, isResource: true, subresource: '', path: '' };
  return authorizer.decide(tenant, question).allowed;
}

function refusal({ def, name }: Admission, path: string, why: string) {
  return invalidObject(def.errorKind, name, [forbidden(path, why)]);
}

/** A user as Go prints the struct, which is what clients see. */
function printed({ name, uid = '', groups, extra = {} }: UserInfo): string {
  const entries = Object.keys(extra)
    .sort()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${entries.join(' ')}]}`;
}
