import { isJsonObject } from '../../values/json-kind.ts';
import { escapeProperty } from '../escaping.ts';
import type { CelSchema } from '../schema-type.ts';
import { parseBytes, parseDate, parseDateTime, parseOpenApiDuration } from './formats.ts';
import {
  type Adapter,
  PreservedData,
  SchemaList,
  SchemaMap,
  SchemaMapList,
  SchemaSet,
} from './schema-values.ts';
import { CelFault } from './value.ts';

/** Reads data by its schema, as an expression sees it; nested data when it is asked for. */
export function adapterOf(schema: CelSchema): Adapter {
  const read = readerOf(schema);
  return (data) => {
    if (data !== null && data !== undefined) return read(data);
    if (schema.nullable) return null;
    return new CelFault('invalid data, got null for schema with nullable=false');
  };
}

function readerOf(schema: CelSchema): Adapter {
  if (schema['x-kubernetes-int-or-string']) return readIntOrString;
  switch (schema.type) {
    case 'object':
      return objectReader(schema);
    case 'array':
      return arrayReader(schema);
    case 'string':
      return stringReader(schema.format);
    case 'number':
      return (data) =>
        typeof data === 'number' || typeof data === 'bigint'
          ? Number(data)
          : new CelFault(`invalid data, expected float, got ${goType(data)}`);
    case 'integer':
      return readInteger;
    case 'boolean':
      return (data) =>
        typeof data === 'boolean'
          ? data
          : new CelFault(`invalid data, expected bool, got ${goType(data)}`);
    default:
      return untypedReader(schema);
  }
}

function untypedReader(schema: CelSchema): Adapter {
  if (schema['x-kubernetes-preserve-unknown-fields']) return (data) => new PreservedData(data);
  const message = `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`;
  return () => new CelFault(message);
}

const isWhole = (data: unknown): data is number | bigint =>
  typeof data === 'bigint' || (typeof data === 'number' && Number.isInteger(data));

const readInteger: Adapter = (data) =>
  isWhole(data) ? BigInt(data) : new CelFault(`invalid data, expected int, got ${goType(data)}`);

const readIntOrString: Adapter = (data) => {
  if (typeof data === 'string') return data;
  if (isWhole(data)) return BigInt(data);
  return new CelFault('invalid data, expected XIntOrString value to be either a string or integer');
};

/** Adapters of properties are made when first needed: schemas are large, rules read little. */
class LazyAdapters extends Map<string, Adapter> {
  readonly #schemas: Readonly<Record<string, CelSchema>>;

  constructor(schemas: Readonly<Record<string, CelSchema>>) {
    super();
    this.#schemas = schemas;
  }

  override get(name: string): Adapter | undefined {
    const known = super.get(name);
    if (known || !Object.hasOwn(this.#schemas, name)) return known;
    const made = adapterOf(this.#schemas[name] as CelSchema);
    this.set(name, made);
    return made;
  }
}

function objectReader(declared: CelSchema): Adapter {
  const schema = declared['x-kubernetes-embedded-resource']
    ? withTypeAndObjectMeta(declared)
    : declared;
  const { properties, additionalProperties } = schema;
  const shape = {
    properties: properties && new LazyAdapters(properties),
    additional: typeof additionalProperties === 'object' ? lazily(additionalProperties) : undefined,
  };
  return (data) =>
    isJsonObject(data)
      ? new SchemaMap(data, shape)
      : new CelFault('invalid data, expected a map for the provided schema with type=object');
}

function lazily(schema: CelSchema): Adapter {
  let adapter: Adapter | undefined;
  return (data) => {
    adapter ??= adapterOf(schema);
    return adapter(data);
  };
}

function arrayReader(schema: CelSchema): Adapter {
  const { items } = schema;
  const single = Array.isArray(items) ? undefined : (items as CelSchema | undefined);
  const item = single && lazily(single);
  const keys = (schema['x-kubernetes-list-map-keys'] ?? []).map(
    (key) => escapeProperty(key) ?? key,
  );
  const type = schema['x-kubernetes-list-type'] ?? 'atomic';
  return (data) => {
    if (!Array.isArray(data)) {
      return new CelFault(
        'invalid data, expected an array for the provided schema with type=array',
      );
    }
    if (!item) {
      return new CelFault('invalid array type, expected Items with a non-empty Schema');
    }
    if (type === 'map') return new SchemaMapList(data, item, keys);
    return type === 'set' ? new SchemaSet(data, item) : new SchemaList(data, item);
  };
}

function stringReader(format: string | undefined): Adapter {
  const read = format === undefined ? undefined : STRING_FORMATS[format];
  return (data) => {
    if (typeof data !== 'string') {
      return new CelFault(`invalid data, expected string, got ${goType(data)}`);
    }
    return read ? read(data) : data;
  };
}

const STRING_FORMATS: Readonly<Record<string, (text: string) => ReturnType<Adapter>>> = {
  duration: (text) =>
    parseOpenApiDuration(text) ??
    new CelFault(`Invalid duration ${text}: unable to parse ${text} as a duration`),
  date: (text) => parseDate(text) ?? new CelFault(`Invalid date formatted string ${text}`),
  'date-time': (text) =>
    parseDateTime(text) ?? new CelFault(`Invalid date-time formatted string ${text}`),
  byte: (text) => parseBytes(text) ?? new CelFault(`Invalid byte formatted string ${text}`),
};

/** The Go type that decoded JSON would have, since messages name it. */
function goType(data: unknown): string {
  if (typeof data === 'string') return 'string';
  if (typeof data === 'boolean') return 'bool';
  if (isWhole(data)) return 'int64';
  if (typeof data === 'number') return 'float64';
  return Array.isArray(data) ? '[]interface {}' : 'map[string]interface {}';
}

const STRING: CelSchema = { type: 'string' };

/** A resource's schema with what every resource has, unless it already says so. */
export function withTypeAndObjectMeta(schema: CelSchema): CelSchema {
  const { properties } = schema;
  const metadata = properties?.['metadata'];
  const isComplete =
    properties?.['kind']?.type === 'string' &&
    properties['apiVersion']?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  if (isComplete) return schema;
  return {
    ...schema,
    properties: {
      ...properties,
      kind: STRING,
      apiVersion: STRING,
      metadata: { type: 'object', properties: { name: STRING, generateName: STRING } },
    },
  };
}
