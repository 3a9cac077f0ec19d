import { formatColumns } from '@flotilla/machinery';
import { printableCell, printableLine } from '../../text/printable.ts';
import type { Check } from './check.ts';

/** For people: a line for everything that was looked at, and under each that is not well what to do. */
export function checkTable(checks: readonly Check[], hasHeaders: boolean): string {
  const rows = checks.map(({ kind, subject, status, detail }) =>
    [status, kind, subject, detail].map(printableCell),
  );
  const header = hasHeaders ? [['STATUS', 'CHECK', 'SUBJECT', 'DETAIL']] : [];
  const lines = formatColumns([...header, ...rows]).split('\n');
  const text = lines.slice(0, header.length);
  for (const [index, { advice }] of checks.entries()) {
    text.push(lines[index + header.length] ?? '');
    if (advice !== undefined) text.push(`         What to do: ${printableLine(advice)}`);
  }
  return text.map((line) => `${line}\n`).join('');
}

/** 0 when nothing is broken, 1 when nothing can work (a file, the hub, or every cluster), 3 when something does. */
export function exitCode(checks: readonly Check[], allowPartial: boolean): 0 | 1 | 3 {
  const broken = checks.filter(({ status }) => status === 'FAIL');
  if (broken.length === 0) return 0;
  if (broken.some(({ kind }) => kind === 'hub' || kind === 'file')) return 1;
  const clusters = checks.filter(({ kind }) => kind === 'cluster');
  if (clusters.every(({ status }) => status === 'FAIL')) return 1;
  return allowPartial ? 0 : 3;
}
