import {
  at,
  byteLength,
  child,
  duplicate,
  type FieldError,
  invalid,
  isQualifiedName,
  notSupported,
  required,
  tooLong,
} from '@flotilla/machinery';

const MAX_REASON_BYTES = 1024;
const MAX_MESSAGE_BYTES = 32 * 1024;
const REASON = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?';
const reasonRegexp = new RegExp(`^${REASON}$`);
const statuses = ['False', 'True', 'Unknown'];

/** A condition of the form newer kinds share. */
export interface Condition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string | null;
  reason: string;
  message: string;
}

/** Conditions of the form newer kinds share. */
export function validateConditions(
  conditions: readonly Condition[] | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap((condition, index) => {
    const itemPath = at(path, index);
    const errors: FieldError[] = [];
    if (seen.has(condition.type)) {
      errors.push(duplicate(child(itemPath, 'type'), condition.type));
    }
    seen.add(condition.type);
    return [...errors, ...validateCondition(condition, itemPath)];
  });
}

function validateCondition(condition: Condition, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const message of isQualifiedName(condition.type)) {
    errors.push(invalid(child(path, 'type'), condition.type, message));
  }
  if (!statuses.includes(condition.status)) {
    errors.push(notSupported(child(path, 'status'), condition.status, statuses));
  }
  if ((condition.observedGeneration ?? 0) < 0) {
    const detail = 'must be greater than or equal to zero';
    errors.push(invalid(child(path, 'observedGeneration'), condition.observedGeneration, detail));
  }
  if (!condition.lastTransitionTime) errors.push(required(child(path, 'lastTransitionTime')));
  const reasonPath = child(path, 'reason');
  if (condition.reason === '') errors.push(required(reasonPath));
  else {
    if (!reasonRegexp.test(condition.reason)) {
      const detail = `a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '${REASON}')`;
      errors.push(invalid(reasonPath, condition.reason, detail));
    }
    if (byteLength(condition.reason) > MAX_REASON_BYTES) {
      errors.push(tooLong(reasonPath, '', MAX_REASON_BYTES));
    }
  }
  if (byteLength(condition.message) > MAX_MESSAGE_BYTES) {
    errors.push(tooLong(child(path, 'message'), '', MAX_MESSAGE_BYTES));
  }
  return errors;
}
