import type { FieldError } from '../../field-error.ts';
import { forbidden, formatFieldError, invalid, required } from '../../field-errors.ts';
import { at, child, keyed } from '../../field-path.ts';
import { patternProblem } from '../check/text-check.ts';
import { additionalOf, itemsOf, propertiesOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';
import { completenessProblems } from './completeness.ts';
import { isIntOrStringAllOf, isIntOrStringAnyOf } from './int-or-string.ts';

/** Where a schema stands: rules differ for the root, items of lists, and fields of objects. */
type Level = 'root' | 'item' | 'field';

const emptyType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** What keeps a schema from being structural, in upstream's order: by the text of the errors. */
export function structuralProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const errors = [
    ...invariants(schema, { level: 'root', path }),
    ...completenessProblems(schema, path),
  ];
  return errors
    .map((error): [string, FieldError] => [formatFieldError(error), error])
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, error]) => error);
}

interface Place {
  readonly level: Level;
  readonly path: string;
}

function invariants(schema: JsonSchemaProps, place: Place): FieldError[] {
  const { level, path } = place;
  const errors: FieldError[] = [];
  const items = itemsOf(schema);
  const type = schema.type ?? '';
  if (type === 'array' && items === undefined) {
    errors.push(required(child(path, 'items'), 'must be specified'));
  }
  if (items !== undefined) {
    errors.push(...invariants(items, { level: 'item', path: child(path, 'items') }));
  }
  for (const [name, property] of propertiesOf(schema)) {
    const below = keyed(child(path, 'properties'), name);
    errors.push(...invariants(property, { level: 'field', path: below }));
  }
  if (schema.additionalProperties !== undefined) {
    const below = child(path, 'additionalProperties');
    if (level === 'root') errors.push(forbidden(below, 'must not be used at the root'));
    const additional = additionalOf(schema);
    if (additional !== undefined) {
      errors.push(...invariants(additional, { level: 'field', path: below }));
    }
  }
  errors.push(
    ...extensionProblems(schema, path),
    ...combinationProblems(schema, path, {
      skipAnyOf: isIntOrStringAnyOf(schema),
      skipFirstAllOf: isIntOrStringAllOf(schema),
    }),
    ...typeProblems(schema, place),
    ...metaProblems(schema, place),
  );
  return errors;
}

function extensionProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => schema[name] === true)
    .map((name) =>
      invalid(child(path, name), true, 'must be false if x-kubernetes-int-or-string is true'),
    );
}

function typeProblems(schema: JsonSchemaProps, { level, path }: Place): FieldError[] {
  const type = schema.type ?? '';
  const typePath = child(path, 'type');
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const errors: FieldError[] = [];
  const isFree =
    schema['x-kubernetes-int-or-string'] === true ||
    schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(typePath, detail) : invalid(typePath, type, detail));
  } else if (type === '' && !isFree) {
    errors.push(required(typePath, emptyType[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(child(path, 'additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(typePath, type, 'must be object at the root'));
  }
  return errors;
}

/** Resources may say little about their own type and metadata: the server knows better. */
function metaProblems(schema: JsonSchemaProps, { level, path }: Place): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isResource = level === 'root' || isEmbedded;
  const errors: FieldError[] = [];
  const properties = new Map(propertiesOf(schema));
  const propertyPath = (name: string) => keyed(child(path, 'properties'), name);
  for (const name of ['kind', 'apiVersion']) {
    const property = properties.get(name);
    if (isResource && property !== undefined && property.type !== 'string') {
      const typePath = child(propertyPath(name), 'type');
      errors.push(invalid(typePath, property.type ?? '', 'must be string'));
    }
  }
  const metadata = properties.get('metadata');
  if (metadata !== undefined && isResource && metadata.type !== 'object') {
    const typePath = child(propertyPath('metadata'), 'type');
    errors.push(invalid(typePath, metadata.type ?? '', 'must be object'));
  }
  if (metadata !== undefined && level === 'root' && !isPlainMetadata(metadata)) {
    const detail =
      'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(propertyPath('metadata'), detail));
  }
  const isPreserving = schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isEmbedded && !isPreserving && properties.size === 0) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(child(path, 'properties'), detail));
  }
  return errors;
}

/** Whether a schema of metadata says nothing but the type, a default (refused elsewhere), name and generateName. */
function isPlainMetadata(metadata: JsonSchemaProps): boolean {
  const { type: _type, default: _default, properties = {}, ...rest } = metadata;
  const names = Object.keys(properties);
  const isNamesOnly = names.every((name) => name === 'name' || name === 'generateName');
  return isNamesOnly && Object.values(rest).every(isZero);
}

/** Whether Go would not see the field: absent, false, '' or empty. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}

interface Skips {
  readonly skipAnyOf: boolean;
  readonly skipFirstAllOf: boolean;
}

function combinationProblems(schema: JsonSchemaProps, path: string, skips: Skips): FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = '' } = schema;
  const errors: FieldError[] = [];
  for (const [index, part] of skips.skipAnyOf ? [] : anyOf.entries()) {
    errors.push(...nestedProblems(part, at(child(path, 'anyOf'), index), false));
  }
  for (const [index, part] of allOf.entries()) {
    const skipAnyOf = skips.skipFirstAllOf && index === 0;
    errors.push(...nestedProblems(part, at(child(path, 'allOf'), index), skipAnyOf));
  }
  for (const [index, part] of oneOf.entries()) {
    errors.push(...nestedProblems(part, at(child(path, 'oneOf'), index), false));
  }
  if (not !== undefined) errors.push(...nestedProblems(not, child(path, 'not'), false));
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem !== undefined) {
    const detail = `must be a valid regular expression, but isn't: ${problem}`;
    errors.push(invalid(child(path, 'pattern'), pattern, detail));
  }
  return errors;
}

/** What a schema inside allOf and the like may not say; the rest of it only validates values. */
const nestedRules: readonly [keyof JsonSchemaProps, string][] = [
  ['default', 'must be undefined to be structural'],
  ['title', 'must be empty to be structural'],
  ['description', 'must be empty to be structural'],
  ['nullable', 'must be false to be structural'],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural'],
  ['x-kubernetes-embedded-resource', 'must be false to be structural'],
  ['x-kubernetes-int-or-string', 'must be false to be structural'],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural'],
  ['x-kubernetes-list-type', 'must be undefined to be structural'],
  ['x-kubernetes-map-type', 'must be undefined to be structural'],
  ['x-kubernetes-validations', 'must be empty to be structural'],
];

function nestedProblems(schema: JsonSchemaProps, path: string, skipAnyOf: boolean): FieldError[] {
  const errors = combinationProblems(schema, path, { skipAnyOf, skipFirstAllOf: false });
  const items = itemsOf(schema);
  if (items !== undefined) errors.push(...nestedProblems(items, child(path, 'items'), false));
  for (const [name, property] of propertiesOf(schema)) {
    errors.push(...nestedProblems(property, keyed(child(path, 'properties'), name), false));
  }
  if ((schema.type ?? '') !== '') {
    errors.push(forbidden(child(path, 'type'), 'must be empty to be structural'));
  }
  if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) {
    const detail = 'must be undefined to be structural';
    errors.push(forbidden(child(path, 'additionalProperties'), detail));
  }
  for (const [name, detail] of nestedRules) {
    if (!isZero(schema[name])) errors.push(forbidden(child(path, name), detail));
  }
  if (propertiesOf(schema).some(([name]) => name === 'metadata')) {
    const detail = 'must not be specified in a nested context';
    errors.push(forbidden(keyed(child(path, 'properties'), 'metadata'), detail));
  }
  return errors;
}
