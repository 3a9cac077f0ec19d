import type { FieldError } from '../../field-error.ts';
import { forbidden, invalid, notSupported, required } from '../../field-errors.ts';
import { child, keyed } from '../../field-path.ts';
import { itemsOf } from '../node.ts';
import type { JsonSchemaProps } from '../types.ts';
import { internalItems } from './internal-form.ts';

/** What is wrong with x-kubernetes-map-type, x-kubernetes-list-type and x-kubernetes-list-map-keys of a schema. */
export function topologyProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  return [
    ...mapTypeProblems(schema, path),
    ...listTypeProblems(schema, path),
    ...listKeysProblems(schema, path),
    ...mapListProblems(schema, path),
    ...nullableProblems(schema, path),
  ];
}

function mapTypeProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const errors = wrongType(schema, path, { wanted: 'object', extension: 'x-kubernetes-map-type' });
  if (mapType !== 'atomic' && mapType !== 'granular') {
    const choices = ['atomic', 'granular'];
    errors.push(notSupported(child(path, 'x-kubernetes-map-type'), mapType, choices));
  }
  return errors;
}

function listTypeProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  const errors = wrongType(schema, path, { wanted: 'array', extension: 'x-kubernetes-list-type' });
  if (errors.length === 0 && listType === 'set') errors.push(...setItemProblems(schema, path));
  const choices = ['atomic', 'set', 'map'];
  if (!choices.includes(listType)) {
    errors.push(notSupported(child(path, 'x-kubernetes-list-type'), listType, choices));
  }
  return errors;
}

function wrongType(
  { type = '' }: JsonSchemaProps,
  path: string,
  { wanted, extension }: { readonly wanted: string; readonly extension: string },
): FieldError[] {
  if (type === wanted) return [];
  const detail = `must be ${wanted} if ${extension} is specified`;
  const typePath = child(path, 'type');
  return [type === '' ? required(typePath, detail) : invalid(typePath, type, detail)];
}

/** Items of a set are compared as a whole, so they must be owned as a whole. */
function setItemProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const items = itemsOf(schema);
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items?.['x-kubernetes-list-type'];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(child(path, 'items', 'x-kubernetes-list-type'), listType, detail)];
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // Upstream shows the list type here, where it means the map type.
    return [invalid(child(path, 'items', 'x-kubernetes-map-type'), listType ?? null, detail)];
  }
  return [];
}

function listKeysProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if ((schema['x-kubernetes-list-map-keys'] ?? []).length === 0 || listType === 'map') return [];
  const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
  const typePath = child(path, 'x-kubernetes-list-type');
  return [
    listType === undefined ? required(typePath, detail) : invalid(typePath, listType, detail),
  ];
}

function mapListProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  if (schema['x-kubernetes-list-type'] !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const keysPath = child(path, 'x-kubernetes-list-map-keys');
  const itemsPath = child(path, 'items');
  const errors: FieldError[] = [];
  if (keys.length === 0) {
    errors.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  }
  const items = itemsOf(schema);
  if (schema.items === undefined) {
    errors.push(required(itemsPath, 'must have a schema if x-kubernetes-list-type is map'));
  } else if (items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    errors.push(invalid(itemsPath, internalItems(schema), detail));
  } else if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(child(itemsPath, 'type'), items.type ?? '', detail));
  } else {
    errors.push(...keyProblems(items, keys, path));
  }
  return errors;
}

function keyProblems(items: JsonSchemaProps, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const keysPath = child(path, 'x-kubernetes-list-map-keys');
  const properties = new Map(Object.entries(items.properties ?? {}));
  const seen = new Set<string>();
  for (const key of keys) {
    const property = properties.get(key);
    if (property === undefined) {
      errors.push(invalid(keysPath, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const typePath = child(keyed(child(path, 'items', 'properties'), key), 'type');
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(typePath, items.type ?? '', detail));
    }
    if (seen.has(key)) errors.push(invalid(keysPath, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

/** Items of sets and maps, and the keys of maps, must always be there. */
function nullableProblems(schema: JsonSchemaProps, path: string): FieldError[] {
  const items = itemsOf(schema);
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const itemsPath = child(path, 'items');
  if (items.nullable === true) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(forbidden(child(itemsPath, 'nullable'), detail));
  }
  if (listType === 'set') return errors;
  const properties = new Map(Object.entries(items.properties ?? {}));
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = properties.get(key);
    if (property === undefined) continue;
    const propertyPath = keyed(child(itemsPath, 'properties'), key);
    if (items.required?.includes(key) !== true && property.default === undefined) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(required(child(propertyPath, 'default'), detail));
    }
    if (property.nullable === true) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(forbidden(child(propertyPath, 'nullable'), detail));
    }
  }
  return errors;
}
