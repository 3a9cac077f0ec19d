import { ChunkedWriter } from '../chunked-writer.ts';
import { sortBy } from '../sort/sort-by.ts';
import { Layout } from './layout.ts';
import { tableLines } from './table-lines.ts';
import type { TableOptions, Write } from './table-options.ts';
import type { Row, TableGroup } from './table-part.ts';

/**
 * Prints tables, one for each type, with a blank line between those that have something to show. Rows are in the order
 * of their clusters and then as the server gave them, unless they are sorted. Tells whether anything was printed.
 */
export async function printTables(
  groups: readonly TableGroup[],
  options: TableOptions,
  write: Write,
): Promise<boolean> {
  const writer = new ChunkedWriter(write);
  const showKind = options.showKind || groups.length > 1;
  for (const group of groups) {
    await printTable(group, { ...options, showKind }, writer);
  }
  await writer.flush();
  return writer.hasText;
}

/** Beyond so many rows cells are worked out twice, so that the text of all of them is never held at once. */
const MOST_KEPT = 20_000;

/** A row and the place of its part. */
interface PlacedRow {
  readonly row: Row;
  readonly part: number;
}

async function printTable(
  { parts, kindPrefix }: TableGroup,
  options: TableOptions,
  writer: ChunkedWriter,
): Promise<void> {
  const rows = rowsOf(parts, options);
  const { hasHeaders, isHeaderKept = false, colours, showKind } = options;
  if (rows.length === 0 && !(hasHeaders && isHeaderKept)) return;
  const { header, clusterAt, cells } = tableLines(parts, options, showKind ? kindPrefix : '');
  const layout = new Layout();
  if (hasHeaders) layout.measure(header);
  const kept: (readonly string[])[] = [];
  for (const { row, part } of rows) {
    const line = cells(row, part);
    layout.measure(line);
    if (kept.length < MOST_KEPT) kept.push(line);
  }
  if (hasHeaders) {
    if (writer.hasText) await writer.add('\n');
    await writer.add(`${layout.line(header)}\n`);
  }
  for (const [index, { row, part }] of rows.entries()) {
    const name = parts[part]?.cluster ?? '';
    const paint = colours.isOn
      ? { column: clusterAt, colour: (text: string) => colours.cluster(name, text) }
      : undefined;
    const full = writer.add(`${layout.line(kept[index] ?? cells(row, part), paint)}\n`);
    if (full !== undefined) await full;
  }
}

function rowsOf(parts: TableGroup['parts'], { sortPath }: TableOptions): readonly PlacedRow[] {
  const rows = parts.flatMap((part, index) => part.rows.map((row) => ({ row, part: index })));
  return sortPath === undefined ? rows : sortBy(rows, ({ row }) => row.key, sortPath);
}
