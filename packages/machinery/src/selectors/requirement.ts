import type { FieldError } from '../field-error.ts';
import { formatFieldErrors, invalid, notSupported } from '../field-errors.ts';
import { at, child, keyed } from '../field-path.ts';
import { parseInt64 } from '../go/parse-int.ts';
import { ParseError } from '../parse-error.ts';
import { isQualifiedName, isValidLabelValue } from '../validation/names.ts';
import { getOwn } from '../values/own-key.ts';

/** Operators between a key and values, in the order upstream lists them. */
export const binaryOperators = ['in', 'notin', '=', '==', '!=', 'gt', 'lt'] as const;

const unaryOperators = ['exists', '!'] as const;

/** How a requirement relates a label to its values. */
export type LabelOperator = (typeof binaryOperators)[number] | (typeof unaryOperators)[number];

/** One condition of a label selector. */
export interface LabelRequirement {
  readonly key: string;
  readonly operator: LabelOperator;
  readonly values: readonly string[];
}

/** Makes a requirement, refusing with upstream's text what cannot be one. */
export function newRequirement(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): LabelRequirement {
  const errors = requirementErrors(key, operator, values);
  if (errors.length > 0) throw new ParseError(formatFieldErrors(errors));
  return { key, operator, values };
}

/** What is wrong with a label's key, at the path given ('' prints as upstream's `<nil>`). */
export function labelKeyErrors(key: string, path: string): FieldError[] {
  const messages = isQualifiedName(key);
  return messages.length === 0 ? [] : [invalid(path, key, messages.join('; '))];
}

function requirementErrors(
  key: string,
  operator: LabelOperator,
  values: readonly string[],
): FieldError[] {
  const errors = labelKeyErrors(key, 'key');
  const problem = countProblem(operator, values.length);
  if (problem !== undefined) errors.push(invalid('values', values, problem));
  if (operator === 'gt' || operator === 'lt') {
    for (const [index, value] of values.entries()) {
      if (parseInt64(value) !== undefined) continue;
      const detail = "for 'Gt', 'Lt' operators, the value must be an integer";
      errors.push(invalid(at('values', index), value, detail));
    }
  }
  const known: readonly string[] = [...binaryOperators, ...unaryOperators];
  if (!known.includes(operator)) errors.push(notSupported(child('', 'operator'), operator, known));
  for (const [index, value] of values.entries()) {
    const messages = isValidLabelValue(value);
    if (messages.length === 0) continue;
    errors.push(invalid(keyed(at('values', index), key), value, messages.join('; ')));
  }
  return errors;
}

function countProblem(operator: LabelOperator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined;
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value';
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required";
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist';
  }
}

/** Whether labels meet one requirement. */
export function matchesRequirement(
  requirement: LabelRequirement,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = getOwn(labels, requirement.key);
  const exists = typeof value === 'string';
  switch (requirement.operator) {
    case 'in':
    case '=':
    case '==':
      return exists && requirement.values.includes(value);
    case 'notin':
    case '!=':
      return !exists || !requirement.values.includes(value);
    case 'exists':
      return exists;
    case '!':
      return !exists;
    case 'gt':
    case 'lt': {
      const actual = exists ? parseInt64(value) : undefined;
      const bound = parseInt64(requirement.values[0] ?? '');
      if (actual === undefined || bound === undefined) return false;
      return requirement.operator === 'gt' ? actual > bound : actual < bound;
    }
  }
}

/** A requirement in the form it is parsed from, values sorted. */
export function formatRequirement(requirement: LabelRequirement): string {
  const { key, operator } = requirement;
  const values = [...requirement.values].sort().join(',');
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values})`;
    case 'gt':
      return `${key}>${values}`;
    case 'lt':
      return `${key}<${values}`;
    case '=':
    case '==':
    case '!=':
      return `${key}${operator}${values}`;
  }
}
