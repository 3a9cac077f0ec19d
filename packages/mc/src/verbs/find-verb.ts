import type { FlagTable } from '../flags/flag-table.ts';
import { bareValue, takesNumber } from '../flags/parse-flags.ts';

/** Where the verb stands in a command line. */
export interface FoundVerb {
  /** Of the table: one or two words. */
  readonly name: string;
  /** All words but those of the verb. */
  readonly words: readonly string[];
}

/** Words that name no verb. */
export interface UnknownVerb {
  /** What stands where a verb should; undefined when there is nothing but flags. */
  readonly typed: string | undefined;
  /** The first word of verbs that have two, when that much was right. */
  readonly parent: string | undefined;
}

/**
 * Finds the verb among flags that may stand before it. A flag of a verb is not known yet: what follows it counts as its
 * value unless that is a verb.
 */
export function findVerb(
  words: readonly string[],
  names: Iterable<string>,
  globals: FlagTable,
): FoundVerb | UnknownVerb {
  const known = new Set(names);
  const parents = new Set([...known].map((name) => name.split(' ')[0] ?? ''));
  const places = plainWords(words, globals, (word) => parents.has(word));
  const [first, second] = places;
  if (first === undefined) return { typed: undefined, parent: undefined };
  const one = words[first] ?? '';
  const two = second === undefined ? undefined : `${one} ${words[second]}`;
  if (two !== undefined && second !== undefined && known.has(two)) {
    return { name: two, words: words.filter((_, index) => index !== first && index !== second) };
  }
  if (known.has(one)) return { name: one, words: words.filter((_, index) => index !== first) };
  if (!parents.has(one)) return { typed: one, parent: undefined };
  return { typed: second === undefined ? undefined : words[second], parent: one };
}

/** Where the words are that are neither flags nor their values, up to the second one. */
function plainWords(
  words: readonly string[],
  globals: FlagTable,
  isVerb: (word: string) => boolean,
): number[] {
  const places: number[] = [];
  for (let index = 0; index < words.length && places.length < 2; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') break;
    if (!word.startsWith('-') || word === '-') {
      places.push(index);
      continue;
    }
    const following = words[index + 1];
    if (following === undefined || word.includes('=')) continue;
    const spec = specOf(word, globals);
    const isValue =
      spec === undefined
        ? // A value may be part of the word (`-nfoo`), but not of a long flag without `=`.
          places.length === 0 && (word.startsWith('--') || word.length === 2) && !isVerb(following)
        : bareValue(spec) === undefined || takesNumber(spec, following);
    if (isValue) index += 1;
  }
  return places;
}

function specOf(word: string, globals: FlagTable) {
  if (word.startsWith('--')) return globals.byName.get(word.slice(2));
  return word.length === 2 ? globals.byShort.get(word.slice(1)) : undefined;
}
