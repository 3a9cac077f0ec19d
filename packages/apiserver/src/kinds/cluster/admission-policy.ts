import {
  at,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  invalid,
  isDNS1035Label,
  isDNS1123Subdomain,
  type KubeObject,
  notSupported,
  parseGroupVersion,
  required,
} from '@flotilla/machinery';
import { type CelType, dynType } from '@flotilla/machinery/cel';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateQualifiedName } from '../core/fields.ts';
import { checkExpression, expressionErrors, type Preexisting } from './admission-expressions.ts';
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
const MAX_VALUE_EXPRESSION = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

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

interface ExpressionWarning {
  fieldRef: string;
  warning: string;
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
  status: {
    typeChecking?: { expressionWarnings?: ExpressionWarning[] };
    conditions?: Condition[];
  };
}

/** Rules in CEL that objects must meet. */
export const validatingAdmissionPolicy: KindBehaviour<Policy> = {
  keepsMetadataOnStatus: true,
  generation: 'spec',
  unconditionalUpdate: false,
  defaults: ({ spec }) => {
    spec.failurePolicy ??= 'Fail';
    if (spec.matchConstraints !== undefined) defaultMatchResources(spec.matchConstraints);
  },
  validate: (object) => validatePolicy(object, undefined),
  validateOnUpdate: false,
  validateUpdate: (object, old) => validatePolicy(object, old),
  validateStatusUpdate: ({ status }) => [
    ...(status.typeChecking?.expressionWarnings ?? []).flatMap((each, index) =>
      validateWarning(each, at('status.typeChecking.expressionWarnings', index)),
    ),
    ...validateConditions(status.conditions, 'status.conditions'),
  ],
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.validations?.length ?? 0,
    object.spec.paramKind === undefined
      ? '<unset>'
      : `${object.spec.paramKind.apiVersion ?? ''}/${object.spec.paramKind.kind ?? ''}`,
    age(object, now),
  ],
};

function validatePolicy({ metadata, spec }: Policy, old: Policy | undefined): FieldError[] {
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
  const expressions = preexistingOf(old);
  const hasParams = spec.paramKind !== undefined;
  if (!keepsConditions(spec, old)) {
    errors.push(
      ...validateMatchConditions(spec.matchConditions ?? [], 'spec.matchConditions', {
        hasParams,
        preexisting: expressions.conditions,
      }),
    );
  }
  const types = new Map<string, CelType>();
  for (const [index, variable] of (spec.variables ?? []).entries()) {
    const context = { hasParams, types, preexisting: expressions.validations };
    errors.push(...validateVariable(variable, context, at('spec.variables', index)));
  }
  const scope: Expressions = {
    hasParams,
    // Without any, there is not even the name.
    ...(types.size === 0 ? {} : { variables: types }),
    preexisting: expressions,
  };
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    errors.push(required('spec.validations', detail), required('spec.auditAnnotations', detail));
  }
  for (const [index, validation] of validations.entries()) {
    errors.push(...validateValidation(validation, scope, at('spec.validations', index)));
  }
  return [...errors, ...validateAuditAnnotations(auditAnnotations, metadata.name ?? '', scope)];
}

/** Expressions that the stored policy has already, by their place. */
interface PreexistingOfPolicy {
  readonly conditions: Preexisting;
  readonly validations: Preexisting;
  readonly messages: Preexisting;
  readonly annotations: Preexisting;
}

/** What the expressions of a policy may use. */
interface Expressions {
  readonly hasParams: boolean;
  readonly variables?: ReadonlyMap<string, CelType>;
  readonly preexisting: PreexistingOfPolicy;
}

function preexistingOf(old: Policy | undefined): PreexistingOfPolicy {
  const { matchConditions = [], validations = [], auditAnnotations = [] } = old?.spec ?? {};
  return {
    conditions: new Set(matchConditions.map(({ expression }) => expression)),
    validations: new Set(validations.map(({ expression }) => expression)),
    messages: new Set(validations.map(({ messageExpression = '' }) => messageExpression)),
    annotations: new Set(auditAnnotations.map(({ valueExpression }) => valueExpression)),
  };
}

/** Conditions that were right once are not judged again. */
function keepsConditions(spec: Policy['spec'], old: Policy | undefined): boolean {
  return (
    old !== undefined &&
    deepEqual(spec.paramKind, old.spec.paramKind) &&
    deepEqual(spec.matchConditions, old.spec.matchConditions)
  );
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
  context: { hasParams: boolean; types: Map<string, CelType>; preexisting: Preexisting },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(required(child(path, 'name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name)) {
    errors.push(invalid(child(path, 'name'), name, 'must be a valid CEL identifier'));
  }
  if (expression.trim() === '') {
    errors.push(required(child(path, 'expression'), 'expression is not specified'));
    return errors;
  }
  const { hasParams, types, preexisting } = context;
  const compiled = checkExpression(expression, 'anything', {
    hasParams,
    hasAuthorizer: true,
    variables: types,
    preexisting,
  });
  types.set(name, 'program' in compiled ? compiled.program.outputType : dynType);
  return [...errors, ...expressionErrors(compiled, child(path, 'expression'))];
}

function validateValidation(
  validation: Validation,
  { preexisting, ...context }: Expressions,
  path: string,
): FieldError[] {
  const { expression, message = '', messageExpression = '', reason } = validation;
  const errors: FieldError[] = [];
  if (expression.trim() === '') {
    errors.push(required(child(path, 'expression'), 'expression is not specified'));
  } else {
    const compiled = checkExpression(expression, 'bool', {
      ...context,
      hasAuthorizer: true,
      preexisting: preexisting.validations,
    });
    errors.push(...expressionErrors(compiled, child(path, 'expression')));
  }
  const empty = 'must be non-empty if specified';
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(invalid(child(path, 'messageExpression'), messageExpression, empty));
  } else if (messageExpression !== '') {
    const compiled = checkExpression(messageExpression, 'string', {
      ...context,
      hasAuthorizer: false,
      preexisting: preexisting.messages,
    });
    errors.push(...expressionErrors(compiled, child(path, 'messageExpression')));
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
  { preexisting, ...context }: Expressions,
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
    const valuePath = child(at(path, index), 'valueExpression');
    const source = valueExpression.trim();
    if (source === '') {
      errors.push(required(valuePath, 'valueExpression is not specified'));
    } else if (Buffer.byteLength(source) > MAX_VALUE_EXPRESSION) {
      const detail = `must not exceed ${MAX_VALUE_EXPRESSION} bytes in length`;
      errors.push(required(valuePath, detail));
    } else {
      const compiled = checkExpression(source, 'string or null', {
        ...context,
        hasAuthorizer: true,
        preexisting: preexisting.annotations,
      });
      errors.push(...expressionErrors(compiled, valuePath, valueExpression));
    }
    if (keys.has(key)) errors.push(duplicate(keyPath, key));
    keys.add(key);
  }
  return errors;
}

function validateWarning({ fieldRef, warning }: ExpressionWarning, path: string): FieldError[] {
  return [
    ...(warning === '' ? [required(child(path, 'warning'))] : []),
    ...(fieldRef.trim() === '' ? [required(child(path, 'fieldRef'))] : []),
  ];
}
