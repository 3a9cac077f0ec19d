import {
  findJsonPath,
  goSprint,
  type Json,
  type JsonPath,
  JsonPathError,
  ParseError,
  parseJsonPath,
  relaxedJsonPath,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/**
 * Reads `{.status.phase}=Running`, or a path alone, which has to lead to anything at all. An expression that does not
 * fit an object is the user's mistake, and ends the wait in kubectl's words.
 */
export function jsonPathCheck(text: string): (object: Json) => boolean {
  const [expression = '', wanted, ...more] = splitAtEqualSigns(text);
  if (more.length > 0) {
    throw new UsageError(
      "jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or --for=jsonpath='{.status.readyReplicas}'",
    );
  }
  const relaxed = relaxedJsonPath(expression);
  if (relaxed === undefined) {
    throw new UsageError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  const value = wanted?.replace(/^['"]+|['"]+$/g, '');
  if (value === '') {
    throw new UsageError(
      "jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3",
    );
  }
  if (relaxed === '') throw new UsageError('jsonpath expression cannot be empty');
  const path = told(() => parseJsonPath(relaxed));
  return (object) => leadsTo(path, object, value);
}

function leadsTo(path: JsonPath, object: Json, value: string | undefined): boolean {
  const [first = [], ...lists] = told(() => findJsonPath(path, object));
  if (first.length === 0) return false;
  if (lists.length > 0) {
    throw new UsageError('given jsonpath expression matches more than one list');
  }
  if (first.length > 1) {
    throw new UsageError('given jsonpath expression matches more than one value');
  }
  if (value === undefined) return true;
  const [found] = first;
  if (typeof found === 'object' && found !== null && !isNumber(found)) {
    throw new UsageError('jsonpath leads to a nested object or list which is not supported');
  }
  return goSprint(found).trim() === value.trim();
}

/** Lists and maps are plain; anything else that is an object stands for a number. */
function isNumber(value: object): boolean {
  return !Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype;
}

/** At single ones: two of them compare inside an expression. */
function splitAtEqualSigns(text: string): string[] {
  const parts = [''];
  for (const [piece] of text.matchAll(/==|=|[^=]+/g)) {
    if (piece === '=') parts.push('');
    else parts.push((parts.pop() ?? '') + piece);
  }
  return parts;
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ParseError || error instanceof JsonPathError) {
      throw new UsageError(error.message);
    }
    throw error;
  }
}
