import { compareText } from './text.ts';
import {
  CelDuration,
  type CelFault,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';
import { spend } from './work.ts';

/** Lists and maps that know better than element by element when they are equal. */
export interface OwnEquality {
  equalTo(other: CelValue): boolean | CelFault;
}

const hasOwnEquality = (value: object): value is OwnEquality & CelValue => 'equalTo' in value;

/** Whether two values are equal; numbers of different types are equal when their values are. */
export function celEquals(a: CelValue, b: CelValue): boolean | CelFault {
  if (a === null || b === null) return a === b;
  switch (typeof a) {
    case 'string':
    case 'boolean':
      return a === b;
    case 'bigint':
      if (typeof b === 'bigint') return a === b;
      return b instanceof CelUint ? a === b.value : typeof b === 'number' && equalNumbers(b, a);
    case 'number':
      if (typeof b === 'number') return a === b;
      if (typeof b === 'bigint') return equalNumbers(a, b);
      return b instanceof CelUint && equalNumbers(a, b.value);
    default:
      return equalObjects(a, b);
  }
}

/** Integers are compared with doubles as doubles. */
const equalNumbers = (double: number, int: bigint): boolean => double === Number(int);

function equalObjects(a: CelValue & object, b: CelValue): boolean | CelFault {
  if (hasOwnEquality(a)) return a.equalTo(b);
  if (a instanceof CelList) return b instanceof CelList && equalLists(a, b);
  if (a instanceof CelMap) return b instanceof CelMap ? equalMaps(a, b) : false;
  if (a instanceof CelUint) return typeof b === 'object' ? equalUints(a, b) : celEquals(b, a);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && equalBytes(a, b);
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp && a.seconds === b.seconds && a.nanos === b.nanos;
  }
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOptional) return b instanceof CelOptional && equalOptionals(a, b);
  if (a instanceof CelOpaque) {
    return b instanceof CelOpaque && a.typeName === b.typeName ? a.equals(b) : false;
  }
  return a;
}

const equalUints = (a: CelUint, b: CelValue): boolean =>
  b instanceof CelUint && a.value === b.value;

function equalLists(a: CelList, b: CelList): boolean | CelFault {
  if (a.size !== b.size) return false;
  spend(a.size);
  for (let i = 0; i < a.size; i++) {
    if (celEquals(a.at(i), b.at(i)) === false) return false;
  }
  return true;
}

function equalMaps(a: CelMap, b: CelMap): boolean | CelFault {
  if (a.size !== b.size) return false;
  spend(a.size);
  for (const key of a.keys()) {
    const other = b.get(key);
    if (other === undefined) return false;
    if (celEquals(a.get(key) as CelValue, other) === false) return false;
  }
  return true;
}

function equalOptionals(a: CelOptional, b: CelOptional): boolean | CelFault {
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return celEquals(a.value, b.value);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The sign of a comparison; undefined where the two have no order. */
export function celCompare(a: CelValue, b: CelValue): number | undefined {
  switch (typeof a) {
    case 'bigint':
      if (typeof b === 'bigint') return order(a, b);
      if (b instanceof CelUint) return order(a, b.value);
      return typeof b === 'number' ? compareWithDouble(a, b) : undefined;
    case 'number':
      if (typeof b === 'number')
        return Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : order(a, b);
      if (typeof b === 'bigint') return -compareWithDouble(b, a);
      return b instanceof CelUint ? -compareWithDouble(b.value, a) : undefined;
    case 'string':
      return typeof b === 'string' ? compareText(a, b) : undefined;
    case 'boolean':
      return typeof b === 'boolean' ? Number(a) - Number(b) : undefined;
    default:
      return compareObjects(a, b);
  }
}

function compareObjects(a: CelValue, b: CelValue): number | undefined {
  if (a instanceof CelUint) {
    if (b instanceof CelUint) return order(a.value, b.value);
    if (typeof b === 'bigint') return order(a.value, b);
    return typeof b === 'number' ? compareWithDouble(a.value, b) : undefined;
  }
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) {
    return order(a.seconds, b.seconds) || order(a.nanos, b.nanos);
  }
  if (a instanceof CelDuration && b instanceof CelDuration) return order(a.nanos, b.nanos);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  return undefined;
}

function order<T extends bigint | number>(a: T, b: T): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function compareWithDouble(int: bigint, double: number): number {
  return Number.isNaN(double) ? Number.NaN : order(Number(int), double);
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}
