/**
 * How well a name fits what was typed, which may leave out letters but not change their order; undefined when it does not.
 * Higher is better: letters side by side, at the start of a word, and little beside them.
 */
export function fuzzyScore(typed: string, name: string): number | undefined {
  const wanted = typed.toLowerCase();
  const text = name.toLowerCase();
  if (wanted === '') return 0;
  const at = text.indexOf(wanted);
  // Whole and in one piece beats anything in pieces.
  if (at >= 0) return 1_000 + (isStart(text, at) ? 100 : 0) - text.length;
  let score = 0;
  let from = 0;
  for (const letter of wanted) {
    const found = text.indexOf(letter, from);
    if (found < 0) return undefined;
    score += found === from ? 3 : isStart(text, found) ? 2 : 0;
    from = found + 1;
  }
  return score - text.length / 100;
}

/** Those that fit, the best first; equals keep their order. */
export function fuzzyFilter<T>(
  items: readonly T[],
  typed: string,
  nameOf: (item: T) => string,
): T[] {
  return items
    .map((item) => ({ item, score: fuzzyScore(typed, nameOf(item)) }))
    .filter((each): each is { item: T; score: number } => each.score !== undefined)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item);
}

function isStart(text: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/.test(text[at - 1] ?? '');
}
