import type { FieldError } from '../field-error.ts';
import { invalid } from '../field-errors.ts';
import { formatFloat } from '../go/format-float.ts';
import type { Json } from '../object.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { isInteger } from './check/number-check.ts';
import type { ScalePaths } from './types.ts';

const MAX_REPLICAS = 2 ** 31 - 1;

/** The errors of the fields that /scale of a custom resource reads. */
export function validateScale(
  object: Json,
  scale: ScalePaths,
  part: 'spec' | 'status',
): FieldError[] {
  if (part === 'spec') return validateReplicas(object, scale.specReplicasPath);
  const errors = validateReplicas(object, scale.statusReplicasPath);
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return errors;
  const found = readPath(object, labelSelectorPath);
  if ('problem' in found) return [...errors, invalid(labelSelectorPath, '', found.problem)];
  if (found.value === undefined || typeof found.value === 'string') return errors;
  const problem = accessorProblem(pathText(labelSelectorPath), found.value, 'string');
  return [...errors, invalid(labelSelectorPath, '', problem)];
}

function validateReplicas(object: Json, path: string): FieldError[] {
  const found = readPath(object, path);
  if ('problem' in found) return [invalid(path, 0, found.problem)];
  const { value } = found;
  if (value === undefined) return [];
  if ((typeof value !== 'number' && typeof value !== 'bigint') || !isInteger(value)) {
    return [invalid(path, 0, accessorProblem(pathText(path), value, 'int64'))];
  }
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  if (value > MAX_REPLICAS) {
    return [invalid(path, value, `should be less than or equal to ${MAX_REPLICAS}`)];
  }
  return [];
}

function readPath(object: Json, path: string): { value: unknown } | { problem: string } {
  const names = path.replace(/^\./, '').split('.');
  let value: unknown = object;
  for (const [index, name] of names.entries()) {
    if (value === null) return { value: undefined };
    if (!isJsonObject(value)) {
      const shown = `.${names.slice(0, index + 1).join('.')}`;
      return { problem: accessorProblem(shown, value, 'map[string]interface{}') };
    }
    if (!Object.hasOwn(value, name)) return { value: undefined };
    value = value[name];
  }
  return { value };
}

function pathText(path: string): string {
  return `.${path.replace(/^\./, '')}`;
}

function accessorProblem(path: string, value: unknown, expected: string): string {
  return `${path} accessor error: ${goPrint(value)} is of the type ${goType(value)}, expected ${expected}`;
}

/** A value as Go's `%v` prints it. */
export function goPrint(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return isInteger(value) ? String(value) : formatFloat(value);
  if (Array.isArray(value)) return `[${value.map(goPrint).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goPrint(value[key])}`);
  return `map[${members.join(' ')}]`;
}

function goType(value: unknown): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}
