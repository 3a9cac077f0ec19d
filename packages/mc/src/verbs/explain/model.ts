import { getOwn, isJsonObject, type Json } from '@flotilla/machinery';

/** A schema of an OpenAPI v2 document, as kubectl takes it. */
export type Model =
  | { readonly is: 'fields'; readonly schema: Json; readonly fields: Json }
  | { readonly is: 'list' | 'map'; readonly schema: Json; readonly element: Json }
  | { readonly is: 'reference'; readonly schema: Json; readonly name: string; readonly to: Json }
  | { readonly is: 'primitive'; readonly schema: Json; readonly type: string }
  | { readonly is: 'anything'; readonly schema: Json };

/** What a schema is. What kubectl would refuse the whole document for can be anything here. */
export function modelOf(schema: Json, definitions: Json): Model {
  const { $ref: ref, type, properties, items, additionalProperties: values } = schema;
  if (typeof ref === 'string' && ref !== '') {
    const name = ref.replace(/^#\/definitions\//, '');
    const to = getOwn(definitions, name);
    if (!isJsonObject(to)) throw new TypeError(`its OpenAPI document has no definition of ${name}`);
    return { is: 'reference', schema, name, to };
  }
  if ((type === undefined || type === 'object') && isJsonObject(properties)) {
    return { is: 'fields', schema, fields: properties };
  }
  if (type === 'object') {
    // Of values that nothing is said of, kubectl says what it says of the map.
    const { description } = schema;
    const unknown: Json = description === undefined ? {} : { description };
    return { is: 'map', schema, element: isJsonObject(values) ? values : unknown };
  }
  if (type === 'array' && isJsonObject(items)) return { is: 'list', schema, element: items };
  if (typeof type === 'string' && PRIMITIVES.has(type)) return { is: 'primitive', schema, type };
  return { is: 'anything', schema };
}

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean']);

/** The definition of a kind; undefined where there is none. */
export function definitionOf(
  definitions: Json,
  wanted: { readonly group: string; readonly version: string; readonly kind: string },
): Json | undefined {
  // Of several the last counts, as names are ordered.
  for (const name of Object.keys(definitions).sort().reverse()) {
    const definition = getOwn(definitions, name);
    const kinds = isJsonObject(definition) ? definition['x-kubernetes-group-version-kind'] : [];
    if (!Array.isArray(kinds)) continue;
    const isOfKind = kinds.some(
      (each) =>
        isJsonObject(each) &&
        (['group', 'version', 'kind'] as const).every((field) => each[field] === wanted[field]),
    );
    if (isOfKind) return definition as Json;
  }
  return undefined;
}
