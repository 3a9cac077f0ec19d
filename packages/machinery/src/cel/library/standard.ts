import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  paramType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types.ts';
import { celEquals } from '../values/equality.ts';
import { codePointLength } from '../values/text.ts';
import { CelFault, CelList, CelMap, type CelValue } from '../values/value.ts';
import { conversions } from './conversions.ts';
import { define, type FunctionDecl, global, type Implementation, member } from './function.ts';
import {
  add,
  comparison,
  contains,
  divide,
  modulo,
  multiply,
  NO_OVERLOAD,
  negate,
  not,
  subtract,
} from './operators.ts';
import { matches } from './patterns.ts';
import { timeFunctions } from './time-functions.ts';

const A = paramType('A');
const B = paramType('B');
const listOfA = listType(A);
const mapOfAB = mapType(A, B);

type Row = readonly [id: string, args: readonly CelType[], result: CelType];

/** An operator with one implementation for all its signatures. */
const operator = (name: string, call: Implementation, rows: readonly Row[]): FunctionDecl =>
  define(name, ...rows.map(([id, args, result]) => global(id, { args, result, call })));

const COMPARED: readonly (readonly [string, CelType, CelType])[] = [
  ['bool', boolType, boolType],
  ['int64', intType, intType],
  ['int64_double', intType, doubleType],
  ['int64_uint64', intType, uintType],
  ['uint64', uintType, uintType],
  ['uint64_double', uintType, doubleType],
  ['uint64_int64', uintType, intType],
  ['double', doubleType, doubleType],
  ['double_int64', doubleType, intType],
  ['double_uint64', doubleType, uintType],
  ['string', stringType, stringType],
  ['bytes', bytesType, bytesType],
  ['timestamp', timestampType, timestampType],
  ['duration', durationType, durationType],
];

const compare = (name: string, prefix: string, holds: (sign: number) => boolean): FunctionDecl =>
  operator(
    name,
    comparison(name, holds),
    COMPARED.map(([id, left, right]) => [`${prefix}_${id}`, [left, right], boolType]),
  );

const same = (id: string, type: CelType): Row => [id, [type, type], type];

/** The evaluator has its own ways for these, since they do not evaluate all arguments. */
const byEvaluator: Implementation = () => NO_OVERLOAD;

function size(value: CelValue): CelValue {
  if (typeof value === 'string') return BigInt(codePointLength(value));
  if (value instanceof CelList || value instanceof CelMap) return BigInt(value.size);
  if (value instanceof Uint8Array) return BigInt(value.length);
  return new CelFault('no such overload: size');
}

const SIZED: readonly (readonly [string, CelType])[] = [
  ['bytes', bytesType],
  ['list', listOfA],
  ['map', mapOfAB],
  ['string', stringType],
];

/** Members of strings, which check their arguments themselves. */
const textTest = (
  name: string,
  id: string,
  test: (text: string, other: string) => CelValue,
): FunctionDecl =>
  define(
    name,
    member(id, {
      args: [stringType, stringType],
      result: boolType,
      call: (text: CelValue, other: CelValue) =>
        typeof text === 'string' && typeof other === 'string' ? test(text, other) : NO_OVERLOAD,
    }),
  );

/** The functions and operators of the language itself. */
export const standardFunctions: readonly FunctionDecl[] = [
  operator('_?_:_', byEvaluator, [['conditional', [boolType, A, A], A]]),
  operator('_&&_', byEvaluator, [['logical_and', [boolType, boolType], boolType]]),
  operator('_||_', byEvaluator, [['logical_or', [boolType, boolType], boolType]]),
  operator('!_', not, [['logical_not', [boolType], boolType]]),
  operator('@not_strictly_false', byEvaluator, [['not_strictly_false', [boolType], boolType]]),
  operator('_==_', celEquals, [['equals', [A, A], boolType]]),
  operator('_!=_', byEvaluator, [['not_equals', [A, A], boolType]]),
  operator('_+_', add, [
    same('add_bytes', bytesType),
    same('add_double', doubleType),
    same('add_duration_duration', durationType),
    ['add_duration_timestamp', [durationType, timestampType], timestampType],
    ['add_timestamp_duration', [timestampType, durationType], timestampType],
    same('add_int64', intType),
    same('add_list', listOfA),
    same('add_string', stringType),
    same('add_uint64', uintType),
  ]),
  operator('_/_', divide, [
    same('divide_double', doubleType),
    same('divide_int64', intType),
    same('divide_uint64', uintType),
  ]),
  operator('_%_', modulo, [same('modulo_int64', intType), same('modulo_uint64', uintType)]),
  operator('_*_', multiply, [
    same('multiply_double', doubleType),
    same('multiply_int64', intType),
    same('multiply_uint64', uintType),
  ]),
  operator('-_', negate, [
    ['negate_double', [doubleType], doubleType],
    ['negate_int64', [intType], intType],
  ]),
  operator('_-_', subtract, [
    same('subtract_double', doubleType),
    same('subtract_duration_duration', durationType),
    same('subtract_int64', intType),
    ['subtract_timestamp_duration', [timestampType, durationType], timestampType],
    ['subtract_timestamp_timestamp', [timestampType, timestampType], durationType],
    same('subtract_uint64', uintType),
  ]),
  compare('_<_', 'less', (sign) => sign < 0),
  compare('_<=_', 'less_equals', (sign) => sign <= 0),
  compare('_>_', 'greater', (sign) => sign > 0),
  compare('_>=_', 'greater_equals', (sign) => sign >= 0),
  operator('_[_]', byEvaluator, [
    ['index_list', [listOfA, intType], A],
    ['index_map', [mapOfAB, A], B],
  ]),
  operator('@in', contains, [
    ['in_list', [A, listOfA], boolType],
    ['in_map', [A, mapOfAB], boolType],
  ]),
  define(
    'size',
    ...SIZED.flatMap(([id, type]) => [
      global(`size_${id}`, { args: [type], result: intType, call: size }),
      member(`${id}_size`, { args: [type], result: intType, call: size }),
    ]),
  ),
  define('type', global('type', { args: [A], result: typeType(A), call: byEvaluator })),
  define('dyn', global('to_dyn', { args: [A], result: dynType, call: (value: CelValue) => value })),
  ...conversions,
  textTest('contains', 'contains_string', (text, other) => text.includes(other)),
  textTest('endsWith', 'ends_with_string', (text, other) => text.endsWith(other)),
  textTest('startsWith', 'starts_with_string', (text, other) => text.startsWith(other)),
  define(
    'matches',
    global('matches', { args: [stringType, stringType], result: boolType, call: matches }),
    member('matches_string', { args: [stringType, stringType], result: boolType, call: matches }),
  ),
  ...timeFunctions,
];
