import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Label,
  isDNS1123Subdomain,
  isValidLabelValue,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { List } from './api-values.ts';
import type { PodOptions } from './pod-options.ts';
import type {
  Affinity,
  NodeAffinity,
  NodeRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
} from './scheduling-types.ts';
import { invalidEach, qualifiedNameErrors } from './support.ts';
import { labelKeyErrors } from './topology-spread.ts';

const needed = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Where a pod wants to run: nodes, and pods to be near or far. */
export function affinityErrors(
  affinity: Affinity | undefined,
  path: string,
  options: PodOptions,
): FieldError[] {
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity ?? {};
  return [
    ...(nodeAffinity ? nodeAffinityErrors(nodeAffinity, child(path, 'nodeAffinity'), options) : []),
    ...(podAffinity ? podAffinityErrors(podAffinity, child(path, 'podAffinity'), options) : []),
    ...(podAntiAffinity
      ? podAffinityErrors(podAntiAffinity, child(path, 'podAntiAffinity'), options)
      : []),
  ];
}

/** Terms of which a node must satisfy at least one. */
export function nodeSelectorErrors(
  terms: List<NodeSelectorTerm>,
  path: string,
  allowInvalidValues: boolean,
): FieldError[] {
  const below = child(path, 'nodeSelectorTerms');
  if ((terms ?? []).length === 0) {
    return [required(below, 'must have at least one node selector term')];
  }
  return (terms ?? []).flatMap((term, index) =>
    termErrors(term, at(below, index), allowInvalidValues),
  );
}

function nodeAffinityErrors(
  affinity: NodeAffinity,
  path: string,
  options: PodOptions,
): FieldError[] {
  const must = affinity[needed];
  const errors =
    must === undefined
      ? []
      : nodeSelectorErrors(
          must.nodeSelectorTerms,
          child(path, needed),
          options.allowInvalidNodeAffinityValues,
        );
  (affinity[preferred] ?? []).forEach(({ weight, preference }, index) => {
    const here = at(child(path, preferred), index);
    errors.push(...weightErrors(weight, here));
    errors.push(...termErrors(preference, child(here, 'preference'), true));
  });
  return errors;
}

function termErrors(
  term: NodeSelectorTerm,
  path: string,
  allowInvalidValues: boolean,
): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      expressionErrors(requirement, at(child(path, 'matchExpressions'), index), allowInvalidValues),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      fieldErrors(requirement, at(child(path, 'matchFields'), index)),
    ),
  ];
}

function expressionErrors(
  { key, operator, values = [] }: NodeRequirement,
  path: string,
  allowInvalidValues: boolean,
): FieldError[] {
  const errors: FieldError[] = [];
  const valuesPath = child(path, 'values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      const detail = "must be specified when `operator` is 'In' or 'NotIn'";
      errors.push(required(valuesPath, detail));
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
      errors.push(forbidden(valuesPath, detail));
    }
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      const detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
      errors.push(required(valuesPath, detail));
    }
  } else {
    errors.push(invalid(child(path, 'operator'), operator, 'not a valid selector operator'));
  }
  errors.push(...qualifiedNameErrors(key, child(path, 'key')));
  if (allowInvalidValues) return errors;
  const bad = values.flatMap((value, index) =>
    invalidEach(at(valuesPath, index), value, isValidLabelValue(value)),
  );
  return [...errors, ...bad];
}

function fieldErrors({ key, operator, values = [] }: NodeRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(child(path, 'operator'), operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    const detail =
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(child(path, 'values'), detail));
  }
  if (key !== 'metadata.name') {
    errors.push(invalid(child(path, 'key'), key, 'not a valid field selector key'));
    return errors;
  }
  const bad = values.flatMap((value, index) =>
    invalidEach(at(child(path, 'values'), index), value, isDNS1123Subdomain(value)),
  );
  return [...errors, ...bad];
}

function podAffinityErrors(affinity: PodAffinity, path: string, options: PodOptions): FieldError[] {
  return [
    ...(affinity[needed] ?? []).flatMap((term, index) =>
      podTermErrors(term, at(child(path, needed), index), options),
    ),
    ...(affinity[preferred] ?? []).flatMap(({ weight, podAffinityTerm }, index) => {
      const here = at(child(path, preferred), index);
      return [
        ...weightErrors(weight, here),
        ...podTermErrors(podAffinityTerm, child(here, 'podAffinityTerm'), options),
      ];
    }),
  ];
}

function podTermErrors(term: PodAffinityTerm, path: string, options: PodOptions): FieldError[] {
  const rules = { allowInvalidLabelValueInSelector: options.allowInvalidSelectorValues };
  const topologyPath = child(path, 'topologyKey');
  return [
    ...validateLabelSelector(term.labelSelector, rules, child(path, 'labelSelector')),
    ...validateLabelSelector(term.namespaceSelector, rules, child(path, 'namespaceSelector')),
    ...(term.namespaces ?? []).flatMap((name) =>
      invalidEach(child(path, 'namespace'), name, isDNS1123Label(name)),
    ),
    ...labelKeyErrors(path, term),
    ...(term.topologyKey === '' ? [required(topologyPath, 'can not be empty')] : []),
    ...qualifiedNameErrors(term.topologyKey, topologyPath),
  ];
}

function weightErrors(weight: number, path: string): FieldError[] {
  return weight <= 0 || weight > 100
    ? [invalid(child(path, 'weight'), weight, 'must be in the range 1-100')]
    : [];
}
