import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  stringType,
  timestampType,
  uintType,
} from '../types.ts';
import { formatDouble, parseDouble } from '../values/go-float.ts';
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  timestampOf,
} from '../values/time.ts';
import {
  CelDuration,
  CelFault,
  type CelTimestamp,
  type CelUint,
  type CelValue,
} from '../values/value.ts';
import { define, type FunctionDecl, global } from './function.ts';
import { intOf, uintOf } from './operators.ts';

const identity = (value: CelValue): CelValue => value;

const row = (id: string, types: readonly [CelType, CelType], call: (value: never) => CelValue) =>
  global(id, { args: [types[0]], result: types[1], call });

const failed = (to: CelType) => new CelFault(`type conversion error from 'string' to '${to.name}'`);

const INT_OVERFLOW = new CelFault('integer overflow');
const UINT_OVERFLOW = new CelFault('unsigned integer overflow');

function doubleToInt(value: number): CelValue {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return INT_OVERFLOW;
  return BigInt(Math.trunc(value));
}

function doubleToUint(value: number): CelValue {
  if (!(value >= 0 && value < 2 ** 64)) return UINT_OVERFLOW;
  return uintOf(BigInt(Math.trunc(value)));
}

function stringToInt(text: string): CelValue {
  if (!/^[+-]?\d+$/.test(text) || text.length > 100) return failed(intType);
  const value = intOf(BigInt(text.startsWith('+') ? text.slice(1) : text));
  return value instanceof CelFault ? failed(intType) : value;
}

function stringToUint(text: string): CelValue {
  if (!/^\d+$/.test(text) || text.length > 100) return failed(uintType);
  const value = uintOf(BigInt(text));
  return value instanceof CelFault ? failed(uintType) : value;
}

const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE: ReadonlySet<string> = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

function stringToBool(text: string): CelValue {
  if (TRUE.has(text)) return true;
  return FALSE.has(text) ? false : failed(boolType);
}

function bytesToString(bytes: Uint8Array): CelValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelFault('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const intToTimestamp = (seconds: bigint): CelValue =>
  seconds > 2n ** 53n || seconds < -(2n ** 53n)
    ? new CelFault('timestamp overflow')
    : timestampOf(Number(seconds), 0);

/** The functions named after types. */
export const conversions: readonly FunctionDecl[] = [
  define(
    'bool',
    row('bool_to_bool', [boolType, boolType], identity),
    row('string_to_bool', [stringType, boolType], stringToBool),
  ),
  define(
    'bytes',
    row('bytes_to_bytes', [bytesType, bytesType], identity),
    row('string_to_bytes', [stringType, bytesType], (text: string) =>
      new TextEncoder().encode(text),
    ),
  ),
  define(
    'double',
    row('double_to_double', [doubleType, doubleType], identity),
    row('int64_to_double', [intType, doubleType], (value: bigint) => Number(value)),
    row(
      'string_to_double',
      [stringType, doubleType],
      (text: string) => parseDouble(text) ?? failed(doubleType),
    ),
    row('uint64_to_double', [uintType, doubleType], (value: CelUint) => Number(value.value)),
  ),
  define(
    'duration',
    row('duration_to_duration', [durationType, durationType], identity),
    row('int64_to_duration', [intType, durationType], (nanos: bigint) => new CelDuration(nanos)),
    row(
      'string_to_duration',
      [stringType, durationType],
      (text: string) => parseDuration(text) ?? failed(durationType),
    ),
  ),
  define(
    'int',
    row('int64_to_int64', [intType, intType], identity),
    row('double_to_int64', [doubleType, intType], doubleToInt),
    row('duration_to_int64', [durationType, intType], (value: CelDuration) => value.nanos),
    row('string_to_int64', [stringType, intType], stringToInt),
    row('timestamp_to_int64', [timestampType, intType], (value: CelTimestamp) =>
      BigInt(value.seconds),
    ),
    row('uint64_to_int64', [uintType, intType], (value: CelUint) => intOf(value.value)),
  ),
  define(
    'string',
    row('string_to_string', [stringType, stringType], identity),
    row('bool_to_string', [boolType, stringType], (value: boolean) => String(value)),
    row('bytes_to_string', [bytesType, stringType], bytesToString),
    row('double_to_string', [doubleType, stringType], formatDouble),
    row('duration_to_string', [durationType, stringType], formatDuration),
    row('int64_to_string', [intType, stringType], (value: bigint) => String(value)),
    row('timestamp_to_string', [timestampType, stringType], formatTimestamp),
    row('uint64_to_string', [uintType, stringType], (value: CelUint) => String(value.value)),
  ),
  define(
    'timestamp',
    row('timestamp_to_timestamp', [timestampType, timestampType], identity),
    row('int64_to_timestamp', [intType, timestampType], intToTimestamp),
    row(
      'string_to_timestamp',
      [stringType, timestampType],
      (text: string) => parseTimestamp(text) ?? failed(timestampType),
    ),
  ),
  define(
    'uint',
    row('uint64_to_uint64', [uintType, uintType], identity),
    row('double_to_uint64', [doubleType, uintType], doubleToUint),
    row('int64_to_uint64', [intType, uintType], (value: bigint) => uintOf(value)),
    row('string_to_uint64', [stringType, uintType], stringToUint),
  ),
];
