import { encodeJson, parseDuration, parseMicroTime, parseTime } from '@flotilla/machinery';
import {
  type GoType,
  isInt,
  isList,
  isMap,
  isPointer,
  isSpecial,
  isStruct,
  type SpecialType,
  type StructType,
} from './go-type.ts';
import { MessageSink } from './message-sink.ts';
import { FIXED64, VARINT } from './wire.ts';

/** Writes a canonical object as the protobuf message of its type, byte for byte as Go would. */
export function writeMessage(type: StructType, object: Readonly<Record<string, unknown>>): Buffer {
  const sink = new MessageSink();
  const members = type.members().filter(({ number }) => number > 0);
  for (const member of members.toSorted((a, b) => a.number - b.number)) {
    if (member.name === '' && isStruct(member.type)) {
      sink.field(member.number, writeMessage(member.type, object));
    } else {
      writeField(sink, member, object[member.name]);
    }
  }
  return sink.bytes();
}

function writeField(
  sink: MessageSink,
  field: { type: GoType; number: number },
  value: unknown,
): void {
  const { type, number } = field;
  if (isPointer(type)) {
    if (value !== null && value !== undefined) writeField(sink, { type: type.to, number }, value);
  } else if (isList(type) && !type.wrapper) {
    for (const item of asList(value)) writeOne(sink, { type: type.of, number }, item);
  } else if (isMap(type)) {
    for (const [key, item] of Object.entries(asObject(value)).sort(byKey)) {
      const entry = new MessageSink();
      writeOne(entry, { type: keyType, number: 1 }, key);
      writeOne(entry, { type: type.of, number: 2 }, item);
      sink.field(number, entry.bytes());
    }
  } else if (type.form !== 'bytes' || typeof value === 'string') {
    // Go writes every field that is not a pointer, zero or not.
    writeOne(sink, field, value ?? type.zero());
  }
}

const keyType = { form: 'string' } as GoType;

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function writeOne(
  sink: MessageSink,
  { type, number }: { type: GoType; number: number },
  value: unknown,
) {
  if (isPointer(type)) {
    writeOne(sink, { type: type.to, number }, value ?? type.to.zero());
  } else if (isInt(type)) {
    sink.tag(number, VARINT);
    sink.varint(typeof value === 'bigint' ? value : Number(value));
  } else if (type.form === 'bool') {
    sink.tag(number, VARINT);
    sink.varint(value === true ? 1 : 0);
  } else if (type.form === 'float') {
    sink.tag(number, FIXED64);
    sink.double(Number(value));
  } else {
    sink.field(number, payload(type, value));
  }
}

function payload(type: GoType, value: unknown): Buffer {
  if (isStruct(type)) return writeMessage(type, asObject(value));
  if (isSpecial(type)) return specialPayload(type, value);
  if (type.form === 'bytes') return Buffer.from(String(value ?? ''), 'base64');
  if (isList(type)) {
    const sink = new MessageSink();
    for (const item of asList(value)) writeOne(sink, { type: type.of, number: 1 }, item);
    return sink.bytes();
  }
  return Buffer.from(String(value));
}

function specialPayload(type: SpecialType, value: unknown): Buffer {
  const sink = new MessageSink();
  switch (type.special) {
    case 'time':
    case 'microTime':
      if (typeof value === 'string') writeTimestamp(sink, type.special, value);
      break;
    case 'duration':
      sink.tag(1, VARINT);
      sink.varint(parseDuration(String(value)));
      break;
    case 'quantity':
      sink.text(1, String(value));
      break;
    case 'intOrString':
      sink.tag(1, VARINT);
      sink.varint(typeof value === 'string' ? 1 : 0);
      sink.tag(2, VARINT);
      sink.varint(typeof value === 'string' ? 0 : Number(value));
      sink.text(3, typeof value === 'string' ? value : '');
      break;
    case 'raw':
      if (value !== null && value !== undefined) sink.text(1, encodeJson(value));
      break;
    default:
      writeSchema(sink, type, value);
  }
  return sink.bytes();
}

function writeTimestamp(sink: MessageSink, form: 'time' | 'microTime', text: string): void {
  const { seconds, nanos } = form === 'time' ? parseTime(text) : parseMicroTime(text);
  sink.tag(1, VARINT);
  sink.varint(seconds);
  sink.tag(2, VARINT);
  sink.varint(form === 'time' ? 0 : nanos);
}

function writeSchema(sink: MessageSink, type: SpecialType, value: unknown): void {
  const inner = type.inner?.();
  if (inner === undefined) return;
  const isBool = type.special === 'schemaOrBool';
  if (isBool) {
    sink.tag(1, VARINT);
    sink.varint(value === false ? 0 : 1);
  }
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') sink.text(2, item);
      else writeOne(sink, { type: inner, number: 2 }, item);
    }
  } else if (typeof value === 'object' && value !== null) {
    writeOne(sink, { type: inner, number: isBool ? 2 : 1 }, value);
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
