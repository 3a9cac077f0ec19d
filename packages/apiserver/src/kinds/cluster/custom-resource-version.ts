import {
  at,
  byteLength,
  child,
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from '@flotilla/machinery';
import { followPath, type JsonSchemaProps, type PrinterColumn } from '@flotilla/machinery/schema';
import type { CrdVersion } from '../../custom/crd.ts';

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];
const columnFormats = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];
const selectableTypes = ['string', 'boolean', 'integer'];
const MAX_WARNING_BYTES = 256;
const MAX_SELECTABLE_FIELDS = 8;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** A version may only warn when it is deprecated, and in one line of text. */
export function validateDeprecation(version: CrdVersion, path: string): FieldError[] {
  const { deprecated = false, deprecationWarning: warning } = version;
  if (warning === undefined) return [];
  const details = deprecated
    ? warningProblems(warning)
    : ['can only be set for deprecated versions'];
  return details.map((detail) => invalid(child(path, 'deprecationWarning'), warning, detail));
}

function warningProblems(warning: string): string[] {
  const details: string[] = [];
  if (byteLength(warning) > MAX_WARNING_BYTES) details.push('must be <= 256 characters long');
  if (warning === '') details.push('must not be an empty string');
  let index = 0;
  for (const char of warning) {
    if (!PRINTABLE.test(char)) {
      details.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${index}`,
      );
      break;
    }
    index += byteLength(char);
  }
  return details;
}

/** The paths of /scale. */
export function validateSubresources(
  subresources: CrdVersion['subresources'],
  path: string,
): FieldError[] {
  const scale = subresources?.scale;
  if (scale === undefined) return [];
  const { labelSelectorPath } = scale;
  const errors = [
    ...validateScalePath(scale.specReplicasPath, `${path}.scale.specReplicasPath`, ['.spec']),
    ...validateScalePath(scale.statusReplicasPath, `${path}.scale.statusReplicasPath`, ['.status']),
  ];
  if (labelSelectorPath === undefined || labelSelectorPath === '') return errors;
  const selectorPath = `${path}.scale.labelSelectorPath`;
  return [...errors, ...validateScalePath(labelSelectorPath, selectorPath, ['.spec', '.status'])];
}

function validateScalePath(value: string, path: string, parents: readonly string[]): FieldError[] {
  if (value === '') return [required(path)];
  const errors = validateSimplePath(value, path);
  if (errors.length > 0 || parents.some((parent) => value.startsWith(`${parent}.`))) return errors;
  const where = parents.length > 1 ? `either ${parents.join(' or ')}` : parents[0];
  return [invalid(path, value, `should be a json path under ${where}`)];
}

function validateSimplePath(value: string, path: string): FieldError[] {
  if (value.startsWith('.')) return [];
  return [invalid(path, value, 'must be a simple json path starting with .')];
}

/** One column of the table. */
export function validateColumn(column: PrinterColumn, path: string): FieldError[] {
  const { name, type, format = '', jsonPath } = column;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(child(path, 'name')));
  const typeDetail = `must be one of ${columnTypes.join(',')}`;
  if (type === '') errors.push(required(child(path, 'type'), typeDetail));
  else if (!columnTypes.includes(type)) {
    errors.push(invalid(child(path, 'type'), type, typeDetail));
  }
  if (format !== '' && !columnFormats.includes(format)) {
    const detail = `must be one of ${columnFormats.join(',')}`;
    errors.push(invalid(child(path, 'format'), format, detail));
  }
  const pathPath = child(path, 'JSONPath');
  if (jsonPath === '') errors.push(required(pathPath));
  else errors.push(...validateSimplePath(jsonPath, pathPath));
  return errors;
}

/** Fields that selectors may name: few, scalar, and outside metadata. */
export function validateSelectableFields(
  fields: NonNullable<CrdVersion['selectableFields']>,
  schema: JsonSchemaProps,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { jsonPath }] of fields.entries()) {
    const pathPath = child(at(path, index), 'jsonPath');
    if (jsonPath === '') {
      errors.push(required(pathPath));
      continue;
    }
    const found = followPath(jsonPath, schema, { isDotOnly: true });
    if ('problem' in found) {
      errors.push(invalid(pathPath, jsonPath, `is an invalid path: ${found.problem}`));
      continue;
    }
    if (found.root === 'metadata') {
      errors.push(invalid(pathPath, jsonPath, 'must not point to fields in metadata'));
    }
    if (!selectableTypes.includes(found.schema?.type ?? '')) {
      const detail =
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
      errors.push(invalid(pathPath, jsonPath, detail));
    }
    if (seen.has(found.path)) errors.push(duplicate(pathPath, jsonPath));
    seen.add(found.path);
  }
  if (seen.size > MAX_SELECTABLE_FIELDS) {
    errors.push(tooMany(path, seen.size, MAX_SELECTABLE_FIELDS));
  }
  return errors;
}
