import { formatDuration, parseJson, setOwn } from '@flotilla/machinery';
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
import { quantityText } from './known-texts.ts';
import { GoDecodeError } from './pass.ts';
import { microTimeText, timeText } from './timestamps.ts';
import { DELIMITED, FIXED64, VARINT, Wire } from './wire.ts';

type Fields = Record<string, unknown>;

/** Reads one value that the wire stands before; `old` is what an earlier occurrence of the field left. */
type Read = (wire: Wire, old: unknown, depth: number) => unknown;

interface Slot {
  readonly name: string;
  readonly goName: string;
  readonly wireType: number;
  readonly read: Read;
  /** Item reader of a list of numbers, which may also come packed. */
  readonly packed: Read | undefined;
}

const MAX_DEPTH = 200;
const slots = new WeakMap<StructType, readonly (Slot | undefined)[]>();

/** Reads one message into an object that `canonicalize` finishes: texts canonical, fields as the wire had them. */
export function readMessage(type: StructType, bytes: Buffer): Fields {
  const target: Fields = {};
  readInto(type, new Wire(bytes), { target, depth: 0 });
  return target;
}

function readInto(type: StructType, wire: Wire, to: { target: Fields; depth: number }): void {
  const { target, depth } = to;
  if (depth > MAX_DEPTH) throw new GoDecodeError('proto: exceeded max depth');
  const known = slotsOf(type);
  while (wire.at < wire.end) {
    const tag = readTag(wire, type.name);
    const slot = known[tag >>> 3];
    const wireType = tag & 7;
    if (slot === undefined) {
      wire.skip(wireType);
    } else if (slot.packed !== undefined && wireType === DELIMITED) {
      target[slot.name] = readPacked(wire, target[slot.name], slot.packed);
    } else if (slot.wireType !== wireType) {
      throw wrongWireType(wireType, slot.goName);
    } else if (slot.name === '') {
      slot.read(wire, target, depth + 1);
    } else {
      target[slot.name] = slot.read(wire, target[slot.name], depth + 1);
    }
  }
}

/** Reads a field's number and wire type, refusing what no message can have. */
function readTag(wire: Wire, name: string): number {
  const tag = wire.varint();
  if (tag % 8 === 4) throw new GoDecodeError(`proto: ${name}: wiretype end group for non-group`);
  if (tag < 8 || tag > 0xffffffff) {
    throw new GoDecodeError(
      `proto: ${name}: illegal tag ${Math.floor(tag / 8)} (wire type ${tag})`,
    );
  }
  return tag;
}

/** Lets `read` see nothing but the length-delimited value that follows. */
function within<T>(wire: Wire, read: () => T): T {
  const outer = wire.end;
  wire.end = wire.delimited();
  const value = read();
  wire.end = outer;
  return value;
}

function wrongWireType(wireType: number, name: string): GoDecodeError {
  return new GoDecodeError(`proto: wrong wireType = ${wireType} for field ${name}`);
}

/** What the field is called in Go: as in JSON but for the first letter, and metadata by its type. */
function goFieldName(name: string, type: GoType): string {
  const isNamedByType = (name === '' || name === 'metadata') && isStruct(type);
  return isNamedByType ? type.name : `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
}

function readPacked(wire: Wire, old: unknown, read: Read): unknown[] {
  const items = Array.isArray(old) ? old : [];
  within(wire, () => {
    while (wire.at < wire.end) items.push(read(wire, undefined, 0));
  });
  return items;
}

function slotsOf(type: StructType): readonly (Slot | undefined)[] {
  let made = slots.get(type);
  if (made === undefined) {
    const fresh: (Slot | undefined)[] = [];
    for (const member of type.members()) {
      if (member.number > 0) fresh[member.number] = slotOf(member.name, member.type);
    }
    made = fresh;
    slots.set(type, made);
  }
  return made;
}

function slotOf(name: string, type: GoType): Slot {
  const item = isList(type) && !type.wrapper ? type.of : undefined;
  const isNumbers = item !== undefined && wireTypeOf(item) !== DELIMITED;
  return {
    name,
    goName: goFieldName(name, type),
    wireType: wireTypeOf(item ?? type),
    read: readerOf(type),
    packed: isNumbers ? readerOf(item) : undefined,
  };
}

function wireTypeOf(type: GoType): number {
  if (isPointer(type)) return wireTypeOf(type.to);
  if (type.form === 'int' || type.form === 'bool') return VARINT;
  return type.form === 'float' ? FIXED64 : DELIMITED;
}

function readerOf(type: GoType): Read {
  if (isPointer(type)) return readerOf(type.to);
  if (isInt(type))
    return type.bits === 64 ? (wire) => wire.int64(type.signed) : int32Reader(type.signed);
  if (isSpecial(type)) return specialReader(type);
  if (isStruct(type)) return structReader(type);
  if (isMap(type)) return mapReader(type.of);
  if (isList(type)) return type.wrapper ? wrapperReader(type.of) : listReader(type.of);
  if (type.form === 'bool') return (wire) => wire.varint() !== 0;
  if (type.form === 'float') return readDouble;
  if (type.form === 'bytes') return (wire) => wire.slice().toString('base64');
  return (wire) => wire.string();
}

function int32Reader(signed: boolean): Read {
  return signed ? (wire) => wire.int32() : (wire) => wire.int32() >>> 0;
}

function readDouble(wire: Wire): number {
  const value = wire.double();
  if (!Number.isFinite(value)) throw new GoDecodeError(`json: unsupported value: ${value}`);
  return value;
}

function structReader(type: StructType): Read {
  return (wire, old, depth) => {
    // A field that comes twice is merged, as protobuf demands.
    const target = (old ?? {}) as Fields;
    within(wire, () => readInto(type, wire, { target, depth }));
    return target;
  };
}

function listReader(of: GoType): Read {
  const read = readerOf(of);
  return (wire, old, depth) => {
    const items = Array.isArray(old) ? old : [];
    items.push(read(wire, undefined, depth));
    return items;
  };
}

/** A named list is a message whose only field is repeated. */
function wrapperReader(of: GoType): Read {
  const read = readerOf(of);
  return (wire, old, depth) => {
    const items = Array.isArray(old) ? old : [];
    readParts(wire, 'List', {
      1: [wireTypeOf(of), () => items.push(read(wire, undefined, depth))],
    });
    return items.length === 0 ? null : items;
  };
}

function mapReader(of: GoType): Read {
  const read = readerOf(of);
  const wireType = wireTypeOf(of);
  return (wire, old, depth) => {
    const entries = (old ?? {}) as Fields;
    let key = '';
    let value: unknown;
    readParts(wire, 'Entry', {
      1: [DELIMITED, () => (key = wire.string())],
      2: [wireType, () => (value = read(wire, undefined, depth))],
    });
    setOwn(entries, key, value ?? absentValue(of));
    return entries;
  };
}

/** An entry without a value holds an empty one; only byte slices would otherwise read as nil. */
function absentValue(of: GoType): unknown {
  return of.form === 'bytes' ? '' : of.zero();
}

/** Fields by number: their wire type, how to read them, and their name for errors. */
export type Parts = Readonly<
  Record<number, readonly [wireType: number, read: () => unknown, name?: string]>
>;

/** Reads a small message by hand; fields it does not name are skipped. */
export function readParts(wire: Wire, name: string, parts: Parts): void {
  within(wire, () => readOpenParts(wire, name, parts));
}

/** The same for a message that fills all the wire has left. */
export function readOpenParts(wire: Wire, name: string, parts: Parts): void {
  while (wire.at < wire.end) {
    const tag = readTag(wire, name);
    const part = parts[tag >>> 3];
    if (part === undefined) wire.skip(tag & 7);
    else if (part[0] !== (tag & 7)) throw wrongWireType(tag & 7, part[2] ?? name);
    else part[1]();
  }
}

function specialReader(type: SpecialType): Read {
  switch (type.special) {
    case 'time':
      return (wire) => readTimestamp(wire, timeText);
    case 'microTime':
      return (wire) => readTimestamp(wire, microTimeText);
    case 'duration':
      return readDuration;
    case 'quantity':
      return readQuantity;
    case 'intOrString':
      return readIntOrString;
    case 'raw':
      return readRaw;
    default:
      return schemaReader(type);
  }
}

type TimeText = (seconds: number | bigint, nanos: number) => string | null;

function readTimestamp(wire: Wire, text: TimeText): string | null {
  const start = wire.at;
  let seconds: number | bigint = 0;
  let nanos = 0;
  readParts(wire, 'Timestamp', {
    1: [VARINT, () => (seconds = wire.int64(true))],
    2: [VARINT, () => (nanos = wire.int32())],
  });
  // The zero time is an empty message: nothing but its length byte.
  return wire.at === start + 1 ? null : text(seconds, nanos);
}

function readDuration(wire: Wire): string {
  let nanos: number | bigint = 0;
  readParts(wire, 'Duration', { 1: [VARINT, () => (nanos = wire.int64(true))] });
  return formatDuration(BigInt(nanos));
}

function readQuantity(wire: Wire): string {
  let text: string | undefined;
  readParts(wire, 'Quantity', { 1: [DELIMITED, () => (text = wire.string())] });
  return text === undefined ? '0' : quantityText(text);
}

function readIntOrString(wire: Wire): string | number {
  let type = 0;
  let int = 0;
  let string = '';
  readParts(wire, 'IntOrString', {
    1: [VARINT, () => (type = wire.varint())],
    2: [VARINT, () => (int = wire.int32())],
    3: [DELIMITED, () => (string = wire.string())],
  });
  if (type > 1) throw new GoDecodeError('impossible IntOrString.Type');
  return type === 0 ? int : string;
}

function readRaw(wire: Wire): unknown {
  let raw: Buffer | undefined;
  readParts(wire, 'RawExtension', { 1: [DELIMITED, () => (raw = wire.slice())] });
  return raw === undefined || raw.length === 0 ? null : parseJson(raw).value;
}

function schemaReader(type: SpecialType): Read {
  const readSchema: Read = (wire, _old, depth) => {
    const inner = type.inner?.();
    return inner === undefined ? null : structReader(inner)(wire, undefined, depth);
  };
  return (wire, _old, depth) => {
    let schema: unknown;
    let allows = false;
    const list: unknown[] = [];
    const one = () => (schema = readSchema(wire, undefined, depth));
    const parts: Record<string, Parts> = {
      schemaOrBool: {
        1: [VARINT, () => (allows = wire.varint() !== 0)],
        2: [DELIMITED, one],
      },
      schemaOrArray: {
        1: [DELIMITED, one],
        2: [DELIMITED, () => list.push(readSchema(wire, undefined, depth))],
      },
      schemaOrStringArray: {
        1: [DELIMITED, one],
        2: [DELIMITED, () => list.push(wire.string())],
      },
    };
    readParts(wire, type.special, parts[type.special] ?? {});
    if (type.special === 'schemaOrBool') return schema ?? allows;
    return list.length > 0 ? list : (schema ?? null);
  };
}
