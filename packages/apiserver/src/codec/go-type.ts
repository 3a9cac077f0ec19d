import type { Pass } from './pass.ts';

/** What distinguishes one Go type from another once decoded. */
export type GoForm =
  | 'bool'
  | 'int'
  | 'float'
  | 'string'
  | 'bytes'
  | 'any'
  | 'list'
  | 'map'
  | 'pointer'
  | 'struct'
  | 'special';

/** One Go type, able to turn decoded JSON into what Go would hold and write again. */
export interface GoType {
  readonly form: GoForm;
  /** As Go prints the type in error texts: `v1.PodSpec`, `[]v1.Container`, `map[string]string`. */
  readonly goName: string;
  /** Gives the canonical form of a JSON value; reports through the pass. */
  readonly decode: (value: unknown, pass: Pass) => unknown;
  /** What Go writes for the type's zero value; a fresh object where it is one. */
  readonly zero: () => unknown;
  /** Whether `omitempty` leaves this canonical value out. */
  readonly isEmpty: (value: unknown) => boolean;
  /** Whether `omitzero` leaves this canonical value out. */
  readonly isZero: (value: unknown) => boolean;
}

/** A signed or unsigned integer of some width. */
export interface IntType extends GoType {
  readonly form: 'int';
  readonly signed: boolean;
  readonly bits: 8 | 32 | 64;
}

/** A slice; `wrapper` when protobuf knows it as a message of its own with one repeated field. */
export interface ListType extends GoType {
  readonly form: 'list';
  readonly of: GoType;
  readonly wrapper: boolean;
}

/** A map with string keys. */
export interface MapType extends GoType {
  readonly form: 'map';
  readonly of: GoType;
}

/** A pointer, which may be nil. */
export interface PointerType extends GoType {
  readonly form: 'pointer';
  readonly to: GoType;
}

/** A type with a JSON and a protobuf form of its own. */
export interface SpecialType extends GoType {
  readonly form: 'special';
  readonly special: SpecialForm;
  /** The schema type inside the …OrBool, …OrArray and …OrStringArray types. */
  readonly inner: (() => StructType) | undefined;
}

/** The types with a wire form of their own. */
export type SpecialForm =
  | 'time'
  | 'microTime'
  | 'duration'
  | 'quantity'
  | 'intOrString'
  | 'raw'
  | 'schemaOrBool'
  | 'schemaOrArray'
  | 'schemaOrStringArray';

/** What struct tags and markers say about a field beyond its type. */
export interface FieldExtras {
  /** patchMergeKey */
  readonly mk?: string;
  /** patchStrategy, as in the tag */
  readonly ps?: string;
  /** x-kubernetes-list-type */
  readonly lt?: string;
  /** x-kubernetes-list-map-keys */
  readonly lk?: readonly string[];
  /** x-kubernetes-map-type */
  readonly mt?: string;
}

/** When a field is left out of the JSON: never, when empty, when zero, or when nil. */
export type Omit = '' | 'e' | 'z' | 'n';

/** One JSON field of a struct; fields of inlined structs stand among the others. */
export interface Field {
  readonly name: string;
  readonly type: GoType;
  /** Position in Go's order of writing. */
  readonly index: number;
  /** Whether this canonical value is left out of the JSON. */
  readonly omits: (value: unknown) => boolean;
  readonly extras: FieldExtras;
}

/** One field as protobuf numbers it: an inlined struct is a message of its own there. */
export interface Member {
  /** '' for an inlined struct. */
  readonly name: string;
  readonly type: GoType;
  /** 0 when the field is not in protobuf. */
  readonly number: number;
}

/** A struct; its fields are resolved on first use. */
export interface StructType extends GoType {
  readonly form: 'struct';
  /** The bare name Go puts before a field in error texts: `PodSpec`. */
  readonly name: string;
  /** The name in the tables: `core/v1.PodSpec`. */
  readonly key: string;
  /** x-kubernetes-map-type: 'atomic' when the struct is merged as a whole. */
  readonly mapType: string | undefined;
  readonly fields: () => readonly Field[];
  readonly field: (name: string) => Field | undefined;
  readonly members: () => readonly Member[];
}

/** Whether the type is a struct. */
export function isStruct(type: GoType): type is StructType {
  return type.form === 'struct';
}

/** Whether the type is a slice. */
export function isList(type: GoType): type is ListType {
  return type.form === 'list';
}

/** Whether the type is a map. */
export function isMap(type: GoType): type is MapType {
  return type.form === 'map';
}

/** Whether the type is a pointer. */
export function isPointer(type: GoType): type is PointerType {
  return type.form === 'pointer';
}

/** Whether the type is an integer. */
export function isInt(type: GoType): type is IntType {
  return type.form === 'int';
}

/** Whether the type has a wire form of its own. */
export function isSpecial(type: GoType): type is SpecialType {
  return type.form === 'special';
}
