import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  isPathSegmentName,
  type KubeObject,
  type LabelSelector,
  notSupported,
  parseGroupVersion,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain, validateQualifiedName } from '../core/fields.ts';
import {
  defaultMatchResources,
  failurePolicies,
  type MatchCondition,
  type MatchResources,
  validateMatchConditions,
  validateMatchResources,
} from './admission-rules.ts';
import { type Condition, validateConditions } from './conditions.ts';

const MAX_AUDIT_ANNOTATIONS = 20;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const actions = ['Audit', 'Deny', 'Warn'];

interface ParamKind {
  apiVersion?: string;
  kind?: string;
}

interface Validation {
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
}

interface Policy extends KubeObject {
  spec: {
    paramKind?: ParamKind;
    matchConstraints?: MatchResources;
    validations?: Validation[];
    failurePolicy?: string;
    auditAnnotations?: { key: string; valueExpression: string }[];
    matchConditions?: MatchCondition[];
    variables?: { name: string; expression: string }[];
  };
  status: { conditions?: Condition[] };
}

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

/** Rules in CEL that objects must meet; the expressions are for the CEL compiler to judge. */
export const validatingAdmissionPolicy: KindBehaviour<Policy> = {
  generation: 'spec',
  unconditionalUpdate: false,
  defaults: ({ spec }) => {
    spec.failurePolicy ??= 'Fail';
    if (spec.matchConstraints !== undefined) defaultMatchResources(spec.matchConstraints);
  },
  validate: validatePolicy,
  validateStatusUpdate: ({ status }) => validateConditions(status.conditions, 'status.conditions'),
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.validations?.length ?? 0,
    object.spec.paramKind === undefined
      ? '<unset>'
      : `${object.spec.paramKind.apiVersion ?? ''}/${object.spec.paramKind.kind ?? ''}`,
    age(object, now),
  ],
};

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

function validatePolicy({ metadata, spec }: Policy): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.failurePolicy === undefined) errors.push(required('spec.failurePolicy'));
  else if (!failurePolicies.includes(spec.failurePolicy)) {
    errors.push(notSupported('spec.failurePolicy', spec.failurePolicy, failurePolicies));
  }
  if (spec.paramKind !== undefined) {
    errors.push(...validateParamKind(spec.paramKind, 'spec.paramKind'));
  }
  if (spec.matchConstraints === undefined) errors.push(required('spec.matchConstraints'));
  else {
    errors.push(...validateMatchResources(spec.matchConstraints, 'spec.matchConstraints'));
    if (!spec.matchConstraints.resourceRules?.length) {
      errors.push(required('spec.matchConstraints.resourceRules'));
    }
  }
  errors.push(...validateMatchConditions(spec.matchConditions ?? [], 'spec.matchConditions'));
  for (const [index, variable] of (spec.variables ?? []).entries()) {
    errors.push(...validateVariable(variable, at('spec.variables', index)));
  }
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required('spec.validations', detail), required('spec.auditAnnotations', detail));
  }
  for (const [index, validation] of validations.entries()) {
    errors.push(...validateValidation(validation, at('spec.validations', index)));
  }
  return [...errors, ...validateAuditAnnotations(auditAnnotations, metadata.name ?? '')];
}

function validateParamKind({ apiVersion = '', kind = '' }: ParamKind, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const versionPath = child(path, 'apiVersion');
  const gv = parseGroupVersion(apiVersion);
  if (apiVersion === '') errors.push(required(versionPath));
  else if (gv === undefined) {
    errors.push(invalid(versionPath, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  } else {
    const groupMessages = gv.group === '' ? [] : isDNS1123Subdomain(gv.group);
    if (groupMessages.length > 0) {
      errors.push(invalid(versionPath, gv.group, groupMessages.join(',')));
    }
    const versionMessages = isDNS1035Label(gv.version);
    if (gv.version === '') {
      errors.push(invalid(versionPath, apiVersion, 'version must be specified'));
    } else if (versionMessages.length > 0) {
      errors.push(invalid(versionPath, gv.version, versionMessages.join(',')));
    }
  }
  const kindMessages = isDNS1035Label(kind.toLowerCase());
  if (kind === '') errors.push(required(child(path, 'kind')));
  else if (kindMessages.length > 0) {
    const detail = `may have mixed case, but should otherwise match: ${kindMessages.join(',')}`;
    errors.push(invalid(child(path, 'kind'), kind, detail));
  }
  return errors;
}

function validateVariable(
  { name, expression }: { name: string; expression: string },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(required(child(path, 'name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)) {
    errors.push(invalid(child(path, 'name'), name, 'must be a valid CEL identifier'));
  }
  if (expression.trim() === '') {
    errors.push(required(child(path, 'expression'), 'expression is not specified'));
  }
  return errors;
}

function validateValidation(validation: Validation, path: string): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = validation;
  const errors: FieldError[] = [];
  if (expression.trim() === '') {
    errors.push(required(child(path, 'expression'), 'expression is not specified'));
  }
  const empty = 'must be non-empty if specified';
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(invalid(child(path, 'messageExpression'), messageExpression, empty));
  }
  if (message !== '' && message.trim() === '') {
    errors.push(invalid(child(path, 'message'), message, empty));
  } else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalid(child(path, 'message'), message, 'must not contain line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(child(path, 'reason'), reason, reasons));
  }
  return errors;
}

function validateAuditAnnotations(
  annotations: readonly { key: string; valueExpression: string }[],
  policy: string,
): FieldError[] {
  const path = 'spec.auditAnnotations';
  const errors: FieldError[] = [];
  if (annotations.length > MAX_AUDIT_ANNOTATIONS) {
    const shown = annotations.map(({ key, valueExpression }) => ({
      Key: key,
      ValueExpression: valueExpression,
    }));
    const detail = `must not have more than ${MAX_AUDIT_ANNOTATIONS} auditAnnotations`;
    errors.push(invalid(path, shown, detail));
  }
  const keys = new Set<string>();
  for (const [index, { key, valueExpression }] of annotations.entries()) {
    const keyPath = child(at(path, index), 'key');
    if (policy === '') {
      errors.push(invalid(keyPath, key, 'requires metadata.name be non-empty'));
    } else errors.push(...validateQualifiedName(`${policy}/${key}`, keyPath));
    if (valueExpression.trim() === '') {
      const detail = 'valueExpression is not specified';
      errors.push(required(child(at(path, index), 'valueExpression'), detail));
    }
    if (keys.has(key)) errors.push(duplicate(keyPath, key));
    keys.add(key);
  }
  return errors;
}

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
