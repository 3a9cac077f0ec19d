/** Beyond this many edits a name is another name; of short ones, one is enough. */
const FARTHEST = 2;
const SHORT = 3;

/** Names that look like a misspelling of `typed`, nearest first; also those it is the beginning of. */
export function nearNames(typed: string, names: Iterable<string>): string[] {
  const wanted = typed.toLowerCase();
  const farthest = wanted.length <= SHORT ? 1 : FARTHEST;
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(wanted, name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= farthest || name.toLowerCase().startsWith(wanted))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name);
}

/** kubectl's words for it; empty when nothing is near. */
export function suggestion(near: readonly string[]): string {
  if (near.length === 0) return '';
  return `\n\nDid you mean this?\n${near.map((name) => `\t${name}`).join('\n')}`;
}

/** Insertions, deletions, replacements and swapped neighbours that turn one into the other. */
function distanceOf(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
