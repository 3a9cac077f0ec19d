import { goQuote } from '../go/quote.ts';
import { decodeUtf8Lossy, encodeUtf8 } from '../json/utf8.ts';

const HTML: Readonly<Record<string, string>> = {
  '"': '&#34;',
  "'": '&#39;',
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\0': '\ufffd',
};

/** A text that means itself in HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/["'&<>\0]/g, (char) => HTML[char] ?? char);
}

const SCRIPT: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
  '<': '\\u003C',
  '>': '\\u003E',
  '&': '\\u0026',
  '=': '\\u003D',
};

/** A text that means itself in a string of JavaScript. */
export function escapeJs(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is escaped
  return text.replace(/[\\'"<>&=\0-\x1f]|[^\0-\x7f]/gu, (char) => {
    const known = SCRIPT[char];
    if (known !== undefined) return known;
    const code = char.codePointAt(0) ?? 0;
    if (code >= 0x80 && goQuote(char) === `"${char}"`) return char;
    return `\\u${code.toString(16).toUpperCase().padStart(4, '0')}`;
  });
}

/** A text that means itself in the query of a URL. */
export function escapeQuery(text: string): string {
  let escaped = '';
  for (const byte of encodeUtf8(text)) {
    const char = String.fromCharCode(byte);
    if (/[A-Za-z0-9\-_.~]/.test(char)) escaped += char;
    else if (char === ' ') escaped += '+';
    else escaped += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** kubectl's own function: the text of base64, as strict as Go's decoder, which skips line breaks. */
export function base64decode(text: string): string {
  const bytes: number[] = [];
  const problem = (at: number) =>
    new TypeError(`base64 decode failed: illegal base64 data at input byte ${at}`);
  let bits = 0;
  let held = 0;
  let count = 0;
  let at = 0;
  for (; at < text.length; at++) {
    const char = text[at] ?? '';
    if (char === '\n' || char === '\r') continue;
    if (char === '=') break;
    const digit = ALPHABET.indexOf(char);
    if (digit < 0) throw problem(at);
    held = (held << 6) | digit;
    bits += 6;
    count++;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
    held &= (1 << bits) - 1;
  }
  checkPadding(text, at, { digits: count % 4, problem });
  return decodeUtf8Lossy(Uint8Array.from(bytes));
}

function checkPadding(
  text: string,
  start: number,
  last: { readonly digits: number; readonly problem: (at: number) => Error },
): void {
  const rest = text.slice(start).replace(/[\r\n]/g, '');
  const wanted = last.digits === 0 ? '' : '='.repeat(4 - last.digits);
  if (rest === wanted && last.digits !== 1) return;
  if (rest === '') throw last.problem(text.length - last.digits);
  throw last.problem(rest.startsWith(wanted) && wanted !== '' ? start + wanted.length : start);
}
