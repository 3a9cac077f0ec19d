import type { ApiResource } from '@flotilla/client';
import { formatColumns, formatGroupVersion } from '@flotilla/machinery';
import type { Settings } from '../../settings/settings.ts';
import { printableCell } from '../../text/printable.ts';
import type { FleetType } from './fleet-types.ts';

/** How the table is shown. */
export interface TypeTableChoices {
  readonly isWide: boolean;
  readonly hasHeaders: boolean;
  readonly clusterColumn: Settings['output']['clusterColumn'];
  /** How many clusters answered. */
  readonly answered: number;
}

/** kubectl's table, and in how many of the clusters that answered a type is. */
export function typeTable(types: readonly FleetType[], choices: TypeTableChoices): string {
  const { isWide, hasHeaders, clusterColumn, answered } = choices;
  const place = clusterColumn === 'first' ? 0 : 1;
  const line = (cells: readonly string[], count: string): string[] =>
    clusterColumn === 'none' ? [...cells] : cells.toSpliced(place, 0, count);
  const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
  const lines = types.map(({ resource, count }) =>
    line(cellsOf(resource, isWide), countText(count, answered)),
  );
  if (!hasHeaders) return formatColumns(lines);
  const wide = isWide ? ['VERBS', 'CATEGORIES'] : [];
  return formatColumns([line([...header, ...wide], 'CLUSTERS'), ...lines]);
}

/** Types that not all clusters have, and which those are. */
export function differenceTable(
  types: readonly FleetType[],
  { hasHeaders, answered }: TypeTableChoices,
): string {
  const lines = types.map(({ resource, count, missing }) => [
    printableCell(resource.plural),
    printableCell(formatGroupVersion(resource)),
    printableCell(resource.kind),
    countText(count, answered),
    printableCell(missing.join(',')),
  ]);
  const header = ['NAME', 'APIVERSION', 'KIND', 'CLUSTERS', 'MISSING FROM'];
  return formatColumns(hasHeaders ? [header, ...lines] : lines);
}

/** `2/3`: of so many clusters that answered. */
export function countText(count: number, answered: number): string {
  return `${count}/${answered}`;
}

function cellsOf(resource: ApiResource, isWide: boolean): string[] {
  const { plural, shortNames, namespaced, kind, verbs, categories } = resource;
  return [
    plural,
    shortNames.join(','),
    formatGroupVersion(resource),
    String(namespaced),
    kind,
    ...(isWide ? [verbs.join(','), categories.join(',')] : []),
  ].map(printableCell);
}
