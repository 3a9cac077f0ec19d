import type { CelType, CelValue, DeclType } from '../../packages/machinery/src/cel/index.ts';
import * as cel from '../../packages/machinery/src/cel/index.ts';
import { celEquals } from '../../packages/machinery/src/cel/values/equality.ts';
import { ValueList } from '../../packages/machinery/src/cel/values/lists.ts';
import { ValueMap } from '../../packages/machinery/src/cel/values/maps.ts';
import { messages, readTextproto, type TextMessage, text } from './textproto.ts';

/** What a case expects: a value, any error, or a type. */
export type Expected =
  | { readonly kind: 'value'; readonly value: TextMessage }
  | { readonly kind: 'error' }
  | { readonly kind: 'type'; readonly type: TextMessage; readonly value: TextMessage | undefined };

/** One conformance case of the CEL specification. */
export interface CelCase {
  /** `file/section/test`. */
  readonly name: string;
  readonly expr: string;
  /** Whether types are left unchecked, which Kubernetes never does. */
  readonly isUnchecked: boolean;
  readonly isCheckOnly: boolean;
  readonly container: string | undefined;
  readonly variables: readonly { readonly name: string; readonly type: DeclType }[];
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly expected: Expected;
}

/** What a case needs that our values cannot hold, such as messages. */
export class Unsupported extends Error {}

/** The cases of a file; those that need protobuf messages say so when they are read. */
export function readCases(file: string, source: string): (CelCase | Unsupported)[] {
  return messages(readTextproto(source), 'section').flatMap((section) =>
    messages(section, 'test').map((test) => {
      const name = `${file}/${text(section, 'name')}/${text(test, 'name')}`;
      try {
        return readCase(name, test);
      } catch (err) {
        if (!(err instanceof Unsupported)) throw err;
        return new Unsupported(name);
      }
    }),
  );
}

function readCase(name: string, test: TextMessage): CelCase {
  const variables = messages(test, 'type_env').flatMap((env) =>
    messages(env, 'ident').map((ident) => ({
      name: text(env, 'name') ?? '',
      type: cel.declare(readType(messages(ident, 'type')[0] ?? new Map())),
    })),
  );
  const bindings: Record<string, unknown> = {};
  for (const binding of messages(test, 'bindings')) {
    const key = text(binding, 'key') ?? '';
    const [wrapped] = messages(binding, 'value');
    bindings[key] = readValue((wrapped && messages(wrapped, 'value')[0]) ?? new Map());
    if (!variables.some((variable) => variable.name === key)) {
      variables.push({ name: key, type: cel.dynDecl });
    }
  }
  return {
    name,
    expr: text(test, 'expr') ?? '',
    isUnchecked: text(test, 'disable_check') === 'true',
    isCheckOnly: text(test, 'check_only') === 'true',
    container: text(test, 'container'),
    variables,
    bindings,
    expected: readExpected(test),
  };
}

const TRUE: TextMessage = new Map([['bool_value', [{ kind: 'scalar', text: 'true' }]]]);

function readExpected(test: TextMessage): Expected {
  if (test.has('eval_error') || test.has('any_eval_errors')) return { kind: 'error' };
  const [typed] = messages(test, 'typed_result');
  if (typed) {
    return {
      kind: 'type',
      type: messages(typed, 'deduced_type')[0] ?? new Map(),
      value: messages(typed, 'result')[0],
    };
  }
  return { kind: 'value', value: messages(test, 'value')[0] ?? TRUE };
}

const PRIMITIVES: Readonly<Record<string, CelType>> = {
  BOOL: cel.boolType,
  INT64: cel.intType,
  UINT64: cel.uintType,
  DOUBLE: cel.doubleType,
  STRING: cel.stringType,
  BYTES: cel.bytesType,
};

/** A type of the specification's protobuf form. */
export function readType(type: TextMessage): CelType {
  const [field = ''] = type.keys();
  const inner = messages(type, field)[0] ?? new Map();
  const nested = (name: string) => readType(messages(inner, name)[0] ?? new Map());
  switch (field) {
    case 'primitive':
      return PRIMITIVES[text(type, field) ?? ''] ?? unsupported(`primitive ${text(type, field)}`);
    case 'dyn':
      return cel.dynType;
    case 'null':
      return cel.nullType;
    case 'well_known':
      if (text(type, field) === 'TIMESTAMP') return cel.timestampType;
      if (text(type, field) === 'DURATION') return cel.durationType;
      return unsupported('any');
    case 'list_type':
      return cel.listType(nested('elem_type'));
    case 'map_type':
      return cel.mapType(nested('key_type'), nested('value_type'));
    case 'type':
      return { kind: 'type', name: 'type', params: [readType(inner)] };
    case 'abstract_type':
      return cel.opaqueType(
        text(inner, 'name') ?? '',
        ...messages(inner, 'parameter_types').map(readType),
      );
    default:
      return unsupported(`type ${field}`);
  }
}

function unsupported(what: string): never {
  throw new Unsupported(what);
}

/** A value of the specification's protobuf form. */
export function readValue(value: TextMessage): CelValue {
  const [field = ''] = value.keys();
  const scalar = text(value, field) ?? '';
  const [inner = new Map()] = messages(value, field);
  switch (field) {
    case 'null_value':
      return null;
    case 'bool_value':
      return scalar === 'true';
    case 'int64_value':
      return BigInt(scalar.replace(/^-(.*)$/, '$1')) * (scalar.startsWith('-') ? -1n : 1n);
    case 'uint64_value':
      return new cel.CelUint(BigInt(scalar));
    case 'double_value':
      return readDouble(scalar);
    case 'string_value':
      return scalar;
    case 'bytes_value': {
      const [bytes] = value.get(field) ?? [];
      return bytes?.kind === 'string' ? bytes.bytes : new Uint8Array();
    }
    case 'type_value':
      return new cel.CelTypeValue(scalar);
    case 'list_value':
      return new ValueList(messages(inner, 'values').map(readValue));
    case 'map_value': {
      const map = new ValueMap();
      for (const entry of messages(inner, 'entries')) {
        const [key = new Map()] = messages(entry, 'key');
        map.set(readValue(key), readValue(messages(entry, 'value')[0] ?? new Map()));
      }
      return map;
    }
    case 'object_value':
      return readObject(inner);
    default:
      return unsupported(`value ${field}`);
  }
}

function readDouble(scalar: string): number {
  if (/^-?inf(?:inity)?$/i.test(scalar)) return scalar.startsWith('-') ? -Infinity : Infinity;
  return /^nan$/i.test(scalar) ? Number.NaN : Number(scalar);
}

function readObject(object: TextMessage): CelValue {
  const [type = ''] = object.keys();
  const [inner = new Map()] = messages(object, type);
  const seconds = Number(text(inner, 'seconds') ?? 0);
  const nanos = Number(text(inner, 'nanos') ?? 0);
  if (type.endsWith('/google.protobuf.Timestamp]')) return new cel.CelTimestamp(seconds, nanos);
  if (type.endsWith('/google.protobuf.Duration]')) {
    return new cel.CelDuration(BigInt(seconds) * 1_000_000_000n + BigInt(nanos));
  }
  return unsupported(`message ${type}`);
}

/** Whether a result is what was expected, down to its type. */
export function sameValue(actual: CelValue, expected: CelValue): boolean {
  if (typeof expected === 'number' && Number.isNaN(expected)) return Number.isNaN(actual);
  if (typeof actual !== typeof expected) return false;
  if (typeof expected === 'object' && expected !== null) {
    const isSameClass = expected.constructor === (actual as object | null)?.constructor;
    const isCollection = expected instanceof cel.CelList || expected instanceof cel.CelMap;
    if (!isSameClass && !isCollection) return false;
  }
  return celEquals(actual, expected) === true;
}
