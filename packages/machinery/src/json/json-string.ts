import { unexpectedByte, unexpectedInToken } from './syntax-error.ts';
import { decodeUtf8Lossy } from './utf8.ts';

const escapes: Readonly<Record<number, string>> = {
  34: '"',
  47: '/',
  92: '\\',
  98: '\b',
  102: '\f',
  110: '\n',
  114: '\r',
  116: '\t',
};

/** Reads the string whose opening quote is at `start`; `end` is after the closing one. */
export function readString(bytes: Uint8Array, start: number): { text: string; end: number } {
  let text = '';
  let position = start + 1;
  let from = position;
  for (;;) {
    const byte = bytes[position];
    if (byte === undefined || byte < 0x20) throw unexpectedByte(byte, 'in string literal');
    if (byte === 0x22) {
      text += decodeUtf8Lossy(bytes.subarray(from, position));
      return { text, end: position + 1 };
    }
    if (byte !== 0x5c) {
      position++;
      continue;
    }
    text += decodeUtf8Lossy(bytes.subarray(from, position));
    const escaped = readEscape(bytes, position);
    text += escaped.text;
    position = escaped.end;
    from = position;
  }
}

function readEscape(bytes: Uint8Array, start: number): { text: string; end: number } {
  const kind = bytes[start + 1];
  if (kind !== 0x75) {
    const text = kind === undefined ? undefined : escapes[kind];
    if (text === undefined) throw unexpectedInToken(kind, 'in string escape code');
    return { text, end: start + 2 };
  }
  const code = readHex(bytes, start + 2);
  const end = start + 6;
  if (code < 0xd800 || code > 0xdfff) return { text: String.fromCharCode(code), end };
  if (code < 0xdc00 && bytes[end] === 0x5c && bytes[end + 1] === 0x75) {
    const low = readHex(bytes, end + 2);
    if (low >= 0xdc00 && low <= 0xdfff) {
      return { text: String.fromCharCode(code, low), end: end + 6 };
    }
  }
  return { text: '\ufffd', end };
}

function readHex(bytes: Uint8Array, start: number): number {
  let code = 0;
  for (let i = start; i < start + 4; i++) {
    const digit = Number.parseInt(String.fromCharCode(bytes[i] ?? 0), 16);
    if (Number.isNaN(digit)) {
      throw unexpectedInToken(bytes[i], 'in \\u hexadecimal character escape');
    }
    code = code * 16 + digit;
  }
  return code;
}
