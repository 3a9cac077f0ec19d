import { cellText } from './cell-text.ts';
import type { MergedColumns } from './merge-columns.ts';
import { mergeColumns } from './merge-columns.ts';
import type { TableOptions } from './table-options.ts';
import type { Column, Row, TablePart } from './table-part.ts';

/** Shown where a server has no such column. */
const NO_COLUMN = '<none>';

/** Turns rows of several clusters into the cells of lines. */
export interface TableLines {
  readonly header: readonly string[];
  /** Where the cluster stands in every line; -1 when it is not shown. */
  readonly clusterAt: number;
  /** `index` is the place of the row's part among the parts. */
  readonly cells: (row: Row, index: number) => readonly string[];
}

/** Where a cell of a line comes from: a column of the merged ones, or the cluster. */
type Source = number | 'cluster';

/** Works out what the lines of a table consist of; `prefix` goes before names. */
export function tableLines(
  parts: readonly Pick<TablePart, 'cluster' | 'columns'>[],
  options: Pick<TableOptions, 'isWide' | 'clusterColumn'>,
  prefix = '',
): TableLines {
  const merged = mergeParts(parts);
  const { columns } = merged;
  const sources = sourcesOf(merged, options);
  const clusterAt = sources.indexOf('cluster');
  const nameAt = columns.findIndex(({ isName }) => isName);
  const names = parts.map(({ cluster }) => cellText(cluster));
  return {
    clusterAt,
    header: sources.map((source) => (source === 'cluster' ? 'CLUSTER' : headerOf(columns[source]))),
    cells: (row, index) => {
      const places = merged.places[index] ?? [];
      const line: string[] = [];
      let end = 0;
      for (const source of sources) {
        if (source === 'cluster') {
          line.push(names[index] ?? '');
          end = line.length;
          continue;
        }
        const place = places[source] ?? -1;
        const text = place < 0 ? NO_COLUMN : cellText(row.cells[place]);
        line.push(prefix !== '' && source === nameAt ? prefix + text : text);
        // A row that is shorter than its table ends early; kubectl fills nothing up.
        if (place < row.cells.length) end = line.length;
      }
      if (end < line.length) line.length = end;
      for (const cell of line) if (cell.includes('\t')) return splitAtTabs(line);
      return line;
    },
  };
}

/** Clusters that define the same columns, which is nearly all of them, are compared once. */
function mergeParts(parts: readonly Pick<TablePart, 'columns'>[]): MergedColumns {
  const distinct = new Map<string, { readonly list: TablePart['columns']; index: number }>();
  const keys = parts.map(({ columns }) => {
    const key = columns.map((each) => `${each.name}\t${each.priority}\t${each.isName}`).join('\n');
    if (!distinct.has(key)) distinct.set(key, { list: columns, index: distinct.size });
    return key;
  });
  const { columns, places } = mergeColumns([...distinct.values()].map(({ list }) => list));
  return { columns, places: keys.map((key) => places[distinct.get(key)?.index ?? 0] ?? []) };
}

function sourcesOf(
  { columns }: MergedColumns,
  { isWide, clusterColumn }: Pick<TableOptions, 'isWide' | 'clusterColumn'>,
): Source[] {
  const shown: Source[] = [...columns.keys()].filter(
    (index) => isWide || columns[index]?.priority === 0,
  );
  if (clusterColumn === 'none') return shown;
  const name = shown.findIndex(
    (source) => source !== 'cluster' && columns[source]?.isName === true,
  );
  // Events have no name to stand behind.
  shown.splice(clusterColumn === 'after-name' ? name + 1 : 0, 0, 'cluster');
  return shown;
}

/** Headers of CRDs are their authors' words, and so are those of custom columns. */
function headerOf(column: Column | undefined): string {
  return cellText(column?.header ?? (column?.name ?? '').toUpperCase());
}

/** kubectl's tabwriter takes a tab within a cell for its end. */
function splitAtTabs(line: readonly string[]): string[] {
  return line.flatMap((cell) => cell.split('\t'));
}
