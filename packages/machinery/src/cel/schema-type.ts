import { byteLength } from '../go/byte-length.ts';
import { type DeclType, declare } from './decl-type.ts';
import { escapeProperty } from './escaping.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from './types.ts';
import { adapterOf, withTypeAndObjectMeta } from './values/schema-adapter.ts';

/** The parts of a structural schema that give data a type in CEL. */
export interface CelSchema {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, CelSchema>>;
  readonly additionalProperties?: boolean | CelSchema;
  readonly items?: CelSchema | readonly CelSchema[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
}

/** How a schema is read. */
export interface SchemaTypeOptions {
  /** Whether the schema is of a whole resource, which has apiVersion, kind and metadata. */
  readonly root?: boolean;
}

const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
/** The longest string that fits a request, between its quotes. */
const MAX_STRING = MAX_REQUEST_BYTES - 2;

/**
 * The type of the data that a schema describes; undefined where it has none that CEL could read.
 * Values of the type are read from JSON by the same schema.
 */
export function celTypeOfSchema(
  schema: CelSchema,
  options: SchemaTypeOptions = {},
): DeclType | undefined {
  const type = typeOfSchema(schema, options.root ?? false);
  if (!type) return undefined;
  const complete = options.root ? withTypeAndObjectMeta(schema) : schema;
  return { ...type, adapt: adapterOf(complete) };
}

function typeOfSchema(declared: CelSchema, isResource: boolean): DeclType | undefined {
  if (declared['x-kubernetes-int-or-string']) {
    const longest = declared.maxLength === undefined ? MAX_STRING : maxBytes(declared.maxLength);
    return sized(dynType, longest, 1);
  }
  const schema = isResource ? withTypeAndObjectMeta(declared) : declared;
  switch (schema.type) {
    case 'array':
      return arrayType(schema);
    case 'object':
      return objectOrMapType(schema);
    case 'string':
      return textType(schema);
    case 'boolean':
      return sized(boolType, 0, 4);
    case 'number':
      return sized(doubleType, 0, 1);
    case 'integer':
      return sized(intType, 0, 1);
    default:
      return undefined;
  }
}

const sized = (type: CelType, maxElements: number, minSerializedSize: number): DeclType => ({
  type,
  maxElements,
  minSerializedSize,
});

/** Lengths in schemas count characters, of which UTF-8 needs up to four bytes for each. */
const maxBytes = (length: number): number => Math.max(length, 0) * 4;

const nested = (schema: CelSchema): DeclType | undefined =>
  typeOfSchema(schema, schema['x-kubernetes-embedded-resource'] ?? false);

function arrayType(schema: CelSchema): DeclType | undefined {
  const { items, maxItems } = schema;
  if (items === undefined || Array.isArray(items)) return undefined;
  const elem = nested(items as CelSchema);
  if (!elem) return undefined;
  const maxElements =
    maxItems === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (elem.minSerializedSize + 1))
      : Math.max(maxItems, 0);
  return { type: listType(elem.type), elem, maxElements, minSerializedSize: 2 };
}

function objectOrMapType(schema: CelSchema): DeclType | undefined {
  const { additionalProperties, maxProperties } = schema;
  if (typeof additionalProperties !== 'object') return objectTypeOf(schema);
  const elem = nested(additionalProperties);
  if (!elem) return undefined;
  const maxElements =
    maxProperties === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (elem.minSerializedSize + 6))
      : Math.max(maxProperties, 0);
  return {
    type: mapType(stringType, elem.type),
    key: { ...declare(stringType), minSerializedSize: 2 },
    elem,
    maxElements,
    minSerializedSize: 2,
  };
}

function objectTypeOf(schema: CelSchema): DeclType {
  const required = new Set(schema.required);
  const fields = new Map<string, DeclType>();
  let minSerializedSize = 2;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const field = nested(property);
    if (!field) continue;
    const escaped = escapeProperty(name);
    if (escaped !== undefined) fields.set(escaped, field);
    if (required.has(name) && property.default === undefined) {
      minSerializedSize += byteLength(name) + field.minSerializedSize + 4;
    }
  }
  return { ...namedObject(UNNAMED, fields), minSerializedSize };
}

const UNNAMED = 'object';

function namedObject(name: string, fields: ReadonlyMap<string, DeclType>): DeclType {
  const types = new Map([...fields].map(([field, decl]) => [field, decl.type]));
  return { type: objectType(name, types), fields, maxElements: 0, minSerializedSize: 2 };
}

function textType(schema: CelSchema): DeclType {
  const { maxLength } = schema;
  switch (schema.format) {
    case 'byte':
      return sized(bytesType, maxLength === undefined ? MAX_STRING : Math.max(maxLength, 0), 2);
    case 'duration':
      return sized(durationType, 32, 3);
    case 'date':
      return sized(timestampType, 12, 12);
    case 'date-time':
      return sized(timestampType, 32, 21);
    default:
      return stringTypeOf(schema);
  }
}

function stringTypeOf(schema: CelSchema): DeclType {
  const { maxLength } = schema;
  if (maxLength !== undefined) return sized(stringType, maxBytes(maxLength), 2);
  const texts = (schema.enum ?? []).map((value) => (typeof value === 'string' ? value : ''));
  const longest = texts.length > 0 ? Math.max(...texts.map(byteLength)) : MAX_STRING;
  return sized(stringType, longest, 2);
}

/** Gives the object types in a type their names, which begin with the one given. */
export function nameType(decl: DeclType, name: string): DeclType {
  if (decl.fields) {
    const own = decl.type.name === UNNAMED ? name : decl.type.name;
    const fields = new Map(
      [...decl.fields].map(([field, type]) => [field, nameType(type, `${own}.${field}`)]),
    );
    return { ...decl, ...namedObject(own, fields), minSerializedSize: decl.minSerializedSize };
  }
  if (!decl.elem) return decl;
  const elem = nameType(decl.elem, decl.key ? `${name}.@elem` : `${name}.@idx`);
  const type = decl.key ? mapType(decl.key.type, elem.type) : listType(elem.type);
  return { ...decl, type, elem };
}

/** How often data of a type can occur in one request at most. */
export function maxCardinality(decl: DeclType): number {
  return Math.floor(MAX_REQUEST_BYTES / (decl.minSerializedSize + 1));
}
