import { canonicalMicroTime, encodeJson, formatDuration, parseDuration } from '@flotilla/machinery';
import type { GoType, SpecialForm, SpecialType, StructType } from './go-type.ts';
import { quantityText, timeInSeconds } from './known-texts.ts';
import {
  describe,
  enter,
  fastPass,
  GoDecodeError,
  GoTypeError,
  leave,
  type Pass,
  TRACE_NEEDED,
  tracedPass,
  typeError,
} from './pass.ts';
import { intType } from './scalar-types.ts';

/** How a type with a JSON form of its own reads and writes it; errors here end Go's decoding at once. */
interface Reading {
  readonly decode: GoType['decode'];
  /** JSON of the zero value. */
  readonly zero: unknown;
}

/** What the table calls each special type. */
export const specialForms: Readonly<Record<string, SpecialForm>> = {
  'meta/v1.Time': 'time',
  'meta/v1.MicroTime': 'microTime',
  'meta/v1.Duration': 'duration',
  'meta/v1.FieldsV1': 'raw',
  'resource.Quantity': 'quantity',
  'intstr.IntOrString': 'intOrString',
  'runtime.RawExtension': 'raw',
  'apiextensions/v1.JSON': 'raw',
  'apiextensions/v1.JSONSchemaPropsOrBool': 'schemaOrBool',
  'apiextensions/v1.JSONSchemaPropsOrArray': 'schemaOrArray',
  'apiextensions/v1.JSONSchemaPropsOrStringArray': 'schemaOrStringArray',
};

/** A type with a JSON form of its own; `schema` gives JSONSchemaProps to the types that hold one. */
export function specialType(
  form: SpecialForm,
  goName: string,
  schema: () => StructType,
): SpecialType {
  const holdsSchema = form.startsWith('schema');
  const { decode, zero } = holdsSchema ? schemaReading(form, schema) : readings[form as PlainForm];
  return {
    form: 'special',
    special: form,
    goName,
    inner: holdsSchema ? schema : undefined,
    decode,
    zero: () => zero,
    // Each of them is a struct to Go, which omitempty never leaves out.
    isEmpty: () => false,
    isZero: (value) => value === zero,
  };
}

type PlainForm = Exclude<SpecialForm, `schema${string}`>;

const int32 = intType('int32', { signed: true, bits: 32 });

const readings: Readonly<Record<PlainForm, Reading>> = {
  time: { decode: decodeTime, zero: null },
  microTime: { decode: decodeMicroTime, zero: null },
  duration: { decode: decodeDuration, zero: '0s' },
  quantity: { decode: decodeQuantity, zero: '0' },
  intOrString: { decode: decodeIntOrString, zero: 0 },
  raw: { decode: (value) => value ?? null, zero: null },
};

function decodeTime(value: unknown, pass: Pass): unknown {
  if (value === null) return null;
  if (typeof value !== 'string') throw typeError(pass, describe(value), 'string');
  return pass.trusted ? value : timeInSeconds(value);
}

function decodeMicroTime(value: unknown, pass: Pass): unknown {
  if (value === null) return null;
  if (typeof value !== 'string') throw typeError(pass, describe(value), 'string');
  return pass.trusted ? value : canonicalMicroTime(value);
}

function decodeDuration(value: unknown, pass: Pass): unknown {
  if (typeof value !== 'string' && value !== null) {
    throw typeError(pass, describe(value), 'string');
  }
  return pass.trusted ? value : formatDuration(parseDuration(value ?? ''));
}

function decodeQuantity(value: unknown, pass: Pass): unknown {
  if (value === null) return '0';
  if (typeof value === 'string') return pass.trusted ? value : quantityText(value.trim());
  if (typeof value === 'number' || typeof value === 'bigint') return quantityText(`${value}`);
  // Anything else is text to Go's reader, and not the text of a quantity.
  return quantityText(encodeJson(value));
}

function decodeIntOrString(value: unknown, pass: Pass): unknown {
  if (typeof value === 'string') return value;
  return nested(pass, (inner) => int32.decode(value, inner));
}

function schemaReading(form: SpecialForm, schema: () => StructType): Reading {
  const one = (value: unknown, pass: Pass) =>
    nested(pass, (inner) => schema().decode(value, inner));
  const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
  if (form === 'schemaOrBool') {
    return {
      zero: false,
      decode: (value, pass) => {
        if (typeof value === 'boolean') return value;
        if (value !== null && isObject(value)) return one(value, pass);
        throw new GoDecodeError('boolean or JSON schema expected');
      },
    };
  }
  const many = (value: unknown[], pass: Pass) =>
    form === 'schemaOrArray' ? value.map((item) => one(item, pass)) : strings(value, pass);
  return {
    zero: null,
    decode: (value, pass) => {
      if (Array.isArray(value)) return value.length === 0 ? null : many(value, pass);
      return value !== null && isObject(value) ? one(value, pass) : null;
    },
  };
}

function strings(values: readonly unknown[], pass: Pass): string[] {
  return values.map((value) => {
    if (typeof value === 'string') return value;
    if (value === null) return '';
    throw typeError(pass, describe(value), 'string');
  });
}

/**
 * Reads with a decoder of its own, as a type's own reader in Go does: unknown fields inside go unreported, and the
 * first type error ends everything, worded for the field that holds the value.
 */
function nested<T>(pass: Pass, read: (inner: Pass) => T): T {
  enter(pass);
  const inner: Pass = { ...fastPass({ trusted: pass.trusted }), depth: pass.depth };
  try {
    return read(inner);
  } catch (error) {
    if (error !== TRACE_NEEDED || pass.trace === undefined) throw error;
    const traced = tracedPass();
    read(traced);
    const { saved } = traced.trace;
    if (saved instanceof GoTypeError) throw typeError(pass, saved.value, saved.goName);
    if (saved !== undefined) throw saved;
    throw error;
  } finally {
    leave(pass);
  }
}
