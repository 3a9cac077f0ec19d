import { formatDouble } from '../values/go-float.ts';
import { formatTimestamp } from '../values/time.ts';
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
} from '../values/value.ts';

/** A value as one text that tells its type, for tables of tests. */
export function show(value: CelValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return `double(${formatDouble(value)})`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof CelUint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `bytes(${[...value].join(' ')})`;
  if (value instanceof CelTimestamp) return `timestamp(${formatTimestamp(value)})`;
  if (value instanceof CelDuration) return `duration(${value.nanos}ns)`;
  if (value instanceof CelTypeValue) return `type(${value.name})`;
  if (value instanceof CelOptional) {
    return value.value === undefined ? 'none' : `optional(${show(value.value)})`;
  }
  if (value instanceof CelList) return `[${[...value].map(show).join(', ')}]`;
  if (value instanceof CelMap) {
    const entries = [...value.keys()].map((key) => `${show(key)}: ${show(mapped(value, key))}`);
    return `{${entries.toSorted().join(', ')}}`;
  }
  return value instanceof CelOpaque ? value.typeName : value.message;
}

const mapped = (map: CelMap, key: CelValue): CelValue =>
  map.get(key) ?? new CelFault('nothing under the key');
