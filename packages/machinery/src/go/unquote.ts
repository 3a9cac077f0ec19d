import { decodeUtf8Lossy, encodeUtf8 } from '../json/utf8.ts';

const SINGLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};

const ESCAPE =
  /\\(?:x([0-9a-fA-F]{2})|([0-7]{3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([abfnrtv\\'"]))/y;

/**
 * What Go reads between a pair of quotes, by the rules of its string literals; undefined where Go says `invalid syntax`.
 * A quote of the other kind needs no backslash and may have none.
 */
export function goUnquote(inner: string, quote: '"' | "'"): string | undefined {
  if (!inner.includes('\\')) return inner.includes(quote) ? undefined : inner;
  // Escapes may name single bytes of a character, so the text is put together from bytes.
  const bytes: number[] = [];
  let at = 0;
  while (at < inner.length) {
    const start = at;
    while (at < inner.length && inner[at] !== '\\') at++;
    const plain = inner.slice(start, at);
    if (plain.includes(quote)) return undefined;
    bytes.push(...encodeUtf8(plain));
    if (at === inner.length) break;
    ESCAPE.lastIndex = at;
    const found = ESCAPE.exec(inner);
    const escaped = found === null ? undefined : bytesOf(found, quote);
    if (found === null || escaped === undefined) return undefined;
    bytes.push(...escaped);
    at += found[0].length;
  }
  return decodeUtf8Lossy(Uint8Array.from(bytes));
}

function bytesOf(found: RegExpExecArray, quote: string): Iterable<number> | undefined {
  const [, hex, octal, short, long, single] = found;
  if (hex !== undefined) return [Number.parseInt(hex, 16)];
  if (octal !== undefined) {
    const byte = Number.parseInt(octal, 8);
    return byte > 255 ? undefined : [byte];
  }
  if (single !== undefined) {
    if (single === '"' || single === "'") return single === quote ? encodeUtf8(single) : undefined;
    return encodeUtf8(SINGLE[single] ?? '');
  }
  const code = Number.parseInt(short ?? long ?? '', 16);
  // Half of a surrogate pair is no character to Go.
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined;
  return encodeUtf8(String.fromCodePoint(code));
}
