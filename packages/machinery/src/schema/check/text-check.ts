import { RE2JS, RE2JSException } from 're2js';
import { invalid, tooLong, typeInvalid } from '../../field-errors.ts';
import { goQuote } from '../../go/quote.ts';
import type { FormatCheck } from '../formats/formats.ts';
import type { JsonSchemaProps } from '../types.ts';
import { type Check, fail, fieldOf } from './run.ts';

/** The limits of texts; only the first that is broken is told. Undefined when the schema has none. */
export function textCheck(schema: JsonSchemaProps): Check | undefined {
  const { maxLength, minLength, pattern } = schema;
  const matches = pattern === undefined || pattern === '' ? undefined : patternTest(pattern);
  if (maxLength === undefined && minLength === undefined && matches === undefined) return undefined;
  return (value, path, run) => {
    const text = value as string;
    if (maxLength !== undefined && isLonger(text, maxLength)) {
      fail(run, () => tooLong(fieldOf(run, path), '', Number(maxLength)));
      return;
    }
    if (minLength !== undefined && codePoints(text) < minLength) {
      const detail = `${path} in body should be at least ${minLength} chars long`;
      fail(run, () => invalid(fieldOf(run, path), text, detail));
      return;
    }
    if (matches !== undefined && !matches(text)) {
      const detail = `${path} in body should match '${pattern}'`;
      fail(run, () => invalid(fieldOf(run, path), text, detail));
    }
  };
}

/** The check of a format of texts; undefined when there is none. */
export function textFormatCheck(format: string, check: FormatCheck | undefined): Check | undefined {
  if (check === undefined) return undefined;
  return (value, path, run) => {
    const text = value as string;
    if (check(text)) return;
    const detail = `${path} in body must be of type ${format}: ${goQuote(text)}`;
    fail(run, () => typeInvalid(fieldOf(run, path), text, detail));
  };
}

/** The length of a text as Go counts it. */
export function codePoints(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Why a pattern is not a regular expression of RE2; undefined when it is one. */
export function patternProblem(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

function isLonger(text: string, limit: number | bigint): boolean {
  // At most two units make a code point, so most texts need no counting.
  return text.length > limit && codePoints(text) > limit;
}

function patternTest(pattern: string): ((text: string) => boolean) | undefined {
  if (patternProblem(pattern) !== undefined) return undefined;
  const expression = RE2JS.compile(pattern);
  return (text) => expression.test(text);
}
