import { type EditScript, editScript } from './edit-script.ts';

/** Lines that are shown around a change. */
const CONTEXT = 3;

/** What two texts are called. */
export interface DiffNames {
  readonly from: string;
  readonly to: string;
}

/** The differences of two texts as `diff -u` writes them, without times; empty when there are none. */
export function unifiedDiff(before: string, after: string, { from, to }: DiffNames): string {
  if (before === after) return '';
  const a = linesOf(before);
  const b = linesOf(after);
  const hunks = hunksOf(editScript(a, b));
  return `--- ${from}\n+++ ${to}\n${hunks.map((hunk) => hunkText(hunk, a, b)).join('')}`;
}

/** With their ends, so that a last line without one differs from one that has it. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A run of lines: so many of each text from there on. */
interface Run {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/** Changes that are close to each other. */
interface Hunk extends Run {
  readonly changes: readonly Run[];
}

function changesOf({ deleted, inserted }: EditScript): Run[] {
  const changes: Run[] = [];
  let a = 0;
  let b = 0;
  while (a < deleted.length || b < inserted.length) {
    const aStart = a;
    const bStart = b;
    while (deleted[a] === 1) a += 1;
    while (inserted[b] === 1) b += 1;
    if (a > aStart || b > bStart) changes.push({ aStart, aEnd: a, bStart, bEnd: b });
    a += 1;
    b += 1;
  }
  return changes;
}

function hunksOf(script: EditScript): Hunk[] {
  const groups: Run[][] = [];
  for (const change of changesOf(script)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const isNear = last !== undefined && change.aStart - last.aEnd <= 2 * CONTEXT;
    if (group !== undefined && isNear) group.push(change);
    else groups.push([change]);
  }
  const { deleted, inserted } = script;
  return groups.flatMap((changes): Hunk[] => {
    const first = changes[0];
    const last = changes.at(-1);
    if (first === undefined || last === undefined) return [];
    const before = Math.min(CONTEXT, first.aStart);
    const behind = Math.min(CONTEXT, deleted.length - last.aEnd, inserted.length - last.bEnd);
    return [
      {
        aStart: first.aStart - before,
        aEnd: last.aEnd + behind,
        bStart: first.bStart - before,
        bEnd: last.bEnd + behind,
        changes,
      },
    ];
  });
}

function hunkText(hunk: Hunk, a: readonly string[], b: readonly string[]): string {
  const { aStart, aEnd, bStart, bEnd, changes } = hunk;
  const lines = [`@@ -${rangeText(aStart, aEnd)} +${rangeText(bStart, bEnd)} @@\n`];
  const add = (mark: string, each: readonly string[]) => {
    for (const line of each) {
      lines.push(mark, line, line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n');
    }
  };
  let at = aStart;
  for (const change of changes) {
    add(' ', a.slice(at, change.aStart));
    add('-', a.slice(change.aStart, change.aEnd));
    add('+', b.slice(change.bStart, change.bEnd));
    at = change.aEnd;
  }
  add(' ', a.slice(at, aEnd));
  return lines.join('');
}

/** `3,7`, `3` for one line, `2,0` for none behind the second. */
function rangeText(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}
