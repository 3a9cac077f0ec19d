import { type FseTable, fseTable } from './fse-encoder.ts';

/** A number as zstd writes it: a code, and the bits that tell numbers of one code apart. */
export interface Coded {
  readonly code: number;
  readonly extra: number;
  readonly bits: number;
}

/** How often each code is expected where a block brings no counts of its own: RFC 8878, 3.1.1.3.2.2. */
export interface PredefinedTables {
  readonly literalLengths: FseTable;
  readonly matchLengths: FseTable;
  readonly offsets: FseTable;
}

const LITERAL_LENGTHS = [
  4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
  -1, -1, -1, -1,
];
const MATCH_LENGTHS = [
  1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
];
const OFFSETS = [
  1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
];

/** Bits of the codes after those that stand for one number each. */
const LITERAL_LENGTH_BITS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
const MATCH_LENGTH_BITS = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/** Makes the three tables anew; they are small. */
export function predefinedTables(): PredefinedTables {
  return {
    literalLengths: fseTable(LITERAL_LENGTHS, 6),
    matchLengths: fseTable(MATCH_LENGTHS, 6),
    offsets: fseTable(OFFSETS, 5),
  };
}

/** The code of so many literals. */
export const literalLengthCode = coder(16, LITERAL_LENGTH_BITS);

const matchCode = coder(32, MATCH_LENGTH_BITS);

/** The code of a match of so many bytes, three at least. */
export function matchLengthCode(length: number): Coded {
  return matchCode(length - 3);
}

/** The code of a distance; the lowest three values stand for distances used before, which we never do. */
export function offsetCode(distance: number): Coded {
  const value = distance + 3;
  const code = 31 - Math.clz32(value);
  return { code, extra: value - (1 << code), bits: code };
}

function coder(singles: number, widths: readonly number[]): (value: number) => Coded {
  const bases: number[] = [];
  widths.reduce((base, bits) => {
    bases.push(base);
    return base + (1 << bits);
  }, singles);
  return (value) => {
    if (value < singles) return { code: value, extra: 0, bits: 0 };
    const at = bases.findLastIndex((base) => base <= value);
    return { code: singles + at, extra: value - (bases[at] ?? 0), bits: widths[at] ?? 0 };
  };
}
