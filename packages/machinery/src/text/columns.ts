const PADDING = 3;
const NARROWEST = 6;

/**
 * Lays cells out in columns as kubectl does: three spaces between, no column narrower than six, the last one as it comes.
 * Width is counted in code points, as Go's tabwriter counts it.
 */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    // The last cell of a row ends no column, so it widens none.
    for (const [column, cell] of row.slice(0, -1).entries()) {
      widths[column] = Math.max(widths[column] ?? NARROWEST, codePoints(cell) + PADDING);
    }
  }
  return rows.map((row) => `${formatRow(row, widths)}\n`).join('');
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) =>
      column === row.length - 1
        ? cell
        : cell + ' '.repeat((widths[column] ?? 0) - codePoints(cell)),
    )
    .join('');
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
