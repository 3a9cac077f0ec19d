/** Literals, and then bytes that are the same as others further back. */
export interface Sequence {
  readonly literals: number;
  readonly distance: number;
  readonly length: number;
}

/** Shorter matches cost as much as they save. */
const SHORTEST = 5;
const HASH_BITS = 16;
/** An odd number with its bits well mixed: 2^32 divided by the golden ratio. */
const MIX = 2654435761;

/** Finds repetitions in one input, block by block; later blocks refer to earlier ones. */
export function matchFinder(
  input: Uint8Array,
): (start: number, end: number) => { sequences: Sequence[]; literals: Uint8Array } {
  const seen = new Int32Array(1 << HASH_BITS).fill(-1);
  const view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  const hashAt = (at: number) => Math.imul(view.getUint32(at, true), MIX) >>> (32 - HASH_BITS);
  const lengthOf = (one: number, other: number, end: number) => {
    let length = 0;
    while (other + length < end && input[one + length] === input[other + length]) length += 1;
    return length;
  };
  return (start, end) => {
    const sequences: Sequence[] = [];
    const literals = new Uint8Array(end - start);
    let written = 0;
    let from = start;
    const keep = (until: number) => {
      literals.set(input.subarray(from, until), written);
      written += until - from;
    };
    for (let at = start; at + SHORTEST <= end; ) {
      const hash = hashAt(at);
      const before = seen[hash] ?? -1;
      seen[hash] = at;
      const length = before < 0 ? 0 : lengthOf(before, at, end);
      if (length < SHORTEST) {
        at += 1;
        continue;
      }
      sequences.push({ literals: at - from, distance: at - before, length });
      keep(at);
      // What is inside a match is found from its neighbours well enough; two places keep long runs connected.
      if (at + length + SHORTEST <= end) seen[hashAt(at + length - 2)] = at + length - 2;
      at += length;
      from = at;
    }
    keep(end);
    return { sequences, literals: literals.subarray(0, written) };
  };
}
