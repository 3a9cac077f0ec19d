import { encodeJson, type Json } from '@flotilla/machinery';
import { MessageSink } from '../codec/message-sink.ts';
import { FIXED64, VARINT } from '../codec/wire.ts';

/** Where a Document keeps its definitions. */
const DEFINITIONS = 9;

const TEXT: Readonly<Record<string, number>> = {
  $ref: 1,
  format: 2,
  title: 3,
  description: 4,
  pattern: 13,
};
const DOUBLE: Readonly<Record<string, number>> = { multipleOf: 6, maximum: 7, minimum: 9 };
const FLAG: Readonly<Record<string, number>> = {
  exclusiveMaximum: 8,
  exclusiveMinimum: 10,
  uniqueItems: 16,
};
const COUNT: Readonly<Record<string, number>> = {
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  maxProperties: 17,
  minProperties: 18,
};

/**
 * Definitions in the protobuf form of OpenAPI v2, to be put behind a whole document: parts of a message that stand
 * apart are read as one.
 */
export function definitionsMessage(schemas: Json): Buffer {
  const document = new MessageSink();
  document.field(DEFINITIONS, namedSchemas(schemas));
  return document.bytes();
}

function namedSchemas(schemas: Json): Buffer {
  const sink = new MessageSink();
  for (const name of Object.keys(schemas).sort()) {
    const named = new MessageSink();
    named.field(1, Buffer.from(name));
    named.field(2, schemaMessage((schemas[name] ?? {}) as Json));
    sink.field(1, named.bytes());
  }
  return sink.bytes();
}

function schemaMessage(schema: Json): Buffer {
  const sink = new MessageSink();
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined) continue;
    if (TEXT[key] !== undefined) sink.field(TEXT[key], Buffer.from(String(value)));
    else if (DOUBLE[key] !== undefined) {
      sink.tag(DOUBLE[key], FIXED64);
      sink.double(Number(value));
    } else if (FLAG[key] !== undefined || COUNT[key] !== undefined) {
      sink.tag(FLAG[key] ?? COUNT[key] ?? 0, VARINT);
      sink.varint(Number(value));
    } else writePart(sink, key, value);
  }
  return sink.bytes();
}

/** What is a message of its own, or many of them. */
function writePart(sink: MessageSink, key: string, value: unknown): void {
  switch (key) {
    case 'default':
      sink.field(5, anyMessage(value));
      return;
    case 'required':
      for (const name of value as string[]) sink.field(19, Buffer.from(name));
      return;
    case 'enum':
      for (const each of value as unknown[]) sink.field(20, anyMessage(each));
      return;
    case 'additionalProperties':
      sink.field(21, additional(value));
      return;
    case 'type':
      sink.field(22, wrapped(Buffer.from(String(value))));
      return;
    case 'items':
      sink.field(23, wrapped(schemaMessage(value as Json)));
      return;
    case 'allOf':
      for (const each of value as Json[]) sink.field(24, schemaMessage(each));
      return;
    case 'properties':
      sink.field(25, namedSchemas(value as Json));
      return;
    case 'example':
      sink.field(30, anyMessage(value));
      return;
    default:
      if (key.startsWith('x-')) sink.field(31, namedAny(key, value));
  }
}

function additional(value: unknown): Buffer {
  const sink = new MessageSink();
  if (typeof value === 'boolean') {
    sink.tag(2, VARINT);
    sink.varint(value ? 1 : 0);
  } else sink.field(1, schemaMessage(value as Json));
  return sink.bytes();
}

function wrapped(content: Buffer): Buffer {
  const sink = new MessageSink();
  sink.field(1, content);
  return sink.bytes();
}

/** Values of any type are YAML, which JSON is too. */
function anyMessage(value: unknown): Buffer {
  const sink = new MessageSink();
  sink.field(2, Buffer.from(`${encodeJson(value)}\n`));
  return sink.bytes();
}

function namedAny(name: string, value: unknown): Buffer {
  const sink = new MessageSink();
  sink.field(1, Buffer.from(name));
  sink.field(2, anyMessage(value));
  return sink.bytes();
}
