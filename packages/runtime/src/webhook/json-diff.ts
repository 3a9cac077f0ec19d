import { strictlyEqual } from '@flotilla/machinery';

/** One step of a JSON Patch (RFC 6902). */
export type PatchStep =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/**
 * The patch that makes `to` of `from`. Both are JSON data; fields that are undefined count as absent.
 *
 * Lists are compared from both ends, so that an insertion or removal is one step; what differs in between is replaced
 * item by item.
 */
export function jsonDiff(from: unknown, to: unknown): PatchStep[] {
  const steps: PatchStep[] = [];
  compare({ from, to, path: '' }, steps);
  return steps;
}

interface Sides {
  readonly from: unknown;
  readonly to: unknown;
  readonly path: string;
}

function compare({ from, to, path }: Sides, steps: PatchStep[]): void {
  if (Array.isArray(from) && Array.isArray(to)) compareLists(from, to, { path, steps });
  else if (isRecord(from) && isRecord(to)) compareRecords(from, to, { path, steps });
  else if (!strictlyEqual(from, to)) steps.push({ op: 'replace', path, value: to });
}

interface Place {
  readonly path: string;
  readonly steps: PatchStep[];
}

function compareRecords(
  from: Record<string, unknown>,
  to: Record<string, unknown>,
  { path, steps }: Place,
): void {
  for (const name of Object.keys(from)) {
    if (from[name] === undefined) continue;
    const below = `${path}/${escaped(name)}`;
    if (!Object.hasOwn(to, name) || to[name] === undefined)
      steps.push({ op: 'remove', path: below });
    else compare({ from: from[name], to: to[name], path: below }, steps);
  }
  for (const name of Object.keys(to)) {
    if (to[name] === undefined || (Object.hasOwn(from, name) && from[name] !== undefined)) continue;
    steps.push({ op: 'add', path: `${path}/${escaped(name)}`, value: to[name] });
  }
}

function compareLists(
  from: readonly unknown[],
  to: readonly unknown[],
  { path, steps }: Place,
): void {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && strictlyEqual(from[start], to[start])) start += 1;
  let end = 0;
  while (
    end < shorter - start &&
    strictlyEqual(from[from.length - 1 - end], to[to.length - 1 - end])
  ) {
    end += 1;
  }
  const common = shorter - start - end;
  for (let index = start; index < start + common; index += 1) {
    compare({ from: from[index], to: to[index], path: `${path}/${index}` }, steps);
  }
  // From the back, so that no removal moves what is still to be removed.
  for (let index = from.length - end - 1; index >= start + common; index -= 1) {
    steps.push({ op: 'remove', path: `${path}/${index}` });
  }
  for (let index = start + common; index < to.length - end; index += 1) {
    steps.push({ op: 'add', path: `${path}/${index}`, value: to[index] });
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
