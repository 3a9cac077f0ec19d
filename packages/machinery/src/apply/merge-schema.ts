import { isMap, isScalar } from './values.ts';

/** What kind of scalar a field holds; `untyped` takes any. */
export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/**
 * How values of one type are merged. Most types have one of the three forms; types that are not known take whichever
 * form the value has.
 */
export interface MergeSchema {
  readonly scalar?: Scalar;
  readonly list?: ListSchema;
  readonly map?: MapSchema;
}

/** A list: one value as a whole, a set of scalars, or items told apart by key fields. */
export interface ListSchema {
  readonly atomic: boolean;
  /** Fields that tell items apart; none for a set of scalars. */
  readonly keys: readonly string[];
  readonly items: () => MergeSchema;
}

/** A struct, a map, or both. */
export interface MapSchema {
  readonly atomic: boolean;
  /** A declared field, or undefined when the name is not declared. */
  readonly field: (name: string) => FieldSchema | undefined;
  /** What values of names that are not declared are; undefined where there may be none. */
  readonly others: (() => MergeSchema) | undefined;
  /** True when nothing is known: no field is declared and others are deduced. */
  readonly isDeduced: boolean;
}

/** A declared field. */
export interface FieldSchema {
  readonly schema: MergeSchema;
  /** What a list key counts as where an item does not have it. */
  readonly default?: unknown;
}

/** Any value, taken as a whole. */
export const ATOMIC: MergeSchema = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => ATOMIC },
  map: { atomic: true, field: () => undefined, others: () => ATOMIC, isDeduced: false },
};

/** Any value: maps are merged field by field, lists are taken as a whole. */
export const DEDUCED: MergeSchema = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], items: () => ATOMIC },
  map: { atomic: false, field: () => undefined, others: () => DEDUCED, isDeduced: true },
};

/** A form of a value; `any` where the value does not decide and the schema leaves it open. */
export type Form = 'map' | 'scalar' | 'list' | 'any';

/** The form in which a value of this type is to be taken. */
export function formOf(schema: MergeSchema, value: unknown): Form {
  if (isScalar(value)) {
    if (schema.scalar !== undefined) return 'scalar';
  } else if (Array.isArray(value)) {
    if (schema.list !== undefined) return 'list';
  } else if (isMap(value) && schema.map !== undefined) {
    return 'map';
  }
  return onlyForm(schema);
}

function onlyForm({ map, scalar, list }: MergeSchema): Form {
  if (map !== undefined) return scalar === undefined && list === undefined ? 'map' : 'any';
  if (scalar !== undefined) return list === undefined ? 'scalar' : 'any';
  return 'list';
}

/** The form upstream takes where the value left it open: a map before a scalar before a list. */
export function settle(schema: MergeSchema, form: Form): 'map' | 'scalar' | 'list' {
  if (form !== 'any') return form;
  return schema.map !== undefined ? 'map' : schema.scalar !== undefined ? 'scalar' : 'list';
}

/** The schema of a member of a map; undefined when the name may not be there. */
export function memberSchema(map: MapSchema, name: string): MergeSchema | undefined {
  return map.field(name)?.schema ?? map.others?.();
}
