import { type GoType, isInt, isList, isMap, isPointer, isSpecial, isStruct } from './go-type.ts';
import { intRange } from './scalar-types.ts';

/** A seeded source of numbers in [0, 1): the same seed gives the same test. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const texts = ['', 'a', 'web-1', 'é ü', 'line\nbreak', '"quoted"', '<&>', '\u{1f600}', '\ufffd'];

/** A random JSON value of the type; pass it through `canonicalize` for the form Go would write. */
export function randomValue(type: GoType, random: () => number, depth = 0): unknown {
  const int = (below: number) => Math.floor(random() * below);
  const pick = <T>(items: readonly T[]): T => items[int(items.length)] as T;
  const inner = (of: GoType) => randomValue(of, random, depth + 1);
  if (isPointer(type)) return inner(type.to);
  if (isStruct(type)) {
    const density = depth < 3 ? 0.8 : 0.25;
    const given = type.fields().filter(() => depth < 8 && random() < density);
    return Object.fromEntries(given.map((field) => [field.name, inner(field.type)]));
  }
  if (isList(type)) return Array.from({ length: int(3) }, () => inner(type.of));
  if (isMap(type))
    return Object.fromEntries(texts.slice(0, int(4)).map((key) => [key, inner(type.of)]));
  if (isInt(type)) {
    const [least, greatest] = intRange(type);
    return pick([0, 1, 42, least, greatest, BigInt(int(1000))]);
  }
  if (isSpecial(type))
    return specialValue(type.special, { pick, int, inner: () => inner(type.inner?.() ?? type) });
  if (type.form === 'bool') return random() < 0.5;
  if (type.form === 'float') return pick([0, 0.5, -1.25, 1e21]);
  if (type.form === 'bytes') return Buffer.from(pick(texts)).toString('base64');
  return pick(texts);
}

interface Choices {
  readonly pick: <T>(items: readonly T[]) => T;
  readonly int: (below: number) => number;
  readonly inner: () => unknown;
}

function specialValue(form: string, { pick, int, inner }: Choices): unknown {
  switch (form) {
    case 'time':
      return pick([null, '2024-02-29T12:00:00Z', '1969-12-31T23:59:59Z', '0001-01-01T00:00:01Z']);
    case 'microTime':
      return pick([null, '2024-02-29T12:00:00.123456Z', '1969-12-31T23:59:59.000001Z']);
    case 'duration':
      return pick(['0s', '1h30m0s', '-1.5s', '1ns']);
    case 'quantity':
      return pick(['0', '1', '1000m', '0.5', '1.5Gi', '1e3', '-100m', '12345678901234567890']);
    case 'intOrString':
      return pick(['http', '', '25%', 0, 8080, -1, 2147483647]);
    case 'raw':
      return pick([null, {}, { a: [1, 'x', null] }, 9007199254740993n, 'text', [true]]);
    case 'schemaOrBool':
      return pick([true, false, inner()]);
    case 'schemaOrArray':
      return int(2) === 0 ? inner() : [inner(), {}];
    default:
      return int(2) === 0 ? inner() : ['a', 'b'];
  }
}
