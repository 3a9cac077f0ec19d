import { goQuote } from '../go/quote.ts';
import { encodeUtf8 } from '../json/utf8.ts';
import type { Directive } from './format-number.ts';

/** A text for `%s`, `%v`, `%q`, `%x` and `%X`; undefined for other verbs. */
export function formatText(value: string, directive: Directive): string | undefined {
  const { verb, flags, precision } = directive;
  const text = precision === undefined ? value : [...value].slice(0, precision).join('');
  switch (verb) {
    case 's':
    case 'v':
      return pad(text, directive);
    case 'q': {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no text with these can stand between backquotes
      const isRaw = flags.includes('#') && !/[`\u0000-\u0008\u000b-\u001f\u007f]/.test(text);
      return pad(isRaw ? `\`${text}\`` : goQuote(text), directive);
    }
    case 'x':
    case 'X': {
      const bytes = [...encodeUtf8(value)].slice(0, precision);
      const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
      const joined = flags.includes(' ') ? hex.join(' ') : hex.join('');
      const whole = flags.includes('#') && joined !== '' ? `0x${joined}` : joined;
      return pad(verb === 'X' ? whole.toUpperCase() : whole, directive);
    }
    default:
      return undefined;
  }
}

/** Filled up to the width, by code points, left or right. */
export function pad(text: string, { width, isLeft, flags }: Directive): string {
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  if (isLeft) return text + ' '.repeat(missing);
  return (flags.includes('0') ? '0' : ' ').repeat(missing) + text;
}
