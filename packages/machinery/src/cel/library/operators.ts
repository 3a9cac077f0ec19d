import { celCompare, celEquals } from '../values/equality.ts';
import { JoinedList } from '../values/lists.ts';
import { addToTimestamp, durationOf, timeBetween } from '../values/time.ts';
import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelTimestamp,
  CelUint,
  type CelValue,
} from '../values/value.ts';

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

export const NO_OVERLOAD = new CelFault('no such overload');
const INT_OVERFLOW = new CelFault('integer overflow');
const UINT_OVERFLOW = new CelFault('unsigned integer overflow');
const DIVISION_BY_ZERO = new CelFault('division by zero');
const MODULUS_BY_ZERO = new CelFault('modulus by zero');

/** Texts and times have functions of their own, so cel-go asks those before it gives up. */
function lacking(operator: string, value: CelValue): CelFault {
  const isReceiver =
    typeof value === 'string' || value instanceof CelTimestamp || value instanceof CelDuration;
  return isReceiver ? NO_OVERLOAD : new CelFault(`no such overload: ${operator}`);
}

/** An int, or a fault where it does not fit 64 bits. */
export const intOf = (value: bigint): bigint | CelFault =>
  value > MAX_INT || value < MIN_INT ? INT_OVERFLOW : value;

/** An unsigned int, or a fault where it does not fit 64 bits. */
export const uintOf = (value: bigint): CelUint | CelFault =>
  value > MAX_UINT || value < 0n ? UINT_OVERFLOW : new CelUint(value);

/** Lists that are joined in their own way, such as those of list type map. */
export interface OwnAddition {
  plus(other: CelList): CelValue;
}

const hasOwnAddition = (list: CelList): list is CelList & OwnAddition => 'plus' in list;

/** `a + b`. */
export function add(a: CelValue, b: CelValue): CelValue {
  switch (typeof a) {
    case 'bigint':
      return typeof b === 'bigint' ? intOf(a + b) : NO_OVERLOAD;
    case 'string':
      return typeof b === 'string' ? a + b : NO_OVERLOAD;
    case 'number':
      return typeof b === 'number' ? a + b : NO_OVERLOAD;
    default:
      return addObjects(a, b);
  }
}

function addObjects(a: CelValue, b: CelValue): CelValue {
  if (a instanceof CelList) {
    if (!(b instanceof CelList)) return NO_OVERLOAD;
    if (hasOwnAddition(a)) return a.plus(b);
    if (a.size === 0) return b;
    return b.size === 0 ? a : new JoinedList(a, b);
  }
  if (a instanceof CelUint) return b instanceof CelUint ? uintOf(a.value + b.value) : NO_OVERLOAD;
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? joinBytes(a, b) : NO_OVERLOAD;
  if (a instanceof CelDuration) {
    if (b instanceof CelDuration) return durationOf(a.nanos + b.nanos);
    return b instanceof CelTimestamp ? addToTimestamp(b, a.nanos) : NO_OVERLOAD;
  }
  if (a instanceof CelTimestamp) {
    return b instanceof CelDuration ? addToTimestamp(a, b.nanos) : NO_OVERLOAD;
  }
  return lacking('_+_', a);
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}

/** `a - b`. */
export function subtract(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a - b) : NO_OVERLOAD;
  if (typeof a === 'number') return typeof b === 'number' ? a - b : NO_OVERLOAD;
  if (a instanceof CelUint) return b instanceof CelUint ? uintOf(a.value - b.value) : NO_OVERLOAD;
  if (a instanceof CelDuration) {
    return b instanceof CelDuration ? durationOf(a.nanos - b.nanos) : NO_OVERLOAD;
  }
  if (a instanceof CelTimestamp) {
    if (b instanceof CelTimestamp) return timeBetween(a, b);
    if (!(b instanceof CelDuration)) return NO_OVERLOAD;
    return b.nanos === MIN_INT ? INT_OVERFLOW : addToTimestamp(a, -b.nanos);
  }
  return lacking('_-_', a);
}

/** `a * b`. */
export function multiply(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? intOf(a * b) : NO_OVERLOAD;
  if (typeof a === 'number') return typeof b === 'number' ? a * b : NO_OVERLOAD;
  if (a instanceof CelUint) return b instanceof CelUint ? uintOf(a.value * b.value) : NO_OVERLOAD;
  return lacking('_*_', a);
}

/** `a / b`. */
export function divide(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return NO_OVERLOAD;
    return b === 0n ? DIVISION_BY_ZERO : intOf(a / b);
  }
  if (typeof a === 'number') return typeof b === 'number' ? a / b : NO_OVERLOAD;
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return NO_OVERLOAD;
    return b.value === 0n ? DIVISION_BY_ZERO : new CelUint(a.value / b.value);
  }
  return lacking('_/_', a);
}

/** `a % b`. */
export function modulo(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return NO_OVERLOAD;
    if (b === 0n) return MODULUS_BY_ZERO;
    return a === MIN_INT && b === -1n ? INT_OVERFLOW : a % b;
  }
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return NO_OVERLOAD;
    return b.value === 0n ? MODULUS_BY_ZERO : new CelUint(a.value % b.value);
  }
  return lacking('_%_', a);
}

/** `-a`. */
export function negate(a: CelValue): CelValue {
  if (typeof a === 'bigint') return intOf(-a);
  if (typeof a === 'number') return -a;
  if (a instanceof CelDuration) return durationOf(-a.nanos);
  return lacking('-_', a);
}

/** `!a`. */
export const not = (a: CelValue): CelValue => (typeof a === 'boolean' ? !a : NO_OVERLOAD);

const isComparable = (a: CelValue): boolean =>
  !(a === null || (typeof a === 'object' && celCompare(a, a) === undefined));

/** An operator that compares, by what it makes of the sign of the comparison. */
export const comparison =
  (operator: string, holds: (sign: number) => boolean) =>
  (a: CelValue, b: CelValue): CelValue => {
    const sign = celCompare(a, b);
    if (sign === undefined) return isComparable(a) ? NO_OVERLOAD : lacking(operator, a);
    return Number.isNaN(sign) ? NAN_COMPARISON : holds(sign);
  };

const NAN_COMPARISON = new CelFault('NaN values cannot be ordered');

/** `a in b`. */
export function contains(a: CelValue, b: CelValue): CelValue {
  if (b instanceof CelMap) {
    const found = b.get(a);
    return found instanceof CelFault ? found : found !== undefined;
  }
  if (!(b instanceof CelList)) return NO_OVERLOAD;
  for (let i = 0; i < b.size; i++) if (celEquals(b.at(i), a) === true) return true;
  return false;
}
