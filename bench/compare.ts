import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { type Figure, figure, printFigures, printTable, round } from './figures.ts';

/** One line of a comparison. */
export interface Row {
  readonly figure: Figure;
  readonly ours: string;
  readonly theirs: string;
}

/** A line whose figure, and goal, is ours over theirs. */
export function ratioRow(
  name: string,
  { ours, theirs, unit, goal = '' }: { ours: number; theirs: number; unit: string; goal?: string },
): Row {
  return {
    figure: figure(name, ours / theirs, { unit: 'ratio', goal }),
    ours: `${round(ours)} ${unit}`,
    theirs: `${round(theirs)} ${unit}`,
  };
}

/** A line whose goal is about ours alone. */
export function ownRow(
  name: string,
  { ours, theirs, unit, goal = '' }: { ours: number; theirs?: number; unit: string; goal?: string },
): Row {
  return {
    figure: figure(name, ours, { unit, goal }),
    ours: `${round(ours)} ${unit}`,
    theirs: theirs === undefined ? '–' : `${round(theirs)} ${unit}`,
  };
}

/** A comparison as it is told. */
export interface Comparison {
  readonly bench: string;
  readonly peer: string;
  readonly rows: readonly Row[];
  /** What the numbers rest on, in a sentence. */
  readonly facts: string;
  /** Whether the README keeps it: it holds full answers only. */
  readonly isFull: boolean;
}

/** Prints the table and, as the last line, the figures. */
export function tell({ bench, peer, rows, facts, isFull }: Comparison): void {
  const header = ['', 'flotilla', peer, 'ratio', 'goal', ''];
  const table = rows.map(({ figure: { name, value, unit, goal, met }, ours, theirs }) => [
    name,
    ours,
    theirs,
    unit === 'ratio' ? String(value) : '',
    goal,
    met === null ? '' : met ? 'met' : 'missed',
  ]);
  console.log(facts);
  printTable(header, table);
  if (isFull) keepAnswer(bench, [facts, header, ...table]);
  printFigures(
    bench,
    rows.map((row) => row.figure),
  );
}

/** Writes the last full answer between the two marks of the README. */
function keepAnswer(
  bench: string,
  [facts, header, ...rows]: [string, readonly string[], ...(readonly string[])[]],
): void {
  const file = join(FLOTILLA_ROOT, 'bench', bench, 'README.md');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const model = cpus()[0]?.model.trim() ?? 'unknown';
  const text = [
    `${cpus().length} cores (${model}), Node ${process.version}, load ${round(loadavg()[0] ?? 0)}, ${new Date().toISOString().slice(0, 10)}. ${facts}`,
    '',
    line(header),
    line(header.map(() => '---')),
    ...rows.map(line),
  ].join('\n');
  const marks = /(<!-- answer -->)[\s\S]*?(<!-- end -->)/;
  const readme = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    readme.replace(marks, (_all, open: string, close: string) => `${open}\n${text}\n${close}`),
  );
}

/** The middle one, or the higher of the two. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
