import type { FieldError } from '../field-error.ts';
import { forbidden, invalid, required, tooLong } from '../field-errors.ts';
import { at, child } from '../field-path.ts';
import { byteLength } from '../go/byte-length.ts';
import type { LabelSelector, LabelSelectorRequirement } from '../selectors/label-selector.ts';
import { isQualifiedName, isValidLabelValue } from './names.ts';

const ANNOTATIONS_MAX_BYTES = 256 * 1024;

/** What a label selector may hold beyond the rules, for data stored before they were made. */
export interface LabelSelectorOptions {
  readonly allowInvalidLabelValueInSelector?: boolean;
  readonly allowUnknownOperatorInRequirement?: boolean;
}

/** Checks the key of a label. */
export function validateLabelName(name: string, path: string): FieldError[] {
  return isQualifiedName(name).map((message) => invalid(path, name, message));
}

/** Checks keys and values of labels. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined | null,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...validateLabelName(key, path));
    for (const message of isValidLabelValue(value)) errors.push(invalid(path, value, message));
  }
  return errors;
}

/** Checks keys of annotations, in which case does not matter, and the size of all together. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined | null,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    for (const message of isQualifiedName(key.toLowerCase())) {
      errors.push(invalid(path, key, message));
    }
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > ANNOTATIONS_MAX_BYTES) errors.push(tooLong(path, '', ANNOTATIONS_MAX_BYTES));
  return errors;
}

/** Checks a label selector as it stands in objects. */
export function validateLabelSelector(
  selector: LabelSelector | undefined | null,
  options: LabelSelectorOptions,
  path: string,
): FieldError[] {
  if (selector === undefined || selector === null) return [];
  const errors = validateLabels(selector.matchLabels, child(path, 'matchLabels'));
  const expressions = child(path, 'matchExpressions');
  for (const [index, requirement] of (selector.matchExpressions ?? []).entries()) {
    errors.push(...validateRequirement(requirement, options, at(expressions, index)));
  }
  return errors;
}

/** Whether a stored selector already breaks the rule for values, so that updates must tolerate it. */
export function hasInvalidLabelValue(selector: LabelSelector | undefined | null): boolean {
  return (selector?.matchExpressions ?? []).some((requirement) =>
    (requirement.values ?? []).some((value) => isValidLabelValue(value).length > 0),
  );
}

function validateRequirement(
  requirement: LabelSelectorRequirement,
  options: LabelSelectorOptions,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const values = requirement.values ?? [];
  const problem = validateOperator(requirement.operator, values, path);
  const isUnknown = problem?.type === 'FieldValueInvalid';
  if (problem !== undefined && !(isUnknown && options.allowUnknownOperatorInRequirement)) {
    errors.push(problem);
  }
  errors.push(...validateLabelName(requirement.key, child(path, 'key')));
  if (options.allowInvalidLabelValueInSelector) return errors;
  for (const [index, value] of values.entries()) {
    for (const message of isValidLabelValue(value)) {
      errors.push(invalid(at(child(path, 'values'), index), value, message));
    }
  }
  return errors;
}

/** Checks that an operator of a selector exists and has as many values as it needs. */
export function validateOperator(
  operator: string,
  values: readonly string[],
  path: string,
): FieldError | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? undefined
        : required(child(path, 'values'), "must be specified when `operator` is 'In' or 'NotIn'");
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? undefined
        : forbidden(
            child(path, 'values'),
            "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
          );
    default:
      return invalid(child(path, 'operator'), operator, 'not a valid selector operator');
  }
}
