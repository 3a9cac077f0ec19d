import { goQuote } from './quote.ts';

/** A character as Go's `%#U` shows it: `U+002A '*'`, without the character where it cannot be printed. */
export function formatCharacter(char: string): string {
  const code = char.codePointAt(0) ?? 0xfffd;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const isPrintable = char === '"' || char === '\\' || goQuote(char) === `"${char}"`;
  return isPrintable ? `${name} '${char}'` : name;
}
