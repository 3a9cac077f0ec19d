import type { FlagSpec, Flags } from '../../flags/flag.ts';
import { FlagError } from '../../flags/flag-error.ts';
import { type FlagTable, flagTable } from '../../flags/flag-table.ts';
import { globalFlags } from '../../flags/global-flags.ts';
import { bareValue, parseFlags, takesNumber } from '../../flags/parse-flags.ts';
import type { Verb } from '../../verb.ts';
import { findVerb } from '../find-verb.ts';

/** What the last word is going to be. */
export type TypedPlace =
  /** A verb, or the second word of one whose first is `parent`. */
  | { readonly kind: 'verb'; readonly parent: string | undefined }
  | { readonly kind: 'flag' }
  | { readonly kind: 'value'; readonly flag: FlagSpec }
  | { readonly kind: 'argument' }
  /** Behind `--`, or behind a word that is no verb. */
  | { readonly kind: 'unknown' };

/** A command line that is being typed. */
export interface TypedWords {
  readonly verb: Verb | undefined;
  readonly place: TypedPlace;
  /** What there is of the word, or of the flag's value. */
  readonly typed: string;
  /** What stands before `typed` in the word and must stand before every candidate: the `-o` of `-ojson`. */
  readonly before: string;
  /** Arguments before the word. */
  readonly args: readonly string[];
  /** Flags before the word, as far as they can be read. */
  readonly flags: Flags;
  readonly table: FlagTable;
}

/** Verbs by what is typed. */
type Verbs = Readonly<Record<string, () => Promise<Verb>>>;

/** Reads words of which the last is not finished; whatever is wrong with the others is passed over. */
export async function readTypedWords(words: readonly string[], verbs: Verbs): Promise<TypedWords> {
  // Help is asked about verbs.
  const meant = words[0] === 'help' && words.length > 1 ? words.slice(1) : words;
  const done = meant.slice(0, -1);
  const last = meant.at(-1) ?? '';
  const globals = flagTable(globalFlags);
  const names = Object.keys(verbs).filter((name) => !name.startsWith('_'));
  const found = findVerb(done, names, globals);
  const verb = 'name' in found ? await verbs[found.name]?.() : undefined;
  const table = verb === undefined ? globals : flagTable(verb.flags, globalFlags);
  const read = readDone('name' in found ? found.words : done, table);
  const { args, flags, waiting } = read;
  const known = { verb, args: args.slice('parent' in found && found.parent ? 1 : 0), flags, table };
  if (read.hasEnded) return { ...known, place: { kind: 'unknown' }, typed: last, before: '' };
  if (waiting !== undefined) {
    return { ...known, place: { kind: 'value', flag: waiting }, typed: last, before: '' };
  }
  const attached = attachedValue(last, table);
  if (attached !== undefined) return { ...known, ...attached };
  if (last.startsWith('-')) return { ...known, place: { kind: 'flag' }, typed: last, before: '' };
  const place: TypedPlace = 'name' in found ? { kind: 'argument' } : verbPlace(found);
  return { ...known, place, typed: last, before: '' };
}

function verbPlace({
  typed,
  parent,
}: {
  typed: string | undefined;
  parent: string | undefined;
}): TypedPlace {
  return typed === undefined ? { kind: 'verb', parent } : { kind: 'unknown' };
}

/** A flag and the beginning of its value in one word: `--clusters=pr`, `-o=js`, `-ojs`. */
function attachedValue(
  word: string,
  table: FlagTable,
): Pick<TypedWords, 'place' | 'typed' | 'before'> | undefined {
  const [, long, longValue] = /^--([^=]+)=(.*)$/s.exec(word) ?? [];
  if (long !== undefined) {
    const flag = table.byName.get(long);
    const place: TypedPlace = flag === undefined ? { kind: 'unknown' } : { kind: 'value', flag };
    // Shells look only at what is behind the sign.
    return { place, typed: longValue ?? '', before: '' };
  }
  const [, letter = '', equals = '', value = ''] = /^-([^-=])(=?)(.*)$/s.exec(word) ?? [];
  const flag = table.byShort.get(letter);
  if (flag === undefined || bareValue(flag) !== undefined || (equals === '' && value === '')) {
    return undefined;
  }
  return {
    place: { kind: 'value', flag },
    typed: value,
    before: equals === '' ? `-${letter}` : '',
  };
}

interface Done {
  readonly args: readonly string[];
  readonly flags: Flags;
  /** A flag whose value comes next. */
  readonly waiting: FlagSpec | undefined;
  /** Whether `--` was there. */
  readonly hasEnded: boolean;
}

function readDone(words: readonly string[], table: FlagTable): Done {
  const args: string[] = [];
  const sound: string[] = [];
  let waiting: FlagSpec | undefined;
  let hasEnded = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      hasEnded = true;
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      args.push(word);
      continue;
    }
    const flag = flagOf(word, table);
    const following = words[index + 1];
    const isOpen = flag !== undefined && !word.includes('=') && isWhole(word, flag);
    if (isOpen && bareValue(flag) === undefined) {
      index += 1;
      if (following === undefined) waiting = flag;
      else keep(sound, [word, following], table);
    } else if (isOpen && takesNumber(flag, following)) {
      index += 1;
      keep(sound, [word, following], table);
    } else keep(sound, [word], table);
  }
  return { args, flags: parseFlags(sound, table).flags, waiting, hasEnded };
}

/** The flag that a word ends with: of letters in one word, the last may have a value. */
function flagOf(word: string, table: FlagTable): FlagSpec | undefined {
  if (word.startsWith('--')) return table.byName.get(word.slice(2).split('=')[0] ?? '');
  return table.byShort.get(word.at(-1) ?? '');
}

/** False for `-ojson`, whose value is in it. */
function isWhole(word: string, { short }: FlagSpec): boolean {
  return word.startsWith('--') || word.length === 2 || word.endsWith(short ?? '');
}

function keep(sound: string[], words: readonly string[], table: FlagTable): void {
  try {
    parseFlags(words, table);
    sound.push(...words);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
  }
}
