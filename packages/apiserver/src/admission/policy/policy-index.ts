import { parseJson } from '@flotilla/machinery';
import type { MatchResources } from '../../kinds/cluster/admission-rules.ts';
import type { Store, Tenant } from '../../storage/store.ts';
import { type CompiledSelectors, compileSelectors } from '../matching/selectors.ts';
import { type CompiledExpression, compileExpression, compileVariables } from './expressions.ts';
import type { Binding, Policy } from './policy-types.ts';

/** What a policy or binding is for. */
export interface Constraints {
  readonly resources: MatchResources;
  readonly selectors: CompiledSelectors;
}

/** A binding, ready to be matched. */
export interface CompiledBinding {
  readonly name: string;
  readonly spec: Binding['spec'];
  /** Undefined for all requests of the policy. */
  readonly constraints: Constraints | undefined;
}

/** A policy with its bindings, ready to be evaluated. */
export interface CompiledPolicy {
  readonly name: string;
  readonly spec: Policy['spec'];
  readonly constraints: Constraints | undefined;
  readonly bindings: readonly CompiledBinding[];
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly conditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledExpression[];
  readonly messages: readonly (CompiledExpression | undefined)[];
  readonly annotations: readonly CompiledExpression[];
}

/** The policies of every tenant that are bound to something. */
export interface PolicyIndex extends Disposable {
  readonly of: (tenant: Tenant) => readonly CompiledPolicy[];
}

const GROUP = 'admissionregistration.k8s.io';
const POLICIES = `${GROUP}/validatingadmissionpolicies/`;
const BINDINGS = `${GROUP}/validatingadmissionpolicybindings/`;

/** Follows policies and bindings; a tenant's are read and compiled when it is first asked about. */
export function createPolicyIndex(store: Store): PolicyIndex {
  const tenants = new Map<Tenant, readonly CompiledPolicy[]>();
  const subscription = store.changes((changes) => {
    for (const { tenant, key } of changes) {
      // They change rarely, and equal expressions are compiled once: all of the tenant's are read anew.
      if (key.startsWith(POLICIES) || key.startsWith(BINDINGS)) tenants.delete(tenant);
    }
  });
  return {
    of: (tenant) => {
      let policies = tenants.get(tenant);
      if (policies === undefined) {
        policies = readPolicies(store, tenant);
        tenants.set(tenant, policies);
      }
      return policies;
    },
    [Symbol.dispose]: () => subscription[Symbol.dispose](),
  };
}

function readPolicies(store: Store, tenant: Tenant): CompiledPolicy[] {
  using snapshot = store.snapshot(tenant);
  const all = <T>(prefix: string): T[] =>
    snapshot
      .range(prefix, { limit: Number.MAX_SAFE_INTEGER })
      .map(({ value }) => parseJson(value, { strict: false }).value as T);
  const bindings = new Map<string, Binding[]>();
  for (const binding of all<Binding>(BINDINGS)) {
    const policy = binding.spec.policyName ?? '';
    bindings.set(policy, [...(bindings.get(policy) ?? []), binding]);
  }
  return all<Policy>(POLICIES).flatMap((policy) => {
    const bound = bindings.get(policy.metadata.name ?? '');
    return bound === undefined ? [] : [compilePolicy(policy, bound)];
  });
}

function compilePolicy({ metadata, spec }: Policy, bindings: readonly Binding[]): CompiledPolicy {
  const base = {
    hasParams: spec.paramKind !== undefined,
    hasAuthorizer: true,
    expressions: 'stored',
  } as const;
  const variables = compileVariables(spec.variables ?? [], base);
  const context = { ...base, variables: variables.types };
  const { validations = [], matchConditions = [], auditAnnotations = [] } = spec;
  return {
    name: metadata.name ?? '',
    spec,
    constraints: constraintsOf(spec.matchConstraints),
    bindings: bindings.map((binding) => ({
      name: binding.metadata.name ?? '',
      spec: binding.spec,
      constraints: constraintsOf(binding.spec.matchResources),
    })),
    variables: variables.compiled,
    conditions: matchConditions.map((each) => compileExpression(each.expression, 'bool', context)),
    validations: validations.map((each) => compileExpression(each.expression, 'bool', context)),
    messages: validations.map(({ messageExpression = '' }) =>
      messageExpression === ''
        ? undefined
        : compileExpression(messageExpression, 'string', { ...context, hasAuthorizer: false }),
    ),
    annotations: auditAnnotations.map(({ valueExpression }) =>
      compileExpression(valueExpression, 'string or null', context),
    ),
  };
}

function constraintsOf(resources: MatchResources | undefined): Constraints | undefined {
  return resources === undefined
    ? undefined
    : { resources, selectors: compileSelectors(resources) };
}
