import type { JsonSchemaProps } from './types.ts';

/** Schemas nested deeper than this are refused: recursion over them must be safe on any stack. */
export const MAX_SCHEMA_DEPTH = 400;

/** What a schema says about one place of an object, ready to be walked beside it. */
export interface SchemaNode {
  readonly type: string;
  readonly properties: ReadonlyMap<string, SchemaNode> | undefined;
  /** Set when additionalProperties is; its schema is undefined when it is only a boolean. */
  readonly additional: { readonly node: SchemaNode | undefined } | undefined;
  readonly items: SchemaNode | undefined;
  readonly preserve: boolean;
  readonly embedded: boolean;
  readonly nullable: boolean;
  /** Undefined when there is none; null counts as none, as upstream cannot tell them apart. */
  readonly default: unknown;
  readonly listType: string | undefined;
  readonly listKeys: readonly string[];
  readonly mapType: string | undefined;
  /** What occurs here or anywhere below, so that walks for it can skip the rest. */
  readonly below: {
    readonly defaults: boolean;
    readonly embedded: boolean;
    readonly listTypes: boolean;
  };
  readonly source: JsonSchemaProps;
}

/** The single schema of `items`; lists of schemas are not structural and count as none. */
export function itemsOf(schema: JsonSchemaProps): JsonSchemaProps | undefined {
  const { items } = schema;
  return items === undefined || isSchemaList(items) ? undefined : items;
}

/** The schemas of `items` where it is a list of them. */
export function itemListOf(schema: JsonSchemaProps): readonly JsonSchemaProps[] {
  return schema.items !== undefined && isSchemaList(schema.items) ? schema.items : [];
}

/** The schema of additionalProperties, unless that is a boolean or absent. */
export function additionalOf(schema: JsonSchemaProps): JsonSchemaProps | undefined {
  const { additionalProperties } = schema;
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/** The properties in the order they stand. */
export function propertiesOf(schema: JsonSchemaProps): [string, JsonSchemaProps][] {
  return schema.properties === undefined ? [] : Object.entries(schema.properties);
}

/** Every schema directly inside this one that the compiler looks at. */
export function partsOf(schema: JsonSchemaProps): JsonSchemaProps[] {
  const { allOf = [], anyOf = [], oneOf = [], not } = schema;
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  return [
    ...(items === undefined ? itemListOf(schema) : [items]),
    ...allOf,
    ...anyOf,
    ...oneOf,
    ...(not === undefined ? [] : [not]),
    ...propertiesOf(schema).map(([, property]) => property),
    ...(additional === undefined ? [] : [additional]),
  ];
}

/** Whether the schema is nested deeper than can be compiled. */
export function isTooDeep(schema: JsonSchemaProps): boolean {
  let level: readonly JsonSchemaProps[] = [schema];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_SCHEMA_DEPTH) return true;
    level = level.flatMap(partsOf);
  }
  return false;
}

/** Builds the tree of nodes; the root of a resource is always an embedded resource. */
export function schemaNode(schema: JsonSchemaProps, isRoot = false): SchemaNode {
  const items = itemsOf(schema);
  const additional = additionalOf(schema);
  const itemsNode = items === undefined ? undefined : schemaNode(items);
  const additionalNode = additional === undefined ? undefined : schemaNode(additional);
  const properties = propertiesOf(schema).map(([name, property]): [string, SchemaNode] => [
    name,
    schemaNode(property),
  ]);
  const parts = [itemsNode, additionalNode, ...properties.map(([, node]) => node)].filter(
    (node) => node !== undefined,
  );
  const listType = schema['x-kubernetes-list-type'];
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  const value = schema.default ?? undefined;
  return {
    type: schema.type ?? '',
    properties: properties.length === 0 ? undefined : new Map(properties),
    additional: schema.additionalProperties === undefined ? undefined : { node: additionalNode },
    items: itemsNode,
    preserve: schema['x-kubernetes-preserve-unknown-fields'] === true,
    embedded: embedded || isRoot,
    nullable: schema.nullable === true,
    default: value,
    listType,
    listKeys: schema['x-kubernetes-list-map-keys'] ?? [],
    mapType: schema['x-kubernetes-map-type'],
    below: {
      defaults: value !== undefined || parts.some(({ below }) => below.defaults),
      embedded: embedded || parts.some(({ below }) => below.embedded),
      listTypes:
        listType === 'set' || listType === 'map' || parts.some(({ below }) => below.listTypes),
    },
    source: schema,
  };
}

/** The node that describes the member `key` of an object, if any does. */
export function memberNode(node: SchemaNode, key: string): SchemaNode | undefined {
  return node.properties?.get(key) ?? node.additional?.node;
}

function isSchemaList(
  items: JsonSchemaProps | readonly JsonSchemaProps[],
): items is readonly JsonSchemaProps[] {
  return Array.isArray(items);
}
