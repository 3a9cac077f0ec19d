// Intended differences stand in a Markdown table `| case | where | reason |`: a pattern of case ids,
// a pattern of the difference's path (step number first), and why it is right.
import type { Difference } from './compare.ts';
import { matchesPath, splitPath } from './paths.ts';

/** One row of a differences file. */
export interface KnownDifference {
  readonly caseId: string;
  readonly where: string;
  readonly reason: string;
}

/** What is left of the differences once the intended ones are taken away. */
export interface Judgement {
  readonly unexplained: readonly Difference[];
  readonly explained: readonly Difference[];
  /** Rows that matched nothing: the difference is gone, so the row must go too. */
  readonly stale: readonly KnownDifference[];
}

/** The rows of every table in a differences file. */
export function parseKnownDifferences(markdown: string): KnownDifference[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map(unquote),
    )
    .filter(([caseId]) => caseId !== 'case' && !/^:?-+:?$/.test(caseId ?? ''))
    .map(([caseId = '', where = '', reason = '']) => {
      if (caseId === '' || where === '' || reason === '') {
        throw new Error(`Cannot read the difference "${caseId} ${where}": a row has three cells`);
      }
      return { caseId, where, reason };
    });
}

/** Sorts differences into intended and not, and finds rows that explain nothing any more. */
export function judge(
  differences: readonly Difference[],
  known: readonly KnownDifference[],
): Judgement {
  const used = new Set<KnownDifference>();
  const explained = differences.filter((difference) => {
    const rows = known.filter((row) => explains(row, difference));
    for (const row of rows) used.add(row);
    return rows.length > 0;
  });
  return {
    explained,
    unexplained: differences.filter((difference) => !explained.includes(difference)),
    stale: known.filter((row) => !used.has(row)),
  };
}

function explains(row: KnownDifference, difference: Difference): boolean {
  const covers = (pattern: readonly string[]) => matchesPath(pattern, difference.path);
  const where = splitPath(row.where);
  return (
    matchesPath([row.caseId], [difference.caseId]) && (covers(where) || covers([...where, '**']))
  );
}

function unquote(cell: string): string {
  return cell
    .trim()
    .replace(/^`(.*)`$/, '$1')
    .replaceAll('\\|', '|');
}
