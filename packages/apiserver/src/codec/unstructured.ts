import { ParseError } from '@flotilla/machinery';
import { goKindOf } from './go-print.ts';
import {
  type GoType,
  isList,
  isMap,
  isPointer,
  isSpecial,
  isStruct,
  type StructType,
} from './go-type.ts';
import { tracedPass } from './pass.ts';
import { goKind } from './patch-schema.ts';

/**
 * Why a merged object does not fit its type, in the words of upstream's converter, which reads objects that are
 * already decoded; undefined when it finds nothing wrong.
 */
export function explainMisfit(type: GoType, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (isPointer(type)) return explainMisfit(type.to, value);
  if (isSpecial(type)) return ownReaderError(type, value);
  if (isStruct(type)) return structMisfit(type, value);
  if (isMap(type)) {
    if (!isObject(value)) return `cannot restore map from ${goKindOf(value)}`;
    return first(Object.values(value), (member) => explainMisfit(type.of, member));
  }
  if (isList(type)) {
    if (!Array.isArray(value)) return `cannot restore slice from ${goKindOf(value)}`;
    return first(value, (item) => explainMisfit(type.of, item));
  }
  if (type.form === 'bytes') return bytesMisfit(type, value);
  return type.form === 'any' ? undefined : scalarMisfit(type, value);
}

/** Bytes are a text to the converter, which hands it to the JSON reader again. */
function bytesMisfit(type: GoType, value: unknown): string | undefined {
  if (typeof value !== 'string') {
    return Array.isArray(value) ? undefined : `cannot restore slice from ${goKindOf(value)}`;
  }
  const reason = ownReaderError(type, value);
  return reason === undefined ? undefined : `error decoding from json: ${reason}`;
}

function structMisfit(type: StructType, value: unknown): string | undefined {
  if (!isObject(value)) return `cannot restore struct from: ${goKindOf(value)}`;
  return first(type.fields(), (field) => explainMisfit(field.type, value[field.name]));
}

/** The kinds Go could convert, and the converter then refuses by name; all others it does not recognise. */
function scalarMisfit(type: GoType, value: unknown): string | undefined {
  const from = goKindOf(value);
  const isNumber = from === 'int64' || from === 'float64';
  switch (type.form) {
    case 'string':
      if (from === 'string') return undefined;
      return from === 'int64' ? `cannot convert int64 to ${type.goName}` : unrecognized(type);
    case 'bool':
      return from === 'bool' ? undefined : unrecognized(type);
    case 'float':
      return isNumber ? undefined : unrecognized(type);
    default:
      if (from === 'float64') return `cannot convert float64 to ${type.goName}`;
      return isNumber ? undefined : unrecognized(type);
  }
}

function unrecognized(type: GoType): string {
  return `unrecognized type: ${goKind(type)}`;
}

/** Types with a reader of their own are handed JSON, and their error is given as it is. */
function ownReaderError(type: GoType, value: unknown): string | undefined {
  const pass = tracedPass();
  try {
    type.decode(value, pass);
    return pass.trace.saved?.message;
  } catch (error) {
    if (error instanceof ParseError) return error.message;
    throw error;
  }
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
