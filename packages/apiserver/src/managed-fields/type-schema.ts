import {
  ATOMIC,
  DEDUCED,
  type FieldSchema,
  type ListSchema,
  type MapSchema,
  type MergeSchema,
} from '@flotilla/machinery/apply';
import {
  type Field,
  type FieldExtras,
  type GoType,
  isList,
  isMap,
  isPointer,
  isSpecial,
  isStruct,
  type SpecialType,
  type StructType,
} from '../codec/go-type.ts';

/** List keys with a default of their own; those Go always writes count as Go's zero value. */
const KEY_DEFAULTS: Readonly<Record<string, unknown>> = {
  'core/v1.ContainerPort.protocol': 'TCP',
  'core/v1.ServicePort.protocol': 'TCP',
  'core/v1.LocalObjectReference.name': '',
};

const schemas = new WeakMap<StructType, MergeSchema>();

/** How objects of a type from the tables are merged; made once for each type. */
export function mergeSchemaOfType(type: StructType): MergeSchema {
  let schema = schemas.get(type);
  if (schema === undefined) {
    schema = { map: structMap(type, type.mapType) };
    schemas.set(type, schema);
  }
  return schema;
}

function structMap(type: StructType, mapType: string | undefined): MapSchema {
  const fields = new Map<string, FieldSchema | undefined>();
  return {
    atomic: mapType === 'atomic',
    // Fields are made ready as objects that have them come by.
    field: (name) => {
      if (fields.has(name)) return fields.get(name);
      const field = type.field(name);
      const made = field && fieldSchema(type, field);
      // Names come from requests: only those that exist may stay.
      if (made !== undefined) fields.set(name, made);
      return made;
    },
    others: undefined,
    isDeduced: false,
  };
}

function fieldSchema(owner: StructType, field: Field): FieldSchema {
  const schema = schemaOf(field.type, field.extras);
  const own = KEY_DEFAULTS[`${owner.key}.${field.name}`];
  if (own !== undefined) return { schema, default: own };
  const zero = field.type.zero();
  const isWritten = zero !== null && typeof zero !== 'object' && !field.omits(zero);
  return isWritten ? { schema, default: zero } : { schema };
}

function schemaOf(type: GoType, extras: FieldExtras): MergeSchema {
  if (isPointer(type)) return schemaOf(type.to, extras);
  if (isStruct(type)) {
    return extras.mt === undefined ? mergeSchemaOfType(type) : { map: structMap(type, extras.mt) };
  }
  if (isList(type)) return { list: listSchema(type.of, extras) };
  if (isMap(type)) {
    const values = schemaOf(type.of, {});
    return {
      map: {
        atomic: extras.mt === 'atomic',
        field: () => undefined,
        others: () => values,
        isDeduced: false,
      },
    };
  }
  return isSpecial(type) ? specialSchema(type) : scalarSchema(type);
}

function listSchema(of: GoType, { lt, lk, ps, mk }: FieldExtras): ListSchema {
  let items: MergeSchema | undefined;
  const shared = {
    items: () => {
      items ??= schemaOf(of, {});
      return items;
    },
  };
  if (lt !== undefined)
    return { ...shared, atomic: lt === 'atomic', keys: lt === 'map' ? (lk ?? []) : [] };
  // Where no list type is given, upstream goes by how a strategic merge patch would treat the list.
  const isMerged = ps === 'merge' || ps === 'merge,retainKeys';
  return { ...shared, atomic: !isMerged, keys: isMerged && mk !== undefined ? [mk] : [] };
}

function specialSchema(type: SpecialType): MergeSchema {
  switch (type.special) {
    case 'time':
    case 'microTime':
    case 'quantity':
      return { scalar: 'untyped' };
    case 'duration':
      return { scalar: 'string' };
    case 'raw':
      if (type.goName === 'v1.FieldsV1' && DEDUCED.map !== undefined) return { map: DEDUCED.map };
      return type.goName === 'runtime.RawExtension' ? ATOMIC : DEDUCED;
    default:
      return DEDUCED;
  }
}

function scalarSchema(type: GoType): MergeSchema {
  switch (type.form) {
    case 'bool':
      return { scalar: 'boolean' };
    case 'int':
    case 'float':
      return { scalar: 'numeric' };
    case 'string':
    case 'bytes':
      return { scalar: 'string' };
    default:
      return DEDUCED;
  }
}
