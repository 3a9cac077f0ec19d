/** Gives equal things the same memory. */
export interface Interner {
  readonly string: (text: string) => string;
  /** Small JSON: the same object for equal ones, which therefore nobody may change. */
  readonly json: <V extends object>(value: V) => V;
}

/** Of each kind of thing, so many are remembered at most twice over. */
const GENERATION = 8_192;
/** Longer things are rarely the same in two objects, and must not be held for a generation. */
const LONGEST_KEY = 1_024;

/**
 * Remembers what it has seen lately. Names of ReplicaSets and owners come and go for ever, so what is not asked for
 * during a whole generation is forgotten; objects that have it keep it.
 */
export function createInterner(generation = GENERATION): Interner {
  const strings = createMemory<string>(generation);
  const values = createMemory<object>(generation);
  return {
    string: (text) => strings(text, text),
    json: <V extends object>(value: V) => values(JSON.stringify(value), value) as V,
  };
}

function createMemory<V>(generation: number): (key: string, value: V) => V {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return (key, value) => {
    if (key.length > LONGEST_KEY) return value;
    const known = young.get(key);
    if (known !== undefined) return known;
    const kept = old.get(key) ?? value;
    if (young.size >= generation) {
      old = young;
      young = new Map();
    }
    young.set(key, kept);
    return kept;
  };
}
