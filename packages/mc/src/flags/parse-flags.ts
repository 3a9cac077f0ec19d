import type { FlagSpec, Flags } from './flag.ts';
import { FlagError } from './flag-error.ts';
import type { FlagTable } from './flag-table.ts';
import { type FlagValue, readFlagValue } from './flag-value.ts';
import { nearNames, suggestion } from './suggest.ts';

/** A command line, taken apart. */
export interface ParsedFlags {
  /** Everything that is no flag, in order. */
  readonly args: readonly string[];
  /** What came behind `--`; undefined when there was none. */
  readonly rest: readonly string[] | undefined;
  readonly flags: Flags;
}

/**
 * Takes words apart as kubectl does: flags may stand anywhere before `--`, `-oyaml`, `-o=yaml` and `-o yaml` are one,
 * and short flags that need no value may be written as one word. Throws FlagError.
 */
export function parseFlags(words: readonly string[], table: FlagTable): ParsedFlags {
  const values = new Map<string, FlagValue>();
  const args: string[] = [];
  const give = (spec: FlagSpec, text: string) => {
    const value = readFlagValue(spec, text);
    const before = values.get(spec.name);
    values.set(
      spec.name,
      Array.isArray(value) && Array.isArray(before) ? [...before, ...value] : value,
    );
  };

  let next = 0;
  while (next < words.length) {
    const word = words[next] ?? '';
    next += 1;
    if (word === '--') return { args, rest: words.slice(next), flags: readFlags(values, table) };
    if (word.startsWith('--')) next += longFlag(word, words[next], { table, give });
    else if (word.startsWith('-') && word !== '-')
      next += shortFlags(word, words[next], { table, give });
    else args.push(word);
  }
  return { args, rest: undefined, flags: readFlags(values, table) };
}

interface Taking {
  readonly table: FlagTable;
  readonly give: (spec: FlagSpec, text: string) => void;
}

/** How many of the words behind it the flag has taken. */
function longFlag(word: string, following: string | undefined, { table, give }: Taking): 0 | 1 {
  const [, name = '', value] = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
  if (name === '' || name.startsWith('-')) throw new FlagError(`bad flag syntax: ${word}`);
  const spec = table.byName.get(name);
  if (spec === undefined) {
    const near = nearNames(name, visibleNames(table)).map((each) => `--${each}`);
    throw new FlagError(`unknown flag: --${name}${suggestion(near)}`);
  }
  if (value !== undefined) {
    give(spec, value);
    return 0;
  }
  const bare = bareValue(spec);
  if (bare !== undefined) {
    if (takesNumber(spec, following)) {
      give(spec, following);
      return 1;
    }
    give(spec, bare);
    return 0;
  }
  if (following === undefined) throw new FlagError(`flag needs an argument: --${name}`);
  give(spec, following);
  return 1;
}

function shortFlags(word: string, following: string | undefined, { table, give }: Taking): 0 | 1 {
  let letters = word.slice(1);
  while (letters !== '') {
    const [letter = ''] = letters;
    letters = letters.slice(letter.length);
    const spec = table.byShort.get(letter);
    if (spec === undefined) {
      throw new FlagError(`unknown shorthand flag: '${letter}' in ${word}`);
    }
    if (letters.startsWith('=')) {
      give(spec, letters.slice(1));
      return 0;
    }
    const bare = bareValue(spec);
    if (bare === undefined) {
      if (letters !== '') {
        give(spec, letters);
        return 0;
      }
      if (following === undefined) {
        throw new FlagError(`flag needs an argument: '${letter}' in ${word}`);
      }
      give(spec, following);
      return 1;
    }
    if (takesNumber(spec, letters)) {
      give(spec, letters);
      return 0;
    }
    if (letters === '' && takesNumber(spec, following)) {
      give(spec, following);
      return 1;
    }
    give(spec, bare);
  }
  return 0;
}

/** What a flag without a value means; undefined when it must have one. */
export function bareValue(spec: FlagSpec): string | undefined {
  return spec.kind === 'bool' ? 'true' : spec.bare;
}

/** Whether a flag that needs no value takes `text` for one: `-v6` and `--v 6` are what kubectl's users type. */
export function takesNumber(spec: FlagSpec, text: string | undefined): text is string {
  return spec.kind === 'integer' && text !== undefined && /^\d+$/.test(text);
}

function visibleNames(table: FlagTable): string[] {
  return [...table.byName].filter(([, spec]) => spec.isHidden !== true).map(([name]) => name);
}

function readFlags(values: ReadonlyMap<string, FlagValue>, table: FlagTable): Flags {
  const given = (name: string): FlagValue | undefined => {
    const spec = table.byName.get(name);
    if (spec === undefined) throw new Error(`No table has a flag --${name}`);
    return values.get(spec.name);
  };
  const textOf = (name: string) => {
    const value = given(name);
    return typeof value === 'string' ? value : undefined;
  };
  const numberOf = (name: string) => {
    const value = given(name);
    return typeof value === 'number' ? value : undefined;
  };
  return {
    isSet: (name) => given(name) !== undefined,
    bool: (name) => given(name) === true,
    text: textOf,
    texts: (name) => {
      const value = given(name);
      return Array.isArray(value) ? (value as string[]) : [];
    },
    integer: numberOf,
    durationMs: numberOf,
  };
}
