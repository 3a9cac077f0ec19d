import {
  ATOMIC,
  DEDUCED,
  type FieldSchema,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
} from './merge-schema.ts';

/** The part of a structural schema that decides how values are merged. */
export interface StructuralSchema {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, StructuralSchema>> | undefined;
  readonly additionalProperties?: StructuralSchema | boolean | undefined;
  readonly items?: StructuralSchema | readonly StructuralSchema[] | undefined;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean | undefined;
  readonly 'x-kubernetes-embedded-resource'?: boolean | undefined;
  readonly 'x-kubernetes-list-type'?: string | undefined;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[] | undefined;
  readonly 'x-kubernetes-map-type'?: string | undefined;
}

/** What a structural schema does not say itself. */
export interface StructuralOptions {
  /** How metadata is merged, in the object itself and in objects inside it. */
  readonly metadata: MergeSchema;
  /** Whether unknown fields are kept everywhere, as spec.preserveUnknownFields of old definitions says. */
  readonly preserveUnknownFields?: boolean;
}

/** How objects of a custom kind are merged; without a schema they are taken as they come. */
export function mergeSchemaOfStructural(
  schema: StructuralSchema | undefined,
  options: StructuralOptions,
): MergeSchema {
  if (schema === undefined) return DEDUCED;
  return convert(
    { ...schema, 'x-kubernetes-embedded-resource': true },
    {
      metadata: options.metadata,
      preserves: options.preserveUnknownFields === true,
    },
  );
}

interface Place {
  readonly metadata: MergeSchema;
  /** Whether this schema or one around it keeps unknown fields. */
  readonly preserves: boolean;
}

function convert(schema: StructuralSchema, around: Place): MergeSchema {
  const preserves = around.preserves || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const place = { ...around, preserves };
  switch (schema.type ?? '') {
    case 'object':
      return { map: mapSchema(schema, place) };
    case 'array':
      return { list: listSchema(schema, place) };
    case 'integer':
    case 'number':
      return { scalar: 'numeric' };
    case 'boolean':
      return { scalar: 'boolean' };
    case 'string':
      // What has a format may be sent in another form than text, as far as upstream is concerned.
      return { scalar: ['', 'byte'].includes(schema.format ?? '') ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listSchema(schema, place), map: mapSchema(schema, place) };
  }
}

const TEXT: FieldSchema = { schema: { scalar: 'string' } };

function mapSchema(schema: StructuralSchema, place: Place): MapSchema {
  const fields = new Map<string, FieldSchema>();
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    fields.set(name, {
      schema: convert(member, place),
      ...(member.default === undefined ? {} : { default: member.default }),
    });
  }
  if (schema['x-kubernetes-embedded-resource'] === true) {
    fields.set('apiVersion', TEXT);
    fields.set('kind', TEXT);
    fields.set('metadata', { schema: place.metadata });
  }
  const others = othersOf(schema, fields.size, place);
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    field: (name) => fields.get(name),
    others: others && (() => others),
    isDeduced: fields.size === 0 && others === DEDUCED,
  };
}

function othersOf(
  { additionalProperties }: StructuralSchema,
  declared: number,
  place: Place,
): MergeSchema | undefined {
  if (additionalProperties === undefined) {
    // Where nothing is declared, everything may be there.
    return place.preserves || declared === 0 ? DEDUCED : undefined;
  }
  if (typeof additionalProperties === 'boolean') return additionalProperties ? DEDUCED : undefined;
  return convert(additionalProperties, place);
}

function listSchema(schema: StructuralSchema, place: Place): ListSchema {
  const type = schema['x-kubernetes-list-type'];
  const of = schema.items;
  const items =
    of === undefined || Array.isArray(of) ? ATOMIC : convert(of as StructuralSchema, place);
  return {
    atomic: type !== 'set' && type !== 'map',
    keys: type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [],
    items: () => items,
  };
}
