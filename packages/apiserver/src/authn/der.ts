/**
 * As much of DER as certificates need, to read. Machinery's x509 has the half that writes.
 *
 * docs/adr/0002-x509.md says why this is not a library.
 */

const TAG = {
  oid: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  utcTime: 0x17,
  generalizedTime: 0x18,
} as const;

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
