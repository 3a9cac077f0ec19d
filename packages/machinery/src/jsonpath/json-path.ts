import { goSprint, plainValue } from '../go/values.ts';
import { formatJson } from '../json/format-json.ts';
import { type FindOptions, findValues } from './find.ts';
import type { TemplatePart } from './node.ts';
import { parseTemplate } from './parse.ts';

/** A template of kubectl's JSONPath dialect, read once and run often. */
export interface JsonPath {
  readonly text: string;
  readonly parts: readonly TemplatePart[];
}

/** Reads a template; throws ParseError with kubectl's text. */
export function parseJsonPath(text: string): JsonPath {
  return { text, parts: parseTemplate(text) };
}

/** The values a template leads to, part by part; throws JsonPathError with kubectl's text. */
export function findJsonPath(
  path: JsonPath,
  data: unknown,
  options?: FindOptions,
): (readonly unknown[])[] {
  return findValues(path.parts, data, options);
}

/** Runs a template and prints what it leads to, as `kubectl get -o jsonpath` does. */
export function printJsonPath(path: JsonPath, data: unknown, options?: FindOptions): string {
  return findValues(path.parts, data, options)
    .map((values) => values.map(textOf).join(' '))
    .join('');
}

/** Runs a template and prints every part as a list of JSON, as `kubectl get -o jsonpath-as-json` does. */
export function printJsonPathAsJson(path: JsonPath, data: unknown, options?: FindOptions): string {
  return findValues(path.parts, data, options)
    .map((values) => `${formatJson(values.map(plainValue), 4)}\n`)
    .join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const found = plainValue(value);
  return typeof found === 'object' ? formatJson(found) : goSprint(value);
}

const RELAXED = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/;

/**
 * The form that `--sort-by` and custom columns accept, as a template: `a.b`, `.a.b`, `{a.b}` and `{.a.b}` are `{.a.b}`.
 * Undefined for anything else.
 */
export function relaxedJsonPath(text: string): string | undefined {
  if (text === '') return text;
  const [, braced, plainPath] = RELAXED.exec(text) ?? [];
  const path = braced ?? plainPath;
  return path === undefined ? undefined : `{.${path}}`;
}
