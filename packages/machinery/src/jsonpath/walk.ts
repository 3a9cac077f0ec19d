import { goSprint, goTypeName } from '../go/values.ts';
import { encodeUtf8 } from '../json/utf8.ts';
import { isJsonObject } from '../values/json-kind.ts';
import { compareValues } from './compare.ts';
import type { Filter, Slice, Step } from './node.ts';

/** A path leads nowhere that kubectl would go; the message is kubectl's. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** What steps need beside the values. */
export interface Walk {
  /** A field that no value has is no error. */
  readonly allowMissingKeys: boolean;
  /** `range`, `end`, or something else where a word stands; gives the values to go on with. */
  readonly onWord: (name: string, values: readonly unknown[]) => readonly unknown[];
}

/** The values that steps lead to. `undefined` among the values stands for nothing at all, as in an empty range. */
export function walkSteps(
  steps: readonly Step[],
  values: readonly unknown[],
  walk: Walk,
): readonly unknown[] {
  let current = values;
  for (const step of steps) current = take(step, current, walk);
  return current;
}

function take(step: Step, values: readonly unknown[], walk: Walk): readonly unknown[] {
  switch (step.kind) {
    case 'field':
      return fieldsOf(step.name, values, walk);
    case 'slice':
      return sliced(step, values);
    case 'filter':
      return filtered(step, values, walk);
    case 'wildcard':
      return values.flatMap(membersOf);
    case 'recursive':
      return descended(values);
    case 'union':
      return step.members.flatMap((member) => walkSteps(member, values, walk));
    case 'word':
      return walk.onWord(step.name, values);
    case 'literal': {
      const { value } = step;
      // A text stands for itself, a number once for every value there is.
      return typeof value === 'string' ? [value] : values.map(() => value);
    }
  }
}

function fieldsOf(name: string, values: readonly unknown[], walk: Walk): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (isJsonObject(value) && Object.hasOwn(value, name)) found.push(value[name]);
  }
  if (found.length === 0 && values.length > 0 && !walk.allowMissingKeys) {
    throw new JsonPathError(`${name} is not found`);
  }
  return found;
}

function sliced(slice: Slice, values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (value === null || value === undefined) continue;
    if (!Array.isArray(value)) {
      throw new JsonPathError(`${goTypeName(value)} is not array or slice`);
    }
    const bounds = boundsOf(slice, value.length);
    // Upstream stops here, at the first list of which nothing is wanted, also for the lists that follow.
    if (bounds === undefined) return found;
    for (let at = bounds.start; at < bounds.end; at += bounds.step) found.push(value[at]);
  }
  return found;
}

function boundsOf(
  slice: Slice,
  length: number,
): { start: number; end: number; step: number } | undefined {
  const from = slice.start ?? 0;
  const start = from < 0 ? from + length : from;
  const to = slice.isSingle ? from + 1 : (slice.end ?? length);
  const end = to < 0 || (to === 0 && slice.isSingle) ? to + length : to;
  if (start === end) return undefined;
  if (start >= length || start < 0) throw outOfBounds(start, length);
  if (end > length || end < 0) throw outOfBounds(end - 1, length);
  if (start > end) {
    throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  }
  const { step = 1 } = slice;
  if (step <= 0) throw new JsonPathError('step must be > 0');
  return { start, end, step };
}

function outOfBounds(index: number, length: number): JsonPathError {
  return new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value)) {
    // Go's order is chance.
    return Object.keys(value)
      .sort()
      .map((key) => value[key]);
  }
  // Go takes a text for its bytes.
  return typeof value === 'string' ? [...encodeUtf8(value)] : [];
}

/** Everything that has members, each before what is in it. A loop, as JSON may be deeper than the stack. */
function descended(values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  const pending = [...values].reverse();
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === 'string' ? value === '' : membersOf(value).length === 0) continue;
    found.push(value);
    if (typeof value === 'string') continue;
    const members = membersOf(value);
    for (let index = members.length - 1; index >= 0; index--) pending.push(members[index]);
  }
  return found;
}

function filtered(filter: Filter, values: readonly unknown[], walk: Walk): unknown[] {
  const found: unknown[] = [];
  for (const value of values) {
    if (!Array.isArray(value)) {
      const shown = value === undefined ? '<invalid reflect.Value>' : goSprint(value);
      throw new JsonPathError(`${shown} is not array or slice and cannot be filtered`);
    }
    for (const item of value as unknown[]) {
      if (isWanted(filter, item, walk)) found.push(item);
    }
  }
  return found;
}

function isWanted(filter: Filter, item: unknown, walk: Walk): boolean {
  if (filter.operator === 'exists') return exists(filter, item, walk);
  const lefts = walkSteps(filter.left, [item], walk);
  if (lefts.length === 0) return false;
  if (lefts.length > 1) throw new JsonPathError('can only compare one element at a time');
  const rights = walkSteps(filter.right, [item], walk);
  if (rights.length === 0) return false;
  if (rights.length > 1) throw new JsonPathError('can only compare one element at a time');
  return compareValues(lefts[0], filter.operator, rights[0]);
}

/** What goes wrong on the way to something means that it is not there. */
function exists(filter: Filter, item: unknown, walk: Walk): boolean {
  try {
    return walkSteps(filter.left, [item], walk).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return false;
    throw error;
  }
}
