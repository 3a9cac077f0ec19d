import type { BitWriter } from './bit-writer.ts';

/** Finite state entropy: a table that turns symbols into bits, by how likely each symbol is. */
export interface FseTable {
  readonly accuracyLog: number;
  /** Next states, in groups by symbol. */
  readonly states: Uint16Array;
  readonly deltaBits: Int32Array;
  readonly deltaState: Int32Array;
}

/** Symbols on their way into a stream, last one first. */
export interface FseEncoder {
  readonly encode: (symbol: number) => void;
  readonly flush: () => void;
}

/** Makes a table out of the normalized counts of RFC 8878; -1 is "less than one". */
export function fseTable(counts: readonly number[], accuracyLog: number): FseTable {
  const size = 1 << accuracyLog;
  const symbols = spread(counts, size);
  const next = new Int32Array(counts.length);
  const deltaBits = new Int32Array(counts.length);
  const deltaState = new Int32Array(counts.length);
  let total = 0;
  counts.forEach((count, symbol) => {
    const cells = Math.abs(count);
    next[symbol] = total;
    const most = cells <= 1 ? accuracyLog : accuracyLog - highestBit(cells - 1);
    deltaBits[symbol] = (most << 16) - (cells << most);
    deltaState[symbol] = total - cells;
    total += cells;
  });
  const states = new Uint16Array(size);
  symbols.forEach((symbol, cell) => {
    const at = next[symbol] ?? 0;
    states[at] = size + cell;
    next[symbol] = at + 1;
  });
  return { accuracyLog, states, deltaBits, deltaState };
}

/** Begins with the symbol that the reader sees last. */
export function fseEncoder(table: FseTable, last: number, out: BitWriter): FseEncoder {
  const { states, deltaBits, deltaState, accuracyLog } = table;
  const delta = deltaBits[last] ?? 0;
  const first = (delta + (1 << 15)) >> 16;
  let state = states[(((first << 16) - delta) >> first) + (deltaState[last] ?? 0)] ?? 0;
  return {
    encode: (symbol) => {
      const bits = (state + (deltaBits[symbol] ?? 0)) >> 16;
      out.add(state, bits);
      state = states[(state >> bits) + (deltaState[symbol] ?? 0)] ?? 0;
    },
    flush: () => out.add(state, accuracyLog),
  };
}

/** Which symbol each cell stands for: RFC 8878, 4.1.1. */
function spread(counts: readonly number[], size: number): Uint8Array {
  const symbols = new Uint8Array(size);
  let high = size - 1;
  counts.forEach((count, symbol) => {
    if (count === -1) symbols[high--] = symbol;
  });
  const step = (size >> 1) + (size >> 3) + 3;
  let cell = 0;
  counts.forEach((count, symbol) => {
    for (let left = count; left > 0; left--) {
      symbols[cell] = symbol;
      do cell = (cell + step) & (size - 1);
      while (cell > high);
    }
  });
  return symbols;
}

/** Position of the highest bit that is set. */
export function highestBit(value: number): number {
  return 31 - Math.clz32(value);
}
