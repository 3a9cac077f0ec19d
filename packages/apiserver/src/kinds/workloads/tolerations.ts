import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  isValidLabelValue,
  notSupported,
} from '@flotilla/machinery';
import type { List } from './api-values.ts';
import type { Toleration } from './scheduling-types.ts';
import { qualifiedNameErrors } from './support.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const operators = ['Equal', 'Exists'];

/** Taints a pod bears. */
export function tolerationErrors(tolerations: List<Toleration>, path: string): FieldError[] {
  return (tolerations ?? []).flatMap((toleration, index) => {
    const here = at(path, index);
    const { key = '', operator = '', value = '', effect = '' } = toleration;
    const errors = key === '' ? [] : qualifiedNameErrors(key, child(here, 'key'));
    const operatorPath = child(here, 'operator');
    if (key === '' && operator !== 'Exists') {
      const detail =
        'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      errors.push(invalid(operatorPath, operator, detail));
    }
    if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute') {
      const detail = "effect must be 'NoExecute' when `tolerationSeconds` is set";
      errors.push(invalid(child(here, 'effect'), effect, detail));
    }
    if (operator === 'Exists') {
      if (value !== '') {
        const detail = "value must be empty when `operator` is 'Exists'";
        errors.push(invalid(operatorPath, value, detail));
      }
    } else if (operator === 'Equal' || operator === '') {
      const problems = isValidLabelValue(value);
      if (problems.length > 0) errors.push(invalid(operatorPath, value, problems.join(';')));
    } else {
      errors.push(notSupported(operatorPath, operator, operators));
    }
    if (effect !== '' && !effects.includes(effect)) {
      errors.push(notSupported(child(here, 'effect'), effect, effects));
    }
    return errors;
  });
}

function withoutSeconds({ key, operator, value, effect }: Toleration): string {
  return JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? '']);
}

/** A running pod may gain tolerations and change their seconds, nothing else. */
export function addedTolerationErrors(
  next: List<Toleration>,
  old: List<Toleration>,
  path: string,
): FieldError[] {
  // By text, because a pod may have thousands.
  const kept = new Set((next ?? []).map(withoutSeconds));
  if (!(old ?? []).every((before) => kept.has(withoutSeconds(before)))) {
    const detail = 'existing toleration can not be modified except its tolerationSeconds';
    return [forbidden(path, detail)];
  }
  return tolerationErrors(next, path);
}
