import { type CelType, dynType, listType, mapType, objectType, stringType } from './types.ts';
import type { CelValue } from './values/value.ts';

/**
 * A type with what Kubernetes knows beyond it: how many elements a value can have at most, and how
 * short its JSON can be. Both feed the estimated cost.
 */
export interface DeclType {
  readonly type: CelType;
  /** Declared fields by their escaped names; only of objects. */
  readonly fields?: ReadonlyMap<string, DeclType>;
  readonly key?: DeclType;
  readonly elem?: DeclType;
  /** The most characters, bytes, items or entries that a value can have. */
  readonly maxElements: number;
  /** The length of the shortest JSON of a value. */
  readonly minSerializedSize: number;
  /** Turns JSON data into a value of this type; lazily where data is nested. */
  readonly adapt?: (data: unknown) => CelValue;
}

/** Declares a type without bounds, for variables that no schema describes. */
export const declare = (type: CelType): DeclType => ({
  type,
  maxElements: 0,
  minSerializedSize: 1,
});

/** A value of any type, read from JSON as it is. */
export const dynDecl: DeclType = declare(dynType);

/** Declares a list. */
export const listDecl = (elem: DeclType, maxItems = Number.MAX_SAFE_INTEGER): DeclType => ({
  type: listType(elem.type),
  elem,
  maxElements: maxItems,
  minSerializedSize: 2,
});

/** Declares a map with string keys, as JSON has them. */
export const mapDecl = (elem: DeclType, maxProperties = Number.MAX_SAFE_INTEGER): DeclType => ({
  type: mapType(stringType, elem.type),
  key: declare(stringType),
  elem,
  maxElements: maxProperties,
  minSerializedSize: 2,
});

/** Declares an object type by name, such as `kubernetes.AdmissionRequest`, with its fields. */
export function objectDecl(name: string, fields: Readonly<Record<string, DeclType>>): DeclType {
  const declared = new Map(Object.entries(fields));
  const types = new Map([...declared].map(([field, decl]) => [field, decl.type]));
  return { type: objectType(name, types), fields: declared, maxElements: 0, minSerializedSize: 2 };
}
