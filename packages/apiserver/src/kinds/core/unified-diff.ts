/** Lines of context around a change. */
const CONTEXT = 3;

interface Block {
  readonly a: number;
  readonly b: number;
  readonly size: number;
}

/** A stretch of lines: `a` from..to becomes `b` from..to; equal when both are the same. */
interface Change {
  readonly equal: boolean;
  readonly a: readonly [number, number];
  readonly b: readonly [number, number];
}

/**
 * The unified diff of two values as indented JSON, which upstream puts into messages about immutable fields.
 * The values must have their fields in the order and with the names of upstream's internal types.
 */
export function diffValues(before: unknown, after: unknown): string {
  return unifiedDiff(
    splitLines(JSON.stringify(before, null, 1)),
    splitLines(JSON.stringify(after, null, 1)),
  );
}

/** The unified diff of two lists of lines, without a header; '' when they are equal. */
export function unifiedDiff(a: readonly string[], b: readonly string[]): string {
  let text = '';
  for (const group of groupChanges(changesBetween(a, b))) {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) continue;
    text += `@@ -${formatRange(first.a[0], last.a[1])} +${formatRange(first.b[0], last.b[1])} @@\n`;
    for (const { equal, a: from, b: to } of group) {
      if (equal)
        text += a
          .slice(...from)
          .map((line) => ` ${line}`)
          .join('');
      else {
        text += a
          .slice(...from)
          .map((line) => `-${line}`)
          .join('');
        text += b
          .slice(...to)
          .map((line) => `+${line}`)
          .join('');
      }
    }
  }
  return text;
}

function splitLines(text: string): string[] {
  return text.split('\n').map((line) => `${line}\n`);
}

function formatRange(start: number, stop: number): string {
  const length = stop - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

/** The longest common stretch, then the same to its left and right, as difflib finds them. */
function matchingBlocks(a: readonly string[], b: readonly string[]): Block[] {
  const positions = new Map<string, number[]>();
  for (const [index, line] of b.entries()) {
    const seen = positions.get(line);
    if (seen === undefined) positions.set(line, [index]);
    else seen.push(index);
  }
  const blocks: Block[] = [];
  const pending: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let range = pending.pop(); range !== undefined; range = pending.pop()) {
    const [aLow, aHigh, bLow, bHigh] = range;
    let best: Block = { a: aLow, b: bLow, size: 0 };
    let lengths = new Map<number, number>();
    for (let i = aLow; i < aHigh; i++) {
      const next = new Map<number, number>();
      for (const j of positions.get(a[i] ?? '') ?? []) {
        if (j < bLow) continue;
        if (j >= bHigh) break;
        const size = (lengths.get(j - 1) ?? 0) + 1;
        next.set(j, size);
        if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
      }
      lengths = next;
    }
    if (best.size === 0) continue;
    blocks.push(best);
    pending.push([aLow, best.a, bLow, best.b]);
    pending.push([best.a + best.size, aHigh, best.b + best.size, bHigh]);
  }
  return blocks.sort((left, right) => left.a - right.a);
}

function changesBetween(a: readonly string[], b: readonly string[]): Change[] {
  const changes: Change[] = [];
  let i = 0;
  let j = 0;
  for (const block of [...matchingBlocks(a, b), { a: a.length, b: b.length, size: 0 }]) {
    if (i < block.a || j < block.b) {
      changes.push({ equal: false, a: [i, block.a], b: [j, block.b] });
    }
    i = block.a + block.size;
    j = block.b + block.size;
    if (block.size > 0) changes.push({ equal: true, a: [block.a, i], b: [block.b, j] });
  }
  return changes;
}

/** Changes with at most three equal lines around them; far-apart changes form groups of their own. */
function groupChanges(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  let group: Change[] = [];
  const lastIndex = changes.length - 1;
  for (const [index, change] of changes.entries()) {
    const { a, b } = change;
    if (!change.equal) {
      group.push(change);
      continue;
    }
    const size = a[1] - a[0];
    const head: Change = {
      equal: true,
      a: [a[0], Math.min(a[1], a[0] + CONTEXT)],
      b: [b[0], Math.min(b[1], b[0] + CONTEXT)],
    };
    const tail: Change = {
      equal: true,
      a: [Math.max(a[0], a[1] - CONTEXT), a[1]],
      b: [Math.max(b[0], b[1] - CONTEXT), b[1]],
    };
    if (index === 0) group.push(tail);
    else if (index === lastIndex) group.push(head);
    else if (size > 2 * CONTEXT) {
      group.push(head);
      groups.push(group);
      group = [tail];
    } else group.push(change);
  }
  if (group.some((change) => !change.equal)) groups.push(group);
  return groups;
}
