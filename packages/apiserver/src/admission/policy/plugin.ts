import { type KubeObject, StatusError } from '@flotilla/machinery';
import type { CelBindings } from '@flotilla/machinery/cel';
import type { Admission, Engine } from '../../objects/engine.ts';
import type { Registry } from '../../resources/registry.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import type { Tenant } from '../../storage/store.ts';
import type { NamespaceLabels } from '../matching/selectors.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refuse.ts';
import { type Denial, denialsOf } from './decisions.ts';
import { inputsOf } from './inputs.ts';
import { matchedUnder } from './match-resources.ts';
import { ConfigurationError, collectParams, paramResource } from './params.ts';
import type { CompiledBinding, CompiledPolicy, PolicyIndex } from './policy-index.ts';

/** What the plug-in is made from. */
export interface PolicyDeps {
  readonly engine: Engine;
  readonly policies: PolicyIndex;
  readonly namespaces: NamespaceLabels;
  readonly registryOf: (tenant: Tenant) => Registry;
  /** What `namespaceObject` is in a namespace; throws NotFound. */
  readonly namespaceObject: (tenant: Tenant, name: string) => Record<string, unknown>;
  /** What `authorizer` and `authorizer.requestResource` are for the user of a request. */
  readonly authorizers: (admission: Admission) => CelBindings;
}

interface Refusal extends Denial {
  readonly policy: string;
  readonly binding: string | undefined;
}

/** Asking who may do what must work whatever policies say, and a bad policy must not protect itself. */
const EXCLUDED = new Set([
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'authentication.k8s.io/selfsubjectreviews',
  'authentication.k8s.io/tokenreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  'authorization.k8s.io/subjectaccessreviews',
]);

/** Holds requests to the ValidatingAdmissionPolicies that are bound. */
export function validatingPolicies(deps: PolicyDeps): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionPolicy',
    handles: () => true,
    validate: async (admission) => {
      const { tenant, def } = admission;
      const policies = deps.policies.of(tenant);
      if (policies.length === 0 || EXCLUDED.has(`${def.group}/${def.resource}`)) return;
      const request = new PolicyRequest(deps, admission);
      const refusals: Refusal[] = [];
      for (const policy of policies) refusals.push(...(await request.refusals(policy)));
      if (refusals[0] !== undefined) throw statusOf(admission, refusals[0]);
    },
    [Symbol.dispose]: () => deps.policies[Symbol.dispose](),
  };
}

/** One write before all policies: what they share is made once. */
class PolicyRequest {
  readonly #deps: PolicyDeps;
  readonly #admission: Admission;
  readonly #inputs = new Map<ResourceDef, Promise<CelBindings>>();

  constructor(deps: PolicyDeps, admission: Admission) {
    this.#deps = deps;
    this.#admission = admission;
  }

  /** What a policy and its bindings refuse the request for; warnings are given at once. */
  async refusals(policy: CompiledPolicy): Promise<Refusal[]> {
    const unconfigured = (error: unknown, binding?: string): Refusal[] => {
      if (!(error instanceof ConfigurationError || error instanceof StatusError)) throw error;
      if (policy.spec.failurePolicy === 'Ignore') return [];
      const what = binding === undefined ? 'policy' : 'binding';
      const message = `failed to configure ${what}: ${error.message}`;
      return [{ policy: policy.name, binding, message, reason: '' }];
    };
    const registry = this.#deps.registryOf(this.#admission.tenant);
    let def: ResourceDef | undefined;
    let params: ResourceDef | undefined;
    try {
      if (policy.constraints === undefined) {
        throw new ConfigurationError('policy contained no match constraints, a required field');
      }
      def = this.#match(policy.constraints);
      if (def === undefined) return [];
      params = paramResource(registry, policy.spec.paramKind);
    } catch (error) {
      return unconfigured(error);
    }
    const refusals: Refusal[] = [];
    for (const binding of policy.bindings) {
      let found: readonly (KubeObject | undefined)[];
      try {
        if (binding.constraints !== undefined && this.#match(binding.constraints) === undefined) {
          continue;
        }
        found = await collectParams(
          this.#deps.engine,
          { def: params, ref: binding.spec.paramRef },
          this.#admission,
        );
      } catch (error) {
        refusals.push(...unconfigured(error, binding.name));
        continue;
      }
      for (const param of found) {
        refusals.push(...(await this.#evaluate({ policy, binding, def, param })));
      }
    }
    return refusals;
  }

  #match(constraints: NonNullable<CompiledPolicy['constraints']>): ResourceDef | undefined {
    const { namespaces, registryOf } = this.#deps;
    const registry = registryOf(this.#admission.tenant);
    return matchedUnder(constraints, this.#admission, { namespaces, registry });
  }

  async #evaluate({
    policy,
    binding,
    def,
    param,
  }: {
    policy: CompiledPolicy;
    binding: CompiledBinding;
    def: ResourceDef;
    param: KubeObject | undefined;
  }): Promise<Refusal[]> {
    const shared = await this.#inputsUnder(def);
    const inputs =
      policy.spec.paramKind === undefined ? shared : { ...shared, params: param ?? null };
    const refusals: Refusal[] = [];
    for (const denial of denialsOf(policy, inputs)) {
      const { validationActions = [] } = binding.spec;
      if (denial.isAlwaysDenied === true || validationActions.includes('Deny')) {
        refusals.push({ ...denial, policy: policy.name, binding: binding.name });
      }
      if (denial.isAlwaysDenied !== true && validationActions.includes('Warn')) {
        this.#admission.warn(
          `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${denial.message}`,
        );
      }
    }
    return refusals;
  }

  #inputsUnder(def: ResourceDef): Promise<CelBindings> {
    let inputs = this.#inputs.get(def);
    if (inputs === undefined) {
      inputs = this.#makeInputs(def);
      this.#inputs.set(def, inputs);
    }
    return inputs;
  }

  async #makeInputs(def: ResourceDef): Promise<CelBindings> {
    const { tenant, namespace, kind } = this.#admission;
    const isNamespace = this.#admission.def.kind === 'Namespace' && kind === undefined;
    return {
      ...(await inputsOf(this.#admission, def)),
      namespaceObject:
        namespace === '' || isNamespace ? null : this.#deps.namespaceObject(tenant, namespace),
      ...this.#deps.authorizers(this.#admission),
    };
  }
}

const CODES: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
};

function statusOf(
  admission: Admission,
  { policy, binding, message, reason }: Refusal,
): StatusError {
  const bound = binding === undefined ? '' : ` with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy '${policy}'${bound} denied request: ${message}`;
  const refusal = refuse(admission, text);
  const known = reason === '' ? 'Invalid' : reason;
  return new StatusError(CODES[known] ?? 422, known as StatusError['reason'], refusal.message, {
    ...refusal.details,
    causes: [{ message: text }],
  });
}
