import { getOwn, isJsonObject, type Json } from '@flotilla/machinery';

/** A schema of an OpenAPI v3 document; anything may stand in it. */
export type Schema = Json;

/** The document of one group version, as a server describes it. */
export interface SchemaDocument {
  /** What `#/components/schemas/X` leads to; undefined where that is nothing. */
  readonly resolve: (schema: Schema) => Schema;
  /** The schema a `$ref` names; undefined where there is none. */
  readonly target: (ref: string) => Schema | undefined;
  /** Schemas by name, in the order of names. */
  readonly schemas: () => Iterable<Schema>;
  /** The operations of a path, by method. */
  readonly path: (path: string) => Json | undefined;
}

/** A document that can be looked things up in. */
export function schemaDocument(root: Json): SchemaDocument {
  const target = (ref: string): Schema | undefined => {
    if (!ref.startsWith('#')) return undefined;
    let current: unknown = root;
    for (const key of decoded(ref.slice(1)).split('/')) {
      if (key === '') continue;
      current = isJsonObject(current) ? getOwn(current, key) : undefined;
    }
    return isJsonObject(current) ? current : undefined;
  };
  const { paths, components } = root;
  return {
    target,
    resolve: (schema) => {
      const found = target(refOf(schema));
      return isFilled(found) ? found : schema;
    },
    schemas: function* () {
      const all = isJsonObject(components) ? components['schemas'] : undefined;
      if (!isJsonObject(all)) return;
      for (const name of Object.keys(all).sort()) {
        const schema = getOwn(all, name);
        if (isJsonObject(schema)) yield schema;
      }
    },
    path: (path) => {
      const found = isJsonObject(paths) ? getOwn(paths, path) : undefined;
      return isJsonObject(found) ? found : undefined;
    },
  };
}

/** The `$ref` of a schema, or nothing. */
export function refOf(schema: Schema): string {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? ref : '';
}

/** What templates of Go take for true: an object that has something in it. */
export function isFilled(value: unknown): value is Schema {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** The schemas of `allOf`. */
export function allOf(schema: Schema): Schema[] {
  const all = schema['allOf'];
  return Array.isArray(all) ? all.filter(isJsonObject) : [];
}

/** What a list or a map holds; undefined for other schemas. */
export function elementOf(schema: Schema, field: 'items' | 'additionalProperties') {
  const element = schema[field];
  return isFilled(element) ? element : undefined;
}

/** The names of an object's fields in their order, and what each is. */
export function fieldsOf(schema: Schema): [name: string, schema: Schema][] {
  const fields = schema['properties'];
  if (!isJsonObject(fields)) return [];
  return Object.keys(fields)
    .sort()
    .map((name) => {
      const field = getOwn(fields, name);
      return [name, isJsonObject(field) ? field : {}];
    });
}

/** One field of an object; undefined where it has no such, or says nothing of it. */
export function fieldOf(schema: Schema, name: string): Schema | undefined {
  const fields = schema['properties'];
  const field = isJsonObject(fields) ? getOwn(fields, name) : undefined;
  return isFilled(field) ? field : undefined;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
