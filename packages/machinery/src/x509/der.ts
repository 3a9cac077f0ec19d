/**
 * As much of DER as certificates need, to write.
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

const encoder = new TextEncoder();

/** One value with its tag and length. */
export function tlv(tag: number, content: Uint8Array): Uint8Array {
  return joined([Uint8Array.of(tag, ...lengthOf(content.length)), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** SEQUENCE. */
export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return tlv(TAG.sequence, joined(items));
}

/** SET; the caller keeps it to one element, so there is nothing to sort. */
export function setOf(item: Uint8Array): Uint8Array {
  return tlv(TAG.set, item);
}

/** A non-negative INTEGER given by its big-endian bytes. */
export function integer(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const trimmed = bytes.subarray(start);
  // A leading one bit would make it negative.
  const isNegative = ((trimmed[0] ?? 0) & 0x80) !== 0;
  return tlv(TAG.integer, isNegative ? joined([Uint8Array.of(0), trimmed]) : trimmed);
}

/** BOOLEAN TRUE; FALSE is always a default and therefore left out. */
export function booleanTrue(): Uint8Array {
  return tlv(TAG.boolean, Uint8Array.of(0xff));
}

/** OBJECT IDENTIFIER from its dotted form. */
export function objectId(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const base128 = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      base128.unshift(0x80 | (left % 128));
    }
    bytes.push(...base128);
  }
  return tlv(TAG.oid, Uint8Array.from(bytes));
}

/** UTF8String. */
export function utf8(text: string): Uint8Array {
  return tlv(TAG.utf8String, encoder.encode(text));
}

/** BIT STRING with `unused` bits left over in its last byte. */
export function bitString(bytes: Uint8Array, unused = 0): Uint8Array {
  return tlv(TAG.bitString, joined([Uint8Array.of(unused), bytes]));
}

/** OCTET STRING. */
export function octetString(bytes: Uint8Array): Uint8Array {
  return tlv(TAG.octetString, bytes);
}

/** A context-specific tag; constructed when it wraps other values. */
export function context(number: number, content: Uint8Array, constructed = true): Uint8Array {
  return tlv(0x80 | (constructed ? 0x20 : 0) | number, content);
}

/** A point in time to the second: UTCTime up to 2049, GeneralizedTime after, as RFC 5280 asks. */
export function time(date: Date): Uint8Array {
  const digits = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:T]/g, '');
  return date.getUTCFullYear() < 2050
    ? tlv(TAG.utcTime, encoder.encode(digits.slice(2)))
    : tlv(TAG.generalizedTime, encoder.encode(digits));
}
