import { dynType, intType, listType, stringType } from '../types.ts';
import { describe } from '../values/describe.ts';
import { ValueList } from '../values/lists.ts';
import { codePointLength, hasOnlyUnits } from '../values/text.ts';
import { CelFault, type CelList, type CelValue } from '../values/value.ts';
import { spend } from '../values/work.ts';
import { formatString } from './format-string.ts';
import { define, type FunctionDecl, global, member, type Signature } from './function.ts';

/** No expression may make a string longer than this, whatever it costs. */
const MAX_LENGTH = 16 * 1024 * 1024;

const TOO_LONG = new CelFault('string exceeds the size limit');

const outOfRange = (index: bigint | number) => new CelFault(`index out of range: ${index}`);

/** Text by code points; units where that is the same. */
function points(text: string): string | string[] {
  if (hasOnlyUnits(text)) return text;
  spend(text.length);
  return [...text];
}

const slice = (text: string | string[], start: number, end?: number): string =>
  typeof text === 'string' ? text.slice(start, end) : text.slice(start, end).join('');

function charAt(text: string, index: bigint): CelValue {
  const all = points(text);
  if (index < 0n || index > BigInt(all.length)) return outOfRange(index);
  return all[Number(index)] ?? '';
}

/** A place in UTF-16 units as one in code points. */
const toPoints = (text: string, units: number): bigint =>
  units < 0 ? -1n : BigInt(codePointLength(text.slice(0, units)));

/** How many UTF-16 units some code points take. */
function toUnits(text: string, count: number): number {
  let units = 0;
  for (let seen = 0; seen < count; seen++) units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
  return units;
}

function indexOf(text: string, part: string, offset = 0n): CelValue {
  if (part === '') return offset;
  if (offset < 0n) return outOfRange(offset);
  if (offset >= BigInt(codePointLength(text))) return -1n;
  return toPoints(text, text.indexOf(part, toUnits(text, Number(offset))));
}

function lastIndexOf(text: string, part: string, offset?: bigint): CelValue {
  const length = codePointLength(text);
  if (part === '') return offset ?? BigInt(length);
  if (offset === undefined) return toPoints(text, text.lastIndexOf(part));
  if (offset < 0n) return outOfRange(offset);
  if (offset >= BigInt(length)) return -1n;
  return toPoints(text, text.lastIndexOf(part, toUnits(text, Number(offset))));
}

function substring(text: string, start: bigint, end?: bigint): CelValue {
  const all = points(text);
  const length = BigInt(all.length);
  if (end !== undefined && start > end) {
    return new CelFault(`invalid substring range. start: ${start}, end: ${end}`);
  }
  if (start < 0n || start > length) return outOfRange(start);
  if (end !== undefined && (end < 0n || end > length)) return outOfRange(end);
  return slice(all, Number(start), end === undefined ? undefined : Number(end));
}

function replace(...[text, old, fresh, limit = -1n]: [string, string, string, bigint?]): CelValue {
  if (limit === 0n || old === fresh) return text;
  const count = limit < 0n ? -1n : limit + 1n;
  const pieces = old === '' ? aroundAll(text, count) : splitUpTo(text, old, count);
  const length = text.length + (pieces.length - 1) * Math.max(fresh.length - old.length, 0);
  return length > MAX_LENGTH ? TOO_LONG : pieces.join(fresh);
}

/** The pieces between separators; an empty separator is between all characters. */
function splitUpTo(text: string, separator: string, limit: bigint): string[] {
  if (limit === 0n) return [];
  spend(text.length >> 2);
  if (separator === '') return keepUpTo([...text], limit);
  return limit < 0n ? text.split(separator) : splitN(text, separator, limit);
}

/** The characters with nothing before and after: an empty text is found there, too. */
function aroundAll(text: string, limit: bigint): string[] {
  spend(text.length >> 2);
  return keepUpTo(['', ...text, ''], limit);
}

/** At most so many pieces; the last one is all that remains. */
function keepUpTo(pieces: string[], limit: bigint): string[] {
  if (limit < 0n || limit >= BigInt(pieces.length)) return pieces;
  const kept = Number(limit) - 1;
  return [...pieces.slice(0, kept), pieces.slice(kept).join('')];
}

function splitN(text: string, separator: string, limit: bigint): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (BigInt(pieces.length) < limit - 1n) {
    const found = text.indexOf(separator, from);
    if (found < 0) break;
    pieces.push(text.slice(from, found));
    from = found + separator.length;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function join(list: CelList, separator = ''): CelValue {
  const pieces: string[] = [];
  let length = 0;
  for (const value of list) {
    if (typeof value !== 'string') return new CelFault(`join: invalid input: ${describe(value)}`);
    length += value.length + separator.length;
    if (length > MAX_LENGTH) return TOO_LONG;
    pieces.push(value);
  }
  return pieces.join(separator);
}

const QUOTED: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const quote = (text: string): CelValue =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is quoted
  `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (found) => QUOTED[found] ?? found)}"`;

/** What Go takes for white space. */
const SPACE =
  '[\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING = new RegExp(`^${SPACE}+`);

function trim(text: string): string {
  const start = text.replace(LEADING, '');
  let end = start.length;
  const isSpace = new RegExp(SPACE);
  while (end > 0 && isSpace.test(start[end - 1] ?? '')) end--;
  return start.slice(0, end);
}

const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

const text = (args: Signature['args'], call: Signature['call']): Signature => ({
  args,
  result: stringType,
  call,
});

const place = (args: Signature['args'], call: Signature['call']): Signature => ({
  args,
  result: intType,
  call,
});

const list = (args: Signature['args'], call: Signature['call']): Signature => ({
  args,
  result: listType(stringType),
  call,
});

const S = stringType;
const strings = listType(stringType);

/** cel-go's string extension, of the version that Kubernetes uses. */
export const stringFunctions: readonly FunctionDecl[] = [
  define('charAt', member('string_char_at_int', text([S, intType], charAt))),
  define(
    'indexOf',
    member('string_index_of_string', place([S, S], indexOf)),
    member('string_index_of_string_int', place([S, S, intType], indexOf)),
  ),
  define(
    'lastIndexOf',
    member('string_last_index_of_string', place([S, S], lastIndexOf)),
    member('string_last_index_of_string_int', place([S, S, intType], lastIndexOf)),
  ),
  define('lowerAscii', member('string_lower_ascii', text([S], lower))),
  define('upperAscii', member('string_upper_ascii', text([S], upper))),
  define(
    'replace',
    member('string_replace_string_string', text([S, S, S], replace)),
    member('string_replace_string_string_int', text([S, S, S, intType], replace)),
  ),
  define(
    'split',
    member(
      'string_split_string',
      list([S, S], (a: string, by: string) => new ValueList(splitUpTo(a, by, -1n))),
    ),
    member(
      'string_split_string_int',
      list(
        [S, S, intType],
        (a: string, by: string, limit: bigint) => new ValueList(splitUpTo(a, by, limit)),
      ),
    ),
  ),
  define(
    'substring',
    member('string_substring_int', text([S, intType], substring)),
    member('string_substring_int_int', text([S, intType, intType], substring)),
  ),
  define('trim', member('string_trim', text([S], trim))),
  define('format', member('string_format', text([S, listType(dynType)], formatString))),
  define('strings.quote', global('strings_quote', text([S], quote))),
  define(
    'join',
    member('list_join', text([strings], join)),
    member('list_join_string', text([strings, S], join)),
  ),
];
