import { encodeUtf8 } from '../json/utf8.ts';

/** Quotes as Go's time package does in its errors: everything but plain ASCII byte by byte. */
export function timeQuote(text: string): string {
  let quoted = '';
  for (const byte of encodeUtf8(text)) {
    const char = String.fromCharCode(byte);
    if (char === '"' || char === '\\') quoted += `\\${char}`;
    else if (byte >= 0x20 && byte < 0x80) quoted += char;
    else quoted += `\\x${byte.toString(16).padStart(2, '0')}`;
  }
  return `"${quoted}"`;
}
