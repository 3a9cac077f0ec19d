import { formatDouble } from './go-float.ts';
import { formatDuration, formatTimestamp } from './time.ts';
import {
  CelDuration,
  CelFault,
  CelList,
  CelMap,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';

/** The name of a value's type, as `type(value)` and messages have it. */
export function typeNameOf(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: CelValue): string {
  if (value === null) return 'null_type';
  if (value instanceof CelList) return 'list';
  if (value instanceof CelMap) return 'map';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelTypeValue) return 'type';
  if (value instanceof CelOpaque) return value.typeName;
  return 'error';
}

/** A value as Go's `%v` shows it in messages. */
export function describe(value: CelValue): string {
  if (typeof value === 'number') return formatDouble(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.name;
  if (value instanceof CelFault) return value.message;
  if (value instanceof CelList) return `[${[...value].map(describe).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return typeNameOf(value);
  return String(value);
}
