import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isPathSegmentName,
  type KubeObject,
  type LabelSelector,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain } from '../core/fields.ts';
import {
  defaultMatchResources,
  type MatchResources,
  validateMatchResources,
} from './admission-rules.ts';

const actions = ['Audit', 'Deny', 'Warn'];

interface ParamRef {
  name?: string;
  namespace?: string;
  selector?: LabelSelector;
  parameterNotFoundAction?: string;
}

interface PolicyBinding extends KubeObject {
  spec: {
    policyName?: string;
    paramRef?: ParamRef;
    matchResources?: MatchResources;
    validationActions?: string[];
  };
}

/** Where a policy applies, with which parameters, and what a violation means. */
export const validatingAdmissionPolicyBinding: KindBehaviour<PolicyBinding> = {
  generation: 'spec',
  unconditionalUpdate: false,
  defaults: ({ spec }) => {
    if (spec.matchResources !== undefined) defaultMatchResources(spec.matchResources);
  },
  validate: validateBinding,
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.policyName ?? '',
    paramCell(object.spec.paramRef),
    age(object, now),
  ],
};

function validateBinding({ spec }: PolicyBinding): FieldError[] {
  const { policyName = '', paramRef, matchResources, validationActions = [] } = spec;
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : validateDNSSubdomain(policyName, 'spec.policyName')),
    ...validateParamRef(paramRef, 'spec.paramRef'),
    ...validateMatchResources(matchResources, 'spec.matchResources'),
    ...validateActions(validationActions, 'spec.validationActions'),
  ];
}

function validateParamRef(reference: ParamRef | undefined, path: string): FieldError[] {
  if (reference === undefined) return [];
  const { name = '', selector, parameterNotFoundAction: action = '' } = reference;
  const exclusive = 'name and selector are mutually exclusive';
  const errors: FieldError[] = [];
  if (name !== '') {
    for (const message of isPathSegmentName(name)) {
      errors.push(invalid(child(path, 'name'), name, message));
    }
    if (selector !== undefined) errors.push(forbidden(child(path, 'name'), exclusive));
  }
  if (selector !== undefined) {
    errors.push(...validateLabelSelector(selector, {}, child(path, 'selector')));
    if (name !== '') errors.push(forbidden(child(path, 'selector'), exclusive));
  }
  if (name === '' && selector === undefined) {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  const actionPath = child(path, 'parameterNotFoundAction');
  if (action === '') errors.push(required(actionPath));
  else if (action !== 'Deny' && action !== 'Allow') {
    errors.push(notSupported(actionPath, action, ['Deny', 'Allow']));
  }
  return errors;
}

function validateActions(asked: readonly string[], path: string): FieldError[] {
  if (asked.length === 0) return [required(path, 'at least one validation action is required')];
  const seen = new Set<string>();
  const errors = asked.flatMap((action, index) => {
    const problems = actions.includes(action)
      ? []
      : [notSupported(at(path, index), action, actions)];
    if (seen.has(action)) problems.push(duplicate(at(path, index), action));
    seen.add(action);
    return problems;
  });
  if (seen.has('Deny') && seen.has('Warn')) {
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(path, asked, detail));
  }
  return errors;
}

/** A selector as Go prints the struct, which is what the column shows. */
function printedSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.keys(matchLabels)
    .sort()
    .map((key) => `${key}: ${matchLabels[key]},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}

/** Whether parameters are namespaced cannot be told from here, so a bare name gets a star. */
function paramCell(reference: ParamRef | undefined): string {
  if (reference === undefined) return '<unset>';
  const { name, namespace, selector } = reference;
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? '<unset>' : printedSelector(selector);
}
