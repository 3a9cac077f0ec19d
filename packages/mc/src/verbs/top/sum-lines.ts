import type { Settings } from '../../settings/settings.ts';
import type { TopLine } from './print-lines.ts';

/** kubectl's line above a sum. */
const RULE = '________';

/** What is added up, and how a sum is shown. */
export interface Summing<T> {
  readonly clusters: readonly { readonly cluster: string; readonly items: readonly T[] }[];
  /** How many cells stand before the first sum. */
  readonly before: number;
  readonly cells: (items: readonly T[]) => readonly string[];
  readonly clusterColumn: Settings['output']['clusterColumn'];
}

/** A sum for each cluster and, where there are several, one for all of them. Without their names all is one. */
export function sumLines<T>({ clusters, before, cells, clusterColumn }: Summing<T>): TopLine[] {
  const line = (items: readonly T[], cluster?: string): TopLine => ({
    cells: [...Array.from({ length: before }, () => ''), ...cells(items)],
    cluster,
  });
  const shown = clusters.filter(({ items }) => items.length > 0);
  const all = shown.flatMap(({ items }) => items);
  const rule: TopLine = {
    cells: [...Array.from({ length: before }, () => ''), ...cells(all).map(() => RULE)],
  };
  const own = shown.map(({ cluster, items }) => line(items, cluster));
  if (clusterColumn === 'none') return [rule, line(all)];
  return own.length > 1 ? [rule, ...own, rule, line(all)] : [rule, ...own];
}
