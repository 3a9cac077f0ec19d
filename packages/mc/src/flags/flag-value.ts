import { durationToMs, goQuote, ParseError, parseDuration } from '@flotilla/machinery';
import type { FlagSpec } from './flag.ts';
import { FlagError } from './flag-error.ts';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** What a flag was given, once it is known to be one of its values. */
export type FlagValue = boolean | number | string | readonly string[];

/** Reads one value of a flag; throws what pflag says of a wrong one. */
export function readFlagValue(spec: FlagSpec, text: string): FlagValue {
  const problem = (why: string) =>
    new FlagError(`invalid argument ${goQuote(text)} for "${written(spec)}" flag: ${why}`);
  if (spec.choices !== undefined && !spec.choices.includes(text)) {
    throw problem(`must be one of ${spec.choices.join(', ')}`);
  }
  switch (spec.kind) {
    case 'bool':
      if (TRUE.has(text)) return true;
      if (FALSE.has(text)) return false;
      throw problem(`strconv.ParseBool: parsing ${goQuote(text)}: invalid syntax`);
    case 'integer':
      if (!/^[+-]?(\d+|0[xX][0-9a-fA-F]+)$/.test(text)) {
        throw problem(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
      }
      if (!Number.isSafeInteger(integerOf(text))) {
        throw problem(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
      }
      return integerOf(text);
    case 'duration':
      try {
        return durationToMs(parseDuration(text));
      } catch (error) {
        if (!(error instanceof ParseError)) throw error;
        throw problem(error.message);
      }
    case 'texts':
      return splitValues(text);
    case 'lines':
      return [text];
    case 'text':
      return text;
  }
}

/** `-A, --all-namespaces`, as pflag names a flag in its errors. */
function written({ name, short }: FlagSpec): string {
  return short === undefined ? `--${name}` : `-${short}, --${name}`;
}

function integerOf(text: string): number {
  const size = Number(text.replace(/^[+-]/, ''));
  return text.startsWith('-') ? -size : size;
}

/** Commas separate, except inside a value that double quotes are around. */
function splitValues(text: string): string[] {
  if (text === '') return [];
  const values: string[] = [];
  const pattern = /(?:^|,)(?:"((?:[^"]|"")*)"(?=,|$)|([^,]*))/y;
  while (pattern.lastIndex < text.length || values.length === 0) {
    const match = pattern.exec(text);
    if (match === null) break;
    values.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
  }
  return values;
}
