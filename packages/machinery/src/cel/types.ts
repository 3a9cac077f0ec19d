/** The kinds of types that the checker tells apart. */
export type CelKind =
  | 'dyn'
  | 'error'
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'type'
  | 'list'
  | 'map'
  | 'object'
  | 'opaque'
  | 'param';

/** A type as the checker sees it; make one with the constants and functions of this file. */
export interface CelType {
  readonly kind: CelKind;
  /** The name that `type(x)` shows and error texts carry. */
  readonly name: string;
  /** Element types of a list, a map, a type or an opaque type such as `optional_type`. */
  readonly params: readonly CelType[];
  /** The fields of an object type; undefined where none are declared. */
  readonly fields?: ReadonlyMap<string, CelType>;
}

const NONE: readonly CelType[] = [];

const simple = (kind: CelKind, name: string): CelType => ({ kind, name, params: NONE });

export const dynType = simple('dyn', 'dyn');
export const errorType = simple('error', '!error!');
export const nullType = simple('null', 'null_type');
export const boolType = simple('bool', 'bool');
export const intType = simple('int', 'int');
export const uintType = simple('uint', 'uint');
export const doubleType = simple('double', 'double');
export const stringType = simple('string', 'string');
export const bytesType = simple('bytes', 'bytes');
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp');
export const durationType = simple('duration', 'google.protobuf.Duration');

/** The type of lists whose elements have one type. */
export const listType = (elem: CelType): CelType => ({
  kind: 'list',
  name: 'list',
  params: [elem],
});

/** The type of maps with keys and values of one type each. */
export const mapType = (key: CelType, value: CelType): CelType => ({
  kind: 'map',
  name: 'map',
  params: [key, value],
});

/** The type of a type, as `type(1)` has it. */
export const typeType = (of?: CelType): CelType => ({
  kind: 'type',
  name: 'type',
  params: of ? [of] : NONE,
});

/** A type known by name alone, whose values only its own functions read. */
export const opaqueType = (name: string, ...params: CelType[]): CelType => ({
  kind: 'opaque',
  name,
  params,
});

/** The type of a value that may be absent. */
export const optionalType = (of: CelType): CelType => opaqueType('optional_type', of);

/** A type with named fields; two object types are the same when their names are. */
export const objectType = (name: string, fields?: ReadonlyMap<string, CelType>): CelType =>
  fields ? { kind: 'object', name, params: NONE, fields } : simple('object', name);

/** A type variable in the signature of a function. */
export const paramType = (name: string): CelType => simple('param', name);

/** Whether a type is `optional_type` of something. */
export const isOptionalType = (type: CelType): boolean =>
  type.kind === 'opaque' && type.name === 'optional_type';

/** A type as cel-go writes it in its messages, such as `map(string, list(int))`. */
export function formatType(type: CelType): string {
  if (type.params.length === 0) return SHORT_NAMES[type.kind] ?? type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}

const SHORT_NAMES: Readonly<Partial<Record<CelKind, string>>> = {
  duration: 'duration',
  timestamp: 'timestamp',
  null: 'null',
};
