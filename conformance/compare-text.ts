import type { Difference } from './compare.ts';

type TextDifference = Pick<Difference, 'path' | 'wanted' | 'got'>;

/** Compares texts by line; each run of lines that differs is one difference, named by its first. */
export function compareText(
  wanted: string,
  got: string,
  path: readonly string[],
): TextDifference[] {
  const [before, after] = [wanted.split('\n'), got.split('\n')];
  const common = commonLengths(before, after);
  const differences: TextDifference[] = [];
  let [left, right]: [string[], string[]] = [[], []];
  const flush = () => {
    const name = left[0] ?? right[0];
    if (name === undefined) return;
    differences.push({ path: [...path, name.trim()], wanted: lines(left), got: lines(right) });
    [left, right] = [[], []];
  };
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      flush();
      i += 1;
      j += 1;
    } else if (
      j >= after.length ||
      (i < before.length && at(common, i + 1, j) >= at(common, i, j + 1))
    ) {
      left.push(before[i] ?? '');
      i += 1;
    } else {
      right.push(after[j] ?? '');
      j += 1;
    }
  }
  flush();
  return differences;
}

function lines(texts: readonly string[]): string {
  return texts.join('\n');
}

/** Lengths of the longest common sequences of the two texts' ends. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const table = Array.from({ length: before.length + 1 }, () =>
    Array.from({ length: after.length + 1 }, () => 0),
  );
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row === undefined) continue;
      row[j] =
        before[i] === after[j]
          ? at(table, i + 1, j + 1) + 1
          : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
