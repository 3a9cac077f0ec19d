import {
  at,
  child,
  duplicate,
  type FieldError,
  invalid,
  isPathSegmentName,
  type LabelSelector,
  notSupported,
  required,
  tooMany,
  validateLabelSelector,
} from '@flotilla/machinery';
import { validateQualifiedName } from '../core/fields.ts';
import { checkExpression, expressionErrors, type Preexisting } from './admission-expressions.ts';

/** What to do when an admission check cannot be made, in the order messages list it. */
export const failurePolicies = ['Fail', 'Ignore'];

/** Whether rules name exactly the request's version, in the order messages list it. */
export const matchPolicies = ['Equivalent', 'Exact'];

const MAX_CONDITIONS = 64;
const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];

/** Which requests a check is for. */
export interface RuleWithOperations {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

/** A rule for objects of certain names only. */
export interface NamedRule extends RuleWithOperations {
  resourceNames?: string[];
}

/** A condition in CEL that a request must meet. */
export interface MatchCondition {
  name: string;
  expression: string;
}

/** Which requests a policy is for. */
export interface MatchResources {
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRule[];
  excludeResourceRules?: NamedRule[];
  matchPolicy?: string;
}

/** A rule without scope is for all scopes. */
export function defaultRule(rule: RuleWithOperations): void {
  rule.scope ??= '*';
}

/** Selectors that select everything, and equivalent matching. */
export function defaultMatchResources(match: MatchResources): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of match.resourceRules ?? []) defaultRule(rule);
  for (const rule of match.excludeResourceRules ?? []) defaultRule(rule);
}

/** Operations, groups, versions and resources of a rule. */
export function validateRule(rule: RuleWithOperations, path: string): FieldError[] {
  const { apiGroups = [], apiVersions = [], operations: asked = [], scope } = rule;
  const errors: FieldError[] = [];
  if (asked.length === 0) errors.push(required(child(path, 'operations')));
  errors.push(...aloneIfWildcard(asked, 'operations', path));
  for (const [index, operation] of asked.entries()) {
    if (operations.includes(operation)) continue;
    errors.push(notSupported(at(child(path, 'operations'), index), operation, operations));
  }
  if (apiGroups.length === 0) errors.push(required(child(path, 'apiGroups')));
  errors.push(...aloneIfWildcard(apiGroups, 'API groups', path));
  if (apiVersions.length === 0) errors.push(required(child(path, 'apiVersions')));
  errors.push(...aloneIfWildcard(apiVersions, 'API versions', path));
  for (const [index, version] of apiVersions.entries()) {
    if (version === '') errors.push(required(at(child(path, 'apiVersions'), index)));
  }
  errors.push(...validateResources(rule.resources ?? [], child(path, 'resources')));
  if (scope !== undefined && !scopes.includes(scope)) {
    errors.push(notSupported(child(path, 'scope'), scope, scopes));
  }
  return errors;
}

/** Selectors and rules of a policy; all must be set, which defaults see to. */
export function validateMatchResources(
  match: MatchResources | undefined,
  path: string,
): FieldError[] {
  if (match === undefined) return [];
  const errors: FieldError[] = [];
  const { matchPolicy } = match;
  if (matchPolicy === undefined) errors.push(required(child(path, 'matchPolicy')));
  else if (!matchPolicies.includes(matchPolicy)) {
    errors.push(notSupported(child(path, 'matchPolicy'), matchPolicy, matchPolicies));
  }
  for (const field of ['namespaceSelector', 'objectSelector'] as const) {
    const selector = match[field];
    if (selector === undefined) errors.push(required(child(path, field)));
    else errors.push(...validateLabelSelector(selector, {}, child(path, field)));
  }
  for (const field of ['resourceRules', 'excludeResourceRules'] as const) {
    for (const [index, rule] of (match[field] ?? []).entries()) {
      errors.push(...validateNamedRule(rule, at(child(path, field), index)));
    }
  }
  return errors;
}

/** Names and expressions of conditions. The expressions themselves are for the CEL compiler to judge. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[],
  path: string,
  context: { readonly hasParams: boolean; readonly preexisting: Preexisting },
): FieldError[] {
  const errors: FieldError[] = [];
  if (conditions.length > MAX_CONDITIONS) {
    errors.push(tooMany(path, conditions.length, MAX_CONDITIONS));
  }
  const names = new Set<string>();
  for (const [index, { name, expression }] of conditions.entries()) {
    const itemPath = at(path, index);
    const source = expression.trim();
    if (source === '') errors.push(required(child(itemPath, 'expression')));
    else {
      const condition = checkExpression(source, 'bool', { ...context, hasAuthorizer: true });
      errors.push(...expressionErrors(condition, child(itemPath, 'expression')));
    }
    if (name === '') errors.push(required(child(itemPath, 'name')));
    else errors.push(...validateQualifiedName(name, child(itemPath, 'name')));
    if (name !== '' && names.has(name)) errors.push(duplicate(child(itemPath, 'name'), name));
    names.add(name);
  }
  return errors;
}

function validateNamedRule(rule: NamedRule, path: string): FieldError[] {
  const names = new Set<string>();
  const errors = (rule.resourceNames ?? []).flatMap((name, index) => {
    const namePath = at(child(path, 'resourceNames'), index);
    const problems = isPathSegmentName(name).map((message) => invalid(namePath, name, message));
    if (names.has(name)) problems.push(duplicate(namePath, name));
    names.add(name);
    return problems;
  });
  return [...errors, ...validateRule(rule, path)];
}

const wildcardFields: Readonly<Record<string, string>> = {
  operations: 'operations',
  'API groups': 'apiGroups',
  'API versions': 'apiVersions',
};

function aloneIfWildcard(values: readonly string[], what: string, path: string): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return [];
  const detail = `if '*' is present, must not specify other ${what}`;
  return [invalid(child(path, wildcardFields[what] ?? what), values, detail)];
}

function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const allSubresourcesOf = new Set<string>();
  const subresourceOfAll = new Set<string>();
  let plain = false;
  for (const [index, text] of resources.entries()) {
    const itemPath = at(path, index);
    if (text === '') {
      errors.push(required(itemPath));
      continue;
    }
    const slash = text.indexOf('/');
    if (slash < 0) {
      // Upstream keeps only what the last one without a slash was.
      plain = text !== '*';
      continue;
    }
    const resource = text.slice(0, slash);
    const subresource = text.slice(slash + 1);
    if (allSubresourcesOf.has(resource)) {
      const detail = `if '${resource}/*' is present, must not specify ${text}`;
      errors.push(invalid(itemPath, text, detail));
    }
    if (subresourceOfAll.has(subresource)) {
      const detail = `if '*/${subresource}' is present, must not specify ${text}`;
      errors.push(invalid(itemPath, text, detail));
    }
    if (subresource === '*') allSubresourcesOf.add(resource);
    if (resource === '*') subresourceOfAll.add(subresource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    const detail = "if '*/*' is present, must not specify other resources";
    errors.push(invalid(path, resources, detail));
  }
  if (resources.includes('*') && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, detail));
  }
  return errors;
}
