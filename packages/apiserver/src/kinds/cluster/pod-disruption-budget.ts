import {
  type FieldError,
  hasInvalidLabelValue,
  invalid,
  isValidPercent,
  type KubeObject,
  type LabelSelector,
  notSupported,
  percentValue,
  validateLabelSelector,
  validateNonnegative,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { type Condition, validateConditions } from './conditions.ts';

const evictionPolicies = ['AlwaysAllow', 'IfHealthyBudget'];

interface PodDisruptionBudget extends KubeObject {
  spec: {
    minAvailable?: number | string;
    selector?: LabelSelector;
    maxUnavailable?: number | string;
    unhealthyPodEvictionPolicy?: string;
  };
  status: {
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    conditions?: Condition[];
  };
}

/** How many pods of a set may be taken away at once. */
export const podDisruptionBudget: KindBehaviour<PodDisruptionBudget> = {
  generation: 'spec',
  unconditionalUpdate: false,
  prepareForCreate: (object) => {
    object.status = {
      disruptionsAllowed: 0,
      currentHealthy: 0,
      desiredHealthy: 0,
      expectedPods: 0,
    };
  },
  validate: (object) => validate(object, false),
  validateOnUpdate: false,
  validateUpdate: (object, old) => validate(object, hasInvalidLabelValue(old.spec.selector)),
  validateStatusUpdate: ({ status }) => [
    ...validateConditions(status.conditions, 'status.conditions'),
    ...validateNonnegative(status.disruptionsAllowed, 'status.disruptionsAllowed'),
    ...validateNonnegative(status.currentHealthy, 'status.currentHealthy'),
    ...validateNonnegative(status.desiredHealthy, 'status.desiredHealthy'),
    ...validateNonnegative(status.expectedPods, 'status.expectedPods'),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    String(object.spec.minAvailable ?? 'N/A'),
    String(object.spec.maxUnavailable ?? 'N/A'),
    object.status.disruptionsAllowed,
    age(object, now),
  ],
};

/** A number of at least zero, or a percentage of at most a hundred. */
export function validateIntOrPercent(value: number | string, path: string): FieldError[] {
  if (typeof value === 'number') return validateNonnegative(value, path);
  const errors = isValidPercent(value).map((message) => invalid(path, value, message));
  if ((percentValue(value) ?? 0) > 100) {
    errors.push(invalid(path, value, 'must not be greater than 100%'));
  }
  return errors;
}

function validate({ spec }: PodDisruptionBudget, allowInvalidValues: boolean): FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec;
  const errors: FieldError[] = [];
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: policy ?? null,
    };
    errors.push(invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'));
  }
  if (minAvailable !== undefined) {
    errors.push(...validateIntOrPercent(minAvailable, 'spec.minAvailable'));
  }
  if (maxUnavailable !== undefined) {
    errors.push(...validateIntOrPercent(maxUnavailable, 'spec.maxUnavailable'));
  }
  const options = { allowInvalidLabelValueInSelector: allowInvalidValues };
  errors.push(...validateLabelSelector(selector, options, 'spec.selector'));
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, evictionPolicies));
  }
  return errors;
}
