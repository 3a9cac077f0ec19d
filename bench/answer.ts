import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { round } from './figures.ts';

/** Keeps the last full answer in a benchmark's README, between the two marks. */
export function writeAnswer(
  bench: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const file = join(FLOTILLA_ROOT, 'bench', bench, 'README.md');
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const text = [
    `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}, load ${round(loadavg()[0] ?? 0)}, ${new Date().toISOString().slice(0, 10)}.`,
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
