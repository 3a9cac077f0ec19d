const PLAIN = /^[ !#-[\]-~]*$/;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Quotes as Go's `%q` does, because messages that clients compare contain values quoted this way. */
export function goQuote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const char of text) quoted += shortEscapes[char] ?? escapeRune(char);
  return `${quoted}"`;
}

function escapeRune(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  // Half of a surrogate pair cannot exist in a Go string; Go would have read U+FFFD.
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (PRINTABLE.test(char)) return char;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
