import { ABSENT, type Difference } from './compare.ts';
import type { Judgement } from './known-differences.ts';
import { joinPath } from './paths.ts';

const LONGEST_VALUE = 400;

/** A judgement for people: each unexplained difference under its case and step. */
export function formatJudgement(
  judgement: Judgement,
  names: { wanted: string; got: string },
): string {
  const lines: string[] = [];
  let heading = '';
  for (const difference of judgement.unexplained) {
    const next = `${difference.caseId}: ${difference.step}`;
    if (next !== heading) lines.push('', next);
    heading = next;
    lines.push(...formatDifference(difference, names));
  }
  for (const row of judgement.stale) {
    lines.push(
      '',
      `Nothing matches the difference "${row.caseId} ${row.where}" any more: remove it`,
    );
  }
  return lines.join('\n');
}

function formatDifference(
  { path, wanted, got }: Difference,
  names: { wanted: string; got: string },
) {
  const width = Math.max(names.wanted.length, names.got.length);
  return [
    `  ${joinPath(path)}`,
    `    ${names.wanted.padEnd(width)} ${formatValue(wanted)}`,
    `    ${names.got.padEnd(width)} ${formatValue(got)}`,
  ];
}

function formatValue(value: unknown): string {
  if (value === ABSENT) return '(absent)';
  if (typeof value === 'string' && value.includes('\n')) {
    return value
      .split('\n')
      .map((line) => `\n      ${line}`)
      .join('');
  }
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_VALUE
    ? `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`
    : text;
}
