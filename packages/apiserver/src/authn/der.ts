/**
 * As much of DER as certificates need, to write and to read.
 *
 * docs/adr/0002-x509.md says why this is not a library.
 */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const;

/** One value with its tag and length. */
export function tlv(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** SEQUENCE. */
export function sequence(...items: readonly Buffer[]): Buffer {
  return tlv(TAG.sequence, Buffer.concat(items));
}

/** SET; the caller keeps it to one element, so there is nothing to sort. */
export function setOf(item: Buffer): Buffer {
  return tlv(TAG.set, item);
}

/** A non-negative INTEGER given by its big-endian bytes. */
export function integer(bytes: Buffer): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  // A leading one bit would make it negative.
  const signed = (trimmed[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), trimmed]) : trimmed;
  return tlv(TAG.integer, signed);
}

/** BOOLEAN TRUE; FALSE is always a default and therefore left out. */
export function booleanTrue(): Buffer {
  return tlv(TAG.boolean, Buffer.from([0xff]));
}

/** OBJECT IDENTIFIER from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const base128 = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      base128.unshift(0x80 | (left % 128));
    }
    bytes.push(...base128);
  }
  return tlv(TAG.oid, Buffer.from(bytes));
}

/** UTF8String. */
export function utf8(text: string): Buffer {
  return tlv(TAG.utf8String, Buffer.from(text));
}

/** BIT STRING with `unused` bits left over in its last byte. */
export function bitString(bytes: Buffer, unused = 0): Buffer {
  return tlv(TAG.bitString, Buffer.concat([Buffer.from([unused]), bytes]));
}

/** OCTET STRING. */
export function octetString(bytes: Buffer): Buffer {
  return tlv(TAG.octetString, bytes);
}

/** A context-specific tag; constructed when it wraps other values. */
export function context(number: number, content: Buffer, constructed = true): Buffer {
  return tlv(0x80 | (constructed ? 0x20 : 0) | number, content);
}

/** A point in time to the second: UTCTime up to 2049, GeneralizedTime after, as RFC 5280 asks. */
export function time(date: Date): Buffer {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? tlv(TAG.utcTime, Buffer.from(digits.slice(2)))
    : tlv(TAG.generalizedTime, Buffer.from(digits));
}

/** One value as read. */
export interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly raw: Buffer;
}

/** Bytes that are not DER. */
export class DerError extends Error {
  constructor(problem: string) {
    super(`Cannot read DER: ${problem}`);
    this.name = 'DerError';
  }
}

/** Reads the values that follow one another in `bytes`, and nothing may be left over. */
export function readAll(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const value = readAt(bytes, at);
    values.push(value);
    at += value.raw.length;
  }
  return values;
}

/** Reads exactly one value. */
export function readOne(bytes: Buffer): DerValue {
  const value = readAt(bytes, 0);
  if (value.raw.length !== bytes.length) throw new DerError('bytes follow the value');
  return value;
}

/** The values inside a SEQUENCE, SET or other constructed value. */
export function children(value: DerValue, tag: number = TAG.sequence): DerValue[] {
  if (value.tag !== tag) throw new DerError(`tag ${value.tag} where ${tag} belongs`);
  return readAll(value.content);
}

function readAt(bytes: Buffer, at: number): DerValue {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined) throw new DerError('it ends early');
  if ((tag & 0x1f) === 0x1f) throw new DerError('long tags are not used in certificates');
  let start = at + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new DerError('a length is out of range');
    length = 0;
    for (let index = 0; index < count; index += 1) {
      const byte = bytes[start + index];
      if (byte === undefined) throw new DerError('it ends early');
      length = length * 256 + byte;
    }
    start += count;
  }
  const end = start + length;
  if (end > bytes.length) throw new DerError('it ends early');
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) };
}

/** The dotted form of an OBJECT IDENTIFIER. */
export function readObjectId(value: DerValue): string {
  if (value.tag !== TAG.oid) throw new DerError('an object identifier is missing');
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of value.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte & 0x80) continue;
    if (arcs.length === 0)
      arcs.push(Math.min(2, Math.floor(arc / 40)), arc - 40 * Math.min(2, Math.floor(arc / 40)));
    else arcs.push(arc);
    arc = 0;
  }
  return arcs.join('.');
}

/** The text of any of the string types that names use. */
export function readText(value: DerValue): string {
  switch (value.tag) {
    case TAG.utf8String:
    case 0x13: // PrintableString
    case 0x16: // IA5String
      return value.content.toString('utf8');
    case 0x14: // TeletexString; in practice Latin-1
      return value.content.toString('latin1');
    case 0x1e: // BMPString
      return Buffer.from(value.content).swap16().toString('utf16le');
    default:
      throw new DerError(`tag ${value.tag} is not text`);
  }
}

/** UTCTime or GeneralizedTime, in milliseconds. */
export function readTime(value: DerValue): number {
  const text = value.content.toString('latin1');
  const utc = value.tag === TAG.utcTime;
  const match = (
    utc ? /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/ : /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/
  ).exec(text);
  if (match === null || (!utc && value.tag !== TAG.generalizedTime)) {
    throw new DerError('a time is malformed');
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map(Number);
  const century = utc ? (year < 50 ? 2000 : 1900) : 0;
  return Date.UTC(century + year, month - 1, day, hour, minute, second);
}
