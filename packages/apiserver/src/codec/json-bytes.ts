/** Where a member of an object lies in compact JSON bytes. */
export interface MemberSpan {
  /** Offset of the value's first byte. */
  readonly start: number;
  /** Offset after its last byte. */
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Finds a member of the object that begins at `at`, without decoding anything. The bytes must be JSON as our encoder
 * writes it, without white space.
 */
export function findMember(bytes: Buffer, key: string, at = 0): MemberSpan | undefined {
  if (bytes[at] !== OPEN_BRACE) return undefined;
  const wanted = Buffer.from(`${JSON.stringify(key)}:`);
  let position = at + 1;
  while (position < bytes.length && bytes[position] === QUOTE) {
    const valueStart = endOfString(bytes, position) + 1;
    const end = endOfValue(bytes, valueStart);
    if (bytes.compare(wanted, 0, wanted.length, position, valueStart) === 0) {
      return { start: valueStart, end };
    }
    if (bytes[end] !== COMMA) return undefined;
    position = end + 1;
  }
  return undefined;
}

/** Offset after the closing quote of the string that begins at `at`. */
function endOfString(bytes: Buffer, at: number): number {
  let end = bytes.indexOf(QUOTE, at + 1);
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end + 1;
}

/** A quote after an odd number of backslashes belongs to the string. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

function endOfValue(bytes: Buffer, at: number): number {
  const first = bytes[at];
  if (first === QUOTE) return endOfString(bytes, at);
  let depth = 0;
  let position = at;
  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === QUOTE) {
      position = endOfString(bytes, position);
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      // A scalar ends where its parent does; a container ends with its own bracket.
      if (depth === 0) return position;
      depth -= 1;
      if (depth === 0) return position + 1;
    } else if (byte === COMMA && depth === 0) {
      return position;
    }
    position += 1;
  }
  return position;
}
