import { slideChanges } from './slide-changes.ts';

/** Which lines of two texts have no counterpart in the other. */
export interface EditScript {
  readonly deleted: Uint8Array;
  readonly inserted: Uint8Array;
}

/** Behind every line; of the 32 bits that the arrays have. */
const UNREACHED = 0x7fff_ffff;

/** After so many steps a split that is good enough counts: two large texts without anything in common would take for ever. */
const MAX_COST = 1_024;

/** Lines around changes that count, as many as are shown. */
const HORIZON = 3;

/**
 * The fewest lines to delete and insert so that one text becomes the other (Myers' algorithm in linear space). Where
 * the same could be said in several ways, runs of changes are as late as they can be, as in diff(1).
 */
export function editScript(before: readonly string[], after: readonly string[]): EditScript {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const known = numbers.get(line);
      if (known !== undefined) return known;
      numbers.set(line, numbers.size);
      return numbers.size - 1;
    });
  const a = numbered(before);
  const b = numbered(after);
  const { start, behind } = sameEnds(a, b);
  const inner = scriptOf(
    a.subarray(start, a.length - behind),
    b.subarray(start, b.length - behind),
  );
  return {
    deleted: placed(inner.deleted, start, a.length),
    inserted: placed(inner.inserted, start, b.length),
  };
}

/** How many lines at both ends are the same and far from all changes; diff(1) does not look at them either. */
function sameEnds(a: Int32Array, b: Int32Array): { start: number; behind: number } {
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let behind = 0;
  while (behind < shorter - start && a.at(-1 - behind) === b.at(-1 - behind)) behind += 1;
  return { start: Math.max(0, start - HORIZON), behind: Math.max(0, behind - HORIZON) };
}

function placed(marks: Uint8Array, start: number, length: number): Uint8Array {
  const all = new Uint8Array(length);
  all.set(marks, start);
  return all;
}

function scriptOf(a: Int32Array, b: Int32Array): EditScript {
  const [aKept, bKept] = [shared(a, new Set(b)), shared(b, new Set(a))];
  const reduced = {
    a: aKept.map((index) => a[index] ?? 0),
    b: bKept.map((index) => b[index] ?? 0),
    deleted: new Uint8Array(aKept.length),
    inserted: new Uint8Array(bKept.length),
  };
  mark({ ...reduced, ...furthest(aKept.length + bKept.length) });
  const script = {
    deleted: expanded(reduced.deleted, aKept, a.length),
    inserted: expanded(reduced.inserted, bKept, b.length),
  };
  slideChanges(a, script.deleted, script.inserted);
  slideChanges(b, script.inserted, script.deleted);
  return script;
}

/** Where the lines are that the other text has, too: the rest is changed in any case. */
function shared(lines: Int32Array, others: ReadonlySet<number>): Int32Array {
  return Int32Array.from(lines.keys()).filter((index) => others.has(lines[index] ?? -1));
}

/** Marks of some lines as marks of all; those that were left out are changed. */
function expanded(marks: Uint8Array, kept: Int32Array, length: number): Uint8Array {
  const all = new Uint8Array(length).fill(1);
  for (const [at, index] of kept.entries()) all[index] = marks[at] ?? 1;
  return all;
}

interface Search extends EditScript {
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** How far each diagonal has been followed, from both ends. */
  readonly forward: Int32Array;
  readonly backward: Int32Array;
}

function furthest(length: number): Pick<Search, 'forward' | 'backward'> {
  return { forward: new Int32Array(length + 3), backward: new Int32Array(length + 3) };
}

/** A part of each text. */
interface Area {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Marks what has no counterpart, area by area: each is split where a shortest path goes through. */
function mark(search: Search): void {
  const { a, b, deleted, inserted } = search;
  const areas: Area[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let area = areas.pop(); area !== undefined; area = areas.pop()) {
    let { aStart, aEnd, bStart, bEnd } = area;
    while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
      aStart += 1;
      bStart += 1;
    }
    while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
      aEnd -= 1;
      bEnd -= 1;
    }
    if (aStart === aEnd) inserted.fill(1, bStart, bEnd);
    else if (bStart === bEnd) deleted.fill(1, aStart, aEnd);
    else {
      const [x, y] = middle(search, { aStart, aEnd, bStart, bEnd });
      areas.push({ aStart, aEnd: x, bStart, bEnd: y }, { aStart: x, aEnd, bStart: y, bEnd });
    }
  }
}

/** A point on a shortest path, found by going from both corners until the two ways meet. */
function middle(search: Search, area: Area): readonly [x: number, y: number] {
  const { a, b, forward, backward } = search;
  const { aStart, aEnd, bStart, bEnd } = area;
  // Diagonals are x - y; the arrays begin at the least of them, less one.
  const least = aStart - bEnd;
  const most = aEnd - bStart;
  const at = (diagonal: number) => diagonal - least + 1;
  const first = aStart - bStart;
  const last = aEnd - bEnd;
  const isOdd = (first - last) % 2 !== 0;
  const ahead = { low: first, high: first };
  const behind = { low: last, high: last };
  forward[at(first)] = aStart;
  backward[at(last)] = aEnd;
  for (let cost = 1; ; cost += 1) {
    widen(ahead, { least, most }, (diagonal) => {
      forward[at(diagonal)] = -1;
    });
    for (let diagonal = ahead.high; diagonal >= ahead.low; diagonal -= 2) {
      const below = forward[at(diagonal - 1)] ?? 0;
      const above = forward[at(diagonal + 1)] ?? 0;
      let x = below < above ? above : below + 1;
      while (x < aEnd && x - diagonal < bEnd && a[x] === b[x - diagonal]) x += 1;
      forward[at(diagonal)] = x;
      const isMet = isOdd && behind.low <= diagonal && diagonal <= behind.high;
      if (isMet && (backward[at(diagonal)] ?? 0) <= x) return [x, x - diagonal];
    }
    widen(behind, { least, most }, (diagonal) => {
      backward[at(diagonal)] = UNREACHED;
    });
    for (let diagonal = behind.high; diagonal >= behind.low; diagonal -= 2) {
      const below = backward[at(diagonal - 1)] ?? 0;
      const above = backward[at(diagonal + 1)] ?? 0;
      let x = below < above ? below : above - 1;
      while (aStart < x && bStart < x - diagonal && a[x - 1] === b[x - diagonal - 1]) x -= 1;
      backward[at(diagonal)] = x;
      const isMet = !isOdd && ahead.low <= diagonal && diagonal <= ahead.high;
      if (isMet && x <= (forward[at(diagonal)] ?? 0)) return [x, x - diagonal];
    }
    if (cost >= MAX_COST) return bestSoFar(area, ahead, (diagonal) => forward[at(diagonal)] ?? 0);
  }
}

interface Range {
  low: number;
  high: number;
}

/** One more diagonal on each side; at the edge of the area, one less. */
function widen(
  range: Range,
  { least, most }: { readonly least: number; readonly most: number },
  open: (diagonal: number) => void,
): void {
  if (range.low > least) {
    range.low -= 1;
    open(range.low - 1);
  } else range.low += 1;
  if (range.high < most) {
    range.high += 1;
    open(range.high + 1);
  } else range.high -= 1;
}

/** The point that is furthest from the start: any point is right, and far ones cost less later. */
function bestSoFar(
  { aEnd, bEnd }: Area,
  { low, high }: Range,
  reached: (diagonal: number) => number,
): readonly [x: number, y: number] {
  let best: readonly [number, number] = [0, 0];
  let length = -1;
  for (let diagonal = high; diagonal >= low; diagonal -= 2) {
    const x = Math.min(reached(diagonal), aEnd, bEnd + diagonal);
    const y = x - diagonal;
    if (x + y > length) {
      best = [x, y];
      length = x + y;
    }
  }
  return best;
}
