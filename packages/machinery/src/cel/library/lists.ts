import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  paramType,
  stringType,
  timestampType,
  uintType,
} from '../types.ts';
import { celCompare, celEquals } from '../values/equality.ts';
import { CelDuration, CelFault, type CelList, CelUint, type CelValue } from '../values/value.ts';
import { define, type FunctionDecl, member, type Overload } from './function.ts';
import { add } from './operators.ts';

/** Types whose values have an order, by the names that overloads of Kubernetes have. */
export const COMPARABLE: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
];

const SUMMABLE: readonly (readonly [string, CelType, CelValue])[] = [
  ['int', intType, 0n],
  ['uint', uintType, new CelUint(0n)],
  ['double', doubleType, 0],
  ['duration', durationType, new CelDuration(0n)],
];

function isSorted(list: CelList): CelValue {
  let previous: CelValue | undefined;
  for (const value of list) {
    if (value instanceof CelFault) return value;
    if (previous !== undefined && (celCompare(previous, value) ?? 0) > 0) return false;
    previous = value;
  }
  return true;
}

const sum =
  (zero: CelValue) =>
  (list: CelList): CelValue => {
    let total = zero;
    for (const value of list) {
      total = add(total, value);
      if (total instanceof CelFault) return total;
    }
    return total;
  };

const extreme =
  (name: string, sign: number) =>
  (list: CelList): CelValue => {
    let best: CelValue | undefined;
    for (const value of list) {
      if (value instanceof CelFault) return value;
      if (best === undefined || Math.sign(celCompare(best, value) ?? 0) === sign) best = value;
    }
    return best ?? new CelFault(`${name} called on empty list`);
  };

function indexOf(list: CelList, item: CelValue): CelValue {
  for (let i = 0; i < list.size; i++) if (celEquals(list.at(i), item) === true) return BigInt(i);
  return -1n;
}

function lastIndexOf(list: CelList, item: CelValue): CelValue {
  for (let i = list.size - 1; i >= 0; i--) {
    if (celEquals(list.at(i), item) === true) return BigInt(i);
  }
  return -1n;
}

const A = paramType('A');

const overComparable = (make: (name: string, type: CelType) => Overload): Overload[] =>
  COMPARABLE.map(([name, type]) => make(name, type));

const ordered = (name: string, sign: number): FunctionDecl =>
  define(
    name,
    ...overComparable((of, type) =>
      member(`list_${of}_${name}_${of}`, {
        args: [listType(type)],
        result: type,
        call: extreme(name, sign),
      }),
    ),
  );

/** Kubernetes' list library. */
export const listFunctions: readonly FunctionDecl[] = [
  define(
    'isSorted',
    ...overComparable((of, type) =>
      member(`list_${of}_is_sorted_bool`, {
        args: [listType(type)],
        result: boolType,
        call: isSorted,
      }),
    ),
  ),
  define(
    'sum',
    ...SUMMABLE.map(([of, type, zero]) =>
      member(`list_${of}_sum_${of}`, { args: [listType(type)], result: type, call: sum(zero) }),
    ),
  ),
  ordered('max', -1),
  ordered('min', 1),
  define(
    'indexOf',
    member('list_a_index_of_int', { args: [listType(A), A], result: intType, call: indexOf }),
  ),
  define(
    'lastIndexOf',
    member('list_a_last_index_of_int', {
      args: [listType(A), A],
      result: intType,
      call: lastIndexOf,
    }),
  ),
];
