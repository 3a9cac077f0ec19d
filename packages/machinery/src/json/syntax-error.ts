import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';

/** Go's words for a byte that may not stand where it does, or for a text that ends too soon. */
export function unexpectedByte(byte: number | undefined, context: string): ParseError {
  if (byte === undefined) return new ParseError('unexpected end of JSON input');
  const char = String.fromCharCode(byte);
  const quoted = char === '"' ? '"' : char === "'" ? "\\'" : goQuote(char).slice(1, -1);
  return new ParseError(`invalid character '${quoted}' ${context}`);
}

/** The same inside a word, number or escape. There Go meets the end of a text as if a space came next, and says so. */
export function unexpectedInToken(byte: number | undefined, context: string): ParseError {
  return unexpectedByte(byte ?? 0x20, context);
}
