import type { Json } from '../object.ts';
import { setOwn } from '../values/own-key.ts';
import { additionalOf, itemsOf, propertiesOf } from './node.ts';
import { isIntOrStringAllOf, isIntOrStringAnyOf } from './structural/int-or-string.ts';
import { structuralProblems } from './structural/structural-problems.ts';
import type { JsonSchemaProps } from './types.ts';

/** What publishing needs to know of one CRD version. */
export interface PublishedVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly schema: JsonSchemaProps | undefined;
  /** spec.preserveUnknownFields of the CRD: OpenAPI v2 then says nothing about the fields. */
  readonly preserveUnknownFields?: boolean;
  /** The version's selectableFields. */
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

type Form = 'v2' | 'v3';

const OBJECT_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta';
const LIST_META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta';
const intOrString: readonly JsonSchemaProps[] = [{ type: 'integer' }, { type: 'string' }];

/** The schema of the kind as /openapi/v3 gives it, with metadata as a $ref to ObjectMeta. */
export function openApiSchemaV3(published: PublishedVersion): Json {
  return publish(published, 'v3');
}

/** The schema of the kind as /openapi/v2 gives it: what Swagger 2 and kubectl's reader of it cannot say is left out. */
export function openApiSchemaV2(published: PublishedVersion): Json {
  return publish(published, 'v2');
}

/** The schema of the list kind; `name` is the definition of the kind, such as `dev.example.v1.Widget`. */
export function openApiListSchema(published: PublishedVersion, name: string, form: Form): Json {
  return {
    type: 'object',
    required: ['items'],
    properties: {
      apiVersion: { type: 'string' },
      items: { type: 'array', items: plainReference(name, form) },
      kind: { type: 'string' },
      metadata: reference(LIST_META, form),
    },
    ...extensions({ ...published, kind: published.listKind ?? `${published.kind}List` }),
  };
}

/** The name of a kind's definition: the group's parts reversed, then version and kind. */
export function definitionName({ group, version, kind }: PublishedVersion): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

function publish(published: PublishedVersion, form: Form): Json {
  const { schema, preserveUnknownFields } = published;
  const isFree =
    form === 'v2' &&
    (schema?.['x-kubernetes-preserve-unknown-fields'] === true || preserveUnknownFields === true);
  if (schema === undefined || isFree || structuralProblems(schema, '').length > 0) {
    // Naming some properties would make kubectl refuse all others.
    return { type: 'object', ...extensions(published) };
  }
  const shown = translate(form === 'v2' ? simplified(schema) : schema, form);
  const properties = { ...(shown['properties'] as Json | undefined) };
  properties['apiVersion'] = { type: 'string' };
  properties['kind'] = { type: 'string' };
  properties['metadata'] = reference(OBJECT_META, form);
  return { ...shown, properties, ...extensions(published) };
}

function extensions(published: PublishedVersion): Json {
  const { group, version, kind, selectableFields = [] } = published;
  const fields = selectableFields.map(({ jsonPath }) => ({
    fieldPath: jsonPath.replace(/^\./, ''),
  }));
  return {
    'x-kubernetes-group-version-kind': [{ group, version, kind }],
    ...(fields.length === 0 ? {} : { 'x-kubernetes-selectable-fields': fields }),
  };
}

function plainReference(name: string, form: Form): Json {
  return { $ref: `${form === 'v2' ? '#/definitions/' : '#/components/schemas/'}${name}` };
}

/** Version 3 cannot hold a $ref beside other members, so it is wrapped where upstream adds a description. */
function reference(name: string, form: Form): Json {
  if (form === 'v2') return plainReference(name, form);
  return { allOf: [plainReference(name, form)] };
}

/** Rewrites a schema and all in it for publishing. */
function translate(schema: JsonSchemaProps, form: Form): Json {
  const {
    id: _id,
    $schema: _schema,
    externalDocs: _docs,
    example: _example,
    nullable,
    default: value,
    properties,
    ...rest
  } = form === 'v3' ? unfolded(schema) : schema;
  const shown: Json = { ...rest };
  if (nullable === true) shown['nullable'] = true;
  // The real server leaves defaults out of version 2.
  if (value !== undefined && value !== null && form === 'v3') shown['default'] = value;
  const items = itemsOf(schema);
  if (items !== undefined) shown['items'] = translate(items, form);
  const additional = additionalOf(schema);
  if (additional !== undefined) shown['additionalProperties'] = translate(additional, form);
  if (properties !== undefined) {
    const translated: Json = {};
    for (const [name, property] of propertiesOf(schema)) {
      setOwn(translated, name, translate(property, form));
    }
    shown['properties'] = translated;
  }
  const isFree = schema['x-kubernetes-preserve-unknown-fields'] === true && form === 'v2';
  if (schema['x-kubernetes-embedded-resource'] === true && !isFree) addTypeMeta(shown, form);
  return shown;
}

/** Int-or-string names its types, where the CRD did not. */
function unfolded(schema: JsonSchemaProps): JsonSchemaProps {
  if (schema['x-kubernetes-int-or-string'] !== true) return schema;
  if (isIntOrStringAnyOf(schema) || isIntOrStringAllOf(schema)) return schema;
  if (schema.anyOf === undefined) return { ...schema, anyOf: intOrString };
  return { ...schema, allOf: [{ anyOf: intOrString }, ...(schema.allOf ?? [])] };
}

function addTypeMeta(shown: Json, form: Form): void {
  const required = [...((shown['required'] as readonly string[] | undefined) ?? [])];
  for (const name of ['kind', 'apiVersion']) {
    if (!required.includes(name)) required.push(name);
  }
  shown['required'] = required;
  shown['properties'] = {
    ...(shown['properties'] as Json | undefined),
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: reference(OBJECT_META, form),
  };
}

/** Drops what version 2 cannot say, and what makes kubectl misread the rest. */
function simplified(schema: JsonSchemaProps): JsonSchemaProps {
  const {
    allOf: _allOf,
    anyOf: _anyOf,
    oneOf: _oneOf,
    not: _not,
    nullable = false,
    type,
    items: _items,
    properties: _properties,
    required,
    additionalProperties,
    ...rest
  } = schema;
  const isPreserving = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isUntyped = nullable || isPreserving;
  const items = isUntyped ? undefined : itemsOf(schema);
  const properties = isUntyped ? [] : propertiesOf(schema);
  const additional = additionalOf(schema);
  const keepsType =
    !nullable && !(type === 'array' && items === undefined) && !(isPreserving && type === 'object');
  const nullableNames = properties
    .filter(([, { nullable: isNull }]) => isNull)
    .map(([name]) => name);
  const names = (additional?.nullable === true ? [] : (required ?? [])).filter(
    (name) => !nullableNames.includes(name),
  );
  return {
    ...rest,
    ...(keepsType && type !== undefined ? { type } : {}),
    ...(names.length === 0 ? {} : { required: names }),
    ...(items === undefined ? {} : { items: simplified(items) }),
    ...(properties.length === 0
      ? {}
      : {
          properties: Object.fromEntries(
            properties.map(([name, property]) => [name, simplified(property)]),
          ),
        }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            additional === undefined ? additionalProperties : simplified(additional),
        }),
  };
}
