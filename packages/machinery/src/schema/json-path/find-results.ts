import { isJsonObject } from '../../values/json-kind.ts';
import type { Step } from './steps.ts';

/** More values than any column shows; a hostile path could make exponentially many. */
const MAX_VALUES = 100_000;

/** The values a path leads to; undefined where upstream's evaluation fails, such as an index out of bounds. */
export function findResults(
  steps: readonly Step[],
  object: unknown,
): readonly unknown[] | undefined {
  let values: readonly unknown[] = [object];
  for (const step of steps) {
    const next = take(step, values);
    if (next === undefined || next.length > MAX_VALUES) return undefined;
    values = next;
  }
  return values;
}

function take(step: Step, values: readonly unknown[]): readonly unknown[] | undefined {
  switch (step.kind) {
    case 'field':
      return values.flatMap((value) =>
        isJsonObject(value) && Object.hasOwn(value, step.name) ? [value[step.name]] : [],
      );
    case 'wildcard':
      return values.flatMap(membersOf);
    case 'recursive':
      return descend(values);
    case 'slice':
      return gather(values, (value) => sliced(value, step));
    case 'union':
      return gather(step.parts, (part) => each(part, values));
    case 'filter':
      return gather(values, (value) => filtered(value, step));
    case 'literal':
      return values.map(() => step.value);
  }
}

/** Follows a path from each of several values. */
function each(steps: readonly Step[], values: readonly unknown[]): readonly unknown[] | undefined {
  return gather(values, (value) => findResults(steps, value));
}

function gather<T>(
  items: readonly T[],
  find: (item: T) => readonly unknown[] | undefined,
): unknown[] | undefined {
  const found: unknown[] = [];
  for (const item of items) {
    const some = find(item);
    if (some === undefined) return undefined;
    found.push(...some);
  }
  return found;
}

function membersOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function descend(values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  const pending = [...values].reverse();
  while (pending.length > 0 && found.length <= MAX_VALUES) {
    const value = pending.pop();
    const members = membersOf(value);
    if (members.length === 0) continue;
    found.push(value);
    for (let index = members.length - 1; index >= 0; index--) pending.push(members[index]);
  }
  return found;
}

function sliced(
  value: unknown,
  step: Step & { readonly kind: 'slice' },
): readonly unknown[] | undefined {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) return undefined;
  const { length } = value;
  let start = step.start ?? 0;
  let end = step.isSingle ? start + 1 : (step.end ?? length);
  if (start < 0) start += length;
  if (end < 0 || (end === 0 && step.isSingle)) end += length;
  if (start === end) return [];
  if (start < 0 || start >= length || end < 0 || end > length || start > end) return undefined;
  if (step.step !== undefined && step.step <= 0) return undefined;
  const every = step.step ?? 1;
  return value.slice(start, end).filter((_, index) => index % every === 0);
}

function filtered(
  value: unknown,
  step: Step & { readonly kind: 'filter' },
): readonly unknown[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return gather(value, (item) => {
    const lefts = findResults(step.left, item);
    if (step.operator === 'exists') return (lefts ?? []).length > 0 ? [item] : [];
    if (lefts === undefined) return undefined;
    if (lefts.length === 0) return [];
    const rights = findResults(step.right, item);
    if (rights === undefined || lefts.length > 1 || rights.length > 1) return undefined;
    if (rights.length === 0) return [];
    const isKept = compared(lefts[0], rights[0], step.operator);
    if (isKept === undefined) return undefined;
    return isKept ? [item] : [];
  });
}

/** Compares as Go's templates do: values of one basic kind only; undefined where they refuse to. */
function compared(left: unknown, right: unknown, operator: string): boolean | undefined {
  const kind = basicKind(left);
  if (kind === undefined || kind !== basicKind(right)) return undefined;
  const isEqual = String(left) === String(right);
  if (operator === '==') return isEqual;
  if (operator === '!=') return !isEqual;
  if (kind === 'bool') return undefined;
  const isLess =
    kind === 'string' ? String(left) < String(right) : (left as number) < (right as number);
  switch (operator) {
    case '<':
      return isLess;
    case '<=':
      return isLess || isEqual;
    case '>':
      return !isLess && !isEqual;
    case '>=':
      return !isLess;
    default:
      return undefined;
  }
}

function basicKind(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      return undefined;
  }
}
