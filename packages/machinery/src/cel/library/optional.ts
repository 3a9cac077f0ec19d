import {
  boolType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  paramType,
  stringType,
} from '../types.ts';
import { describe } from '../values/describe.ts';
import { ValueList } from '../values/lists.ts';
import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
} from '../values/value.ts';
import { define, type FunctionDecl, global, member } from './function.ts';

const K = paramType('K');
const V = paramType('V');
const optionalV = optionalType(V);
const listV = listType(V);
const mapKV = mapType(K, V);

/** Whether a value is what its type starts from: zero, empty or null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0;
  if (value instanceof CelDuration) return value.nanos === 0n;
  // Go's zero time is the first of January of the year one.
  if (value instanceof CelTimestamp) return value.seconds === -62_135_596_800 && value.nanos === 0;
  return value instanceof CelOptional && value.value === undefined;
}

function unwrap(list: CelList): CelValue {
  const values: CelValue[] = [];
  for (const value of list) {
    if (!(value instanceof CelOptional)) {
      return new CelFault(`value ${describe(value)} is not optional`);
    }
    if (value.value !== undefined) values.push(value.value);
  }
  return new ValueList(values);
}

const at = (list: CelList, index: number): CelValue =>
  list.size === 0 ? CelOptional.none : new CelOptional(list.at(index));

/** The evaluator has its own ways for these. */
const byEvaluator = (): CelValue => new CelFault('no such overload');

/** Optional values and the functions that make and read them. */
export const optionalFunctions: readonly FunctionDecl[] = [
  define(
    'optional.of',
    global('optional_of', {
      args: [V],
      result: optionalV,
      call: (value: CelValue) => new CelOptional(value),
    }),
  ),
  define(
    'optional.ofNonZeroValue',
    global('optional_ofNonZeroValue', {
      args: [V],
      result: optionalV,
      call: (value: CelValue) => (isZero(value) ? CelOptional.none : new CelOptional(value)),
    }),
  ),
  define(
    'optional.none',
    global('optional_none', { args: [], result: optionalV, call: () => CelOptional.none }),
  ),
  define(
    'value',
    member('optional_value', {
      args: [optionalV],
      result: V,
      call: (optional: CelOptional) =>
        optional.value ?? new CelFault('optional.none() dereference'),
    }),
  ),
  define(
    'hasValue',
    member('optional_hasValue', {
      args: [optionalV],
      result: boolType,
      call: (optional: CelOptional) => optional.value !== undefined,
    }),
  ),
  define(
    'or',
    member('optional_or_optional', {
      args: [optionalV, optionalV],
      result: optionalV,
      call: byEvaluator,
    }),
  ),
  define(
    'orValue',
    member('optional_orValue_value', { args: [optionalV, V], result: V, call: byEvaluator }),
  ),
  define(
    '_?._',
    global('select_optional_field', {
      args: [dynType, stringType],
      result: optionalV,
      call: byEvaluator,
    }),
  ),
  define(
    '_[?_]',
    global('list_optindex_optional_int', {
      args: [listV, intType],
      result: optionalV,
      call: byEvaluator,
    }),
    global('optional_list_optindex_optional_int', {
      args: [optionalType(listV), intType],
      result: optionalV,
      call: byEvaluator,
    }),
    global('map_optindex_optional_value', {
      args: [mapKV, K],
      result: optionalV,
      call: byEvaluator,
    }),
    global('optional_map_optindex_optional_value', {
      args: [optionalType(mapKV), K],
      result: optionalV,
      call: byEvaluator,
    }),
  ),
  define(
    '_[_]',
    global('optional_list_index_int', {
      args: [optionalType(listV), intType],
      result: optionalV,
      call: byEvaluator,
    }),
    global('optional_map_index_value', {
      args: [optionalType(mapKV), K],
      result: optionalV,
      call: byEvaluator,
    }),
  ),
  define(
    'first',
    member('list_first', { args: [listV], result: optionalV, call: (l: CelList) => at(l, 0) }),
  ),
  define(
    'last',
    member('list_last', {
      args: [listV],
      result: optionalV,
      call: (list: CelList) => at(list, list.size - 1),
    }),
  ),
  define(
    'optional.unwrap',
    global('optional_unwrap', { args: [listType(optionalV)], result: listV, call: unwrap }),
  ),
  define(
    'unwrapOpt',
    member('optional_unwrapOpt', { args: [listType(optionalV)], result: listV, call: unwrap }),
  ),
  // Loops insert in place; the declaration gives their step its type.
  define(
    'cel.@mapInsert',
    global('@mapInsert_map_key_value', { args: [mapKV, K, V], result: mapKV, call: byEvaluator }),
    global('@mapInsert_map_map', { args: [mapKV, mapKV], result: mapKV, call: byEvaluator }),
  ),
];
