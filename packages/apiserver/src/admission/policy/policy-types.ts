import type { KubeObject, LabelSelector } from '@flotilla/machinery';
import type { MatchCondition, MatchResources } from '../../kinds/cluster/admission-rules.ts';

/** A stored ValidatingAdmissionPolicy. */
export interface Policy extends KubeObject {
  readonly spec: {
    readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
    readonly matchConstraints?: MatchResources;
    readonly validations?: readonly Validation[];
    readonly failurePolicy?: string;
    readonly auditAnnotations?: readonly {
      readonly key: string;
      readonly valueExpression: string;
    }[];
    readonly matchConditions?: readonly MatchCondition[];
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  };
}

/** One rule of a policy. */
export interface Validation {
  readonly expression: string;
  readonly message?: string;
  readonly reason?: string;
  readonly messageExpression?: string;
}

/** A stored ValidatingAdmissionPolicyBinding. */
export interface Binding extends KubeObject {
  readonly spec: {
    readonly policyName?: string;
    readonly paramRef?: ParamRef;
    readonly matchResources?: MatchResources;
    readonly validationActions?: readonly string[];
  };
}

/** Where a binding takes its parameters from. */
export interface ParamRef {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: LabelSelector;
  readonly parameterNotFoundAction?: string;
}
