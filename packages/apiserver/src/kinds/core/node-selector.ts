import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  isValidLabelValue,
  required,
  validateLabelName,
} from '@flotilla/machinery';

/** One condition on the labels or fields of a node. */
export interface NodeSelectorRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** Conditions that must all hold. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[];
  matchFields?: NodeSelectorRequirement[];
}

/** Terms of which one must hold. */
export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[] | null;
}

/** Labels of nodes that have newer names, with what upstream says about each. */
const deprecatedLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};

/** What upstream says about a label of nodes that has a newer name; undefined for all others. */
export function deprecatedNodeLabel(key: string): string | undefined {
  return Object.hasOwn(deprecatedLabels, key) ? deprecatedLabels[key] : undefined;
}

/** A node selector; stored ones may hold values that newer rules refuse. */
export function validateNodeSelector(
  selector: NodeSelector,
  options: { allowInvalidValues: boolean },
  path: string,
): FieldError[] {
  const terms = selector.nodeSelectorTerms ?? [];
  const termsPath = child(path, 'nodeSelectorTerms');
  if (terms.length === 0) return [required(termsPath, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => [
    ...(term.matchExpressions ?? []).flatMap((requirement, i) =>
      validateExpression(requirement, options, at(`${at(termsPath, index)}.matchExpressions`, i)),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, i) =>
      validateField(requirement, at(`${at(termsPath, index)}.matchFields`, i)),
    ),
  ]);
}

/** True when a stored selector breaks the rule for values, so that updates must tolerate it. */
export function hasInvalidSelectorValue(selector: NodeSelector | undefined): boolean {
  return (selector?.nodeSelectorTerms ?? []).some((term) =>
    (term.matchExpressions ?? []).some((requirement) =>
      (requirement.values ?? []).some((value) => isValidLabelValue(value).length > 0),
    ),
  );
}

/** Warnings about node labels that have newer names. */
export function nodeSelectorWarnings(selector: NodeSelector | undefined, path: string): string[] {
  return (selector?.nodeSelectorTerms ?? []).flatMap((term, index) =>
    (term.matchExpressions ?? []).flatMap(({ key }, i) => {
      const message = deprecatedNodeLabel(key);
      if (message === undefined) return [];
      const keyPath = `${at(`${at(child(path, 'nodeSelectorTerms'), index)}.matchExpressions`, i)}.key`;
      return [`${keyPath}: ${key} is ${message}`];
    }),
  );
}

function validateExpression(
  { key, operator, values = [] }: NodeSelectorRequirement,
  options: { allowInvalidValues: boolean },
  path: string,
): FieldError[] {
  const valuesPath = child(path, 'values');
  const errors = validateValueCount(operator, values.length, path);
  errors.push(...validateLabelName(key, child(path, 'key')));
  if (options.allowInvalidValues) return errors;
  for (const [index, value] of values.entries()) {
    for (const message of isValidLabelValue(value)) {
      errors.push(invalid(at(valuesPath, index), value, message));
    }
  }
  return errors;
}

function validateValueCount(operator: string, count: number, path: string): FieldError[] {
  const valuesPath = child(path, 'values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? []
        : [required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [
            forbidden(
              valuesPath,
              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
            ),
          ];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [required(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(child(path, 'operator'), operator, 'not a valid selector operator')];
  }
}

function validateField(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(child(path, 'operator'), operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    errors.push(
      required(
        child(path, 'values'),
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  }
  if (key !== 'metadata.name') {
    return [...errors, invalid(child(path, 'key'), key, 'not a valid field selector key')];
  }
  for (const [index, value] of values.entries()) {
    for (const message of isDNS1123Subdomain(value)) {
      errors.push(invalid(at(child(path, 'values'), index), value, message));
    }
  }
  return errors;
}
