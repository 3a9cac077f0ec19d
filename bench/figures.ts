/** One measured figure, with the goal it is held against. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** Text such as `>= 4`; empty when there is none. */
  readonly goal: string;
  readonly met: boolean | null;
}

/** A figure with a goal like `>= 4` or `<= 0.1`. */
export function figure(
  name: string,
  value: number,
  { unit, goal = '' }: { unit: string; goal?: string },
): Figure {
  const match = /^(>=|<=) ([\d.]+)$/.exec(goal);
  const bound = Number(match?.[2]);
  const met = match === null ? null : match[1] === '>=' ? value >= bound : value <= bound;
  return { name, value: round(value), unit, goal, met };
}

/** Prints the last line every benchmark ends with. */
export function printFigures(bench: string, figures: readonly Figure[]): void {
  console.log(JSON.stringify({ bench, figures }));
}

/** A table for people. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  console.log(line(header));
  for (const row of rows) console.log(line(row));
}

/** Three significant digits: more would claim a precision no run has. */
export function round(value: number): number {
  return value === 0 ? 0 : Number(value.toPrecision(3));
}
