/**
 * The unified diff that upstream shows for a refused update. Which lines count as unchanged is decided by the
 * longest common block, recursively (Ratcliff and Obershelp), with very frequent lines ignored in long texts; another
 * algorithm would give a correct diff with other text.
 */

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

interface Change {
  readonly tag: 'equal' | 'replace' | 'delete' | 'insert';
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

interface Texts {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly places: ReadonlyMap<string, readonly number[]>;
  /** Comparisons that may still be made: the search takes square time, and an object has 100,000 lines. */
  readonly budget: { left: number };
}

interface Window {
  readonly a1: number;
  readonly a2: number;
  readonly b1: number;
  readonly b2: number;
}

const CONTEXT = 3;
const POPULAR_FROM = 200;
/** About a tenth of a second; what is not looked at by then counts as changed. */
const MOST_COMPARISONS = 1_000_000;

/** The difference of two texts with three lines of context and no file names. */
export function unifiedDiff(before: string, after: string): string {
  const a = before.split('\n');
  const b = after.split('\n');
  const texts = { a, b, places: placesOf(b), budget: { left: MOST_COMPARISONS } };
  let out = '';
  for (const group of groupsOf(changesOf(texts))) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    out += `@@ -${rangeText(first.a1, last.a2)} +${rangeText(first.b1, last.b2)} @@\n`;
    for (const change of group) out += linesOf(change, texts);
  }
  return out;
}

function linesOf(change: Change, { a, b }: Texts): string {
  const kept = a.slice(change.a1, change.a2);
  if (change.tag === 'equal') return kept.map((line) => ` ${line}\n`).join('');
  const removed = kept.map((line) => `-${line}\n`).join('');
  const added = b.slice(change.b1, change.b2).map((line) => `+${line}\n`);
  return removed + added.join('');
}

/** A text has at least one line and a change a neighbour, so no range is empty. */
function rangeText(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return `${start + 1}`;
  return `${start + 1},${length}`;
}

function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  });
  if (lines.length >= POPULAR_FROM) {
    const limit = Math.floor(lines.length / 100) + 1;
    for (const [line, indexes] of places) {
      if (indexes.length > limit) places.delete(line);
    }
  }
  return places;
}

function longestMatch({ a, b, places, budget }: Texts, window: Window): Block {
  let best: Block = { a: window.a1, b: window.b1, size: 0 };
  let lengths = new Map<number, number>();
  for (let i = window.a1; i < window.a2; i++) {
    const next = new Map<number, number>();
    const candidates = places.get(a[i] ?? '') ?? [];
    budget.left -= 1 + candidates.length;
    if (budget.left < 0) break;
    for (const j of candidates) {
      if (j < window.b1) continue;
      if (j >= window.b2) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      next.set(j, size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    lengths = next;
  }
  // Frequent lines are not in `places`; a block grows over them at both ends.
  let { a: startA, b: startB, size } = best;
  while (startA > window.a1 && startB > window.b1 && a[startA - 1] === b[startB - 1]) {
    startA--;
    startB--;
    size++;
  }
  while (
    startA + size < window.a2 &&
    startB + size < window.b2 &&
    a[startA + size] === b[startB + size]
  ) {
    size++;
  }
  return { a: startA, b: startB, size };
}

/** Not by recursion, which a text of many small blocks would take too deep. */
function blocksOf(texts: Texts, whole: Window): Block[] {
  const found: Block[] = [];
  const waiting = [whole];
  for (let window = waiting.pop(); window !== undefined; window = waiting.pop()) {
    const block = longestMatch(texts, window);
    if (block.size === 0) continue;
    found.push(block);
    const endA = block.a + block.size;
    const endB = block.b + block.size;
    if (window.a1 < block.a && window.b1 < block.b) {
      waiting.push({ ...window, a2: block.a, b2: block.b });
    }
    if (endA < window.a2 && endB < window.b2) waiting.push({ ...window, a1: endA, b1: endB });
  }
  return found.sort((one, other) => one.a - other.a);
}

function changesOf(texts: Texts): Change[] {
  const end = { a: texts.a.length, b: texts.b.length, size: 0 };
  const found = blocksOf(texts, { a1: 0, a2: end.a, b1: 0, b2: end.b });
  const changes: Change[] = [];
  let a = 0;
  let b = 0;
  for (const block of [...joined(found), end]) {
    const span = { a1: a, a2: block.a, b1: b, b2: block.b };
    if (a < block.a && b < block.b) changes.push({ tag: 'replace', ...span });
    else if (a < block.a) changes.push({ tag: 'delete', ...span });
    else if (b < block.b) changes.push({ tag: 'insert', ...span });
    a = block.a + block.size;
    b = block.b + block.size;
    if (block.size > 0) changes.push({ tag: 'equal', a1: block.a, a2: a, b1: block.b, b2: b });
  }
  return changes;
}

function joined(blocks: readonly Block[]): Block[] {
  const out: Block[] = [];
  for (const block of blocks) {
    const last = out.at(-1);
    if (last !== undefined && last.a + last.size === block.a && last.b + last.size === block.b) {
      out[out.length - 1] = { ...last, size: last.size + block.size };
    } else {
      out.push(block);
    }
  }
  return out;
}

function groupsOf(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  changes.forEach((change, index) => {
    let { a1, a2, b1, b2 } = change;
    if (change.tag === 'equal') {
      if (index === 0) {
        a1 = Math.max(a1, a2 - CONTEXT);
        b1 = Math.max(b1, b2 - CONTEXT);
      } else if (index === changes.length - 1) {
        a2 = Math.min(a2, a1 + CONTEXT);
        b2 = Math.min(b2, b1 + CONTEXT);
      } else if (a2 - a1 > 2 * CONTEXT) {
        group.push({
          tag: 'equal',
          a1,
          a2: Math.min(a2, a1 + CONTEXT),
          b1,
          b2: Math.min(b2, b1 + CONTEXT),
        });
        groups.push(group);
        group = [];
        a1 = Math.max(a1, a2 - CONTEXT);
        b1 = Math.max(b1, b2 - CONTEXT);
      }
    }
    group.push({ tag: change.tag, a1, a2, b1, b2 });
  });
  if (group.some((change) => change.tag !== 'equal')) groups.push(group);
  return groups;
}
