import {
  findJsonPath,
  goSprint,
  type JsonPath,
  JsonPathError,
  ParseError,
  parseJsonPath,
  relaxedJsonPath,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** One column of `-o custom-columns`. */
export interface CustomColumn {
  /** As it was written; kubectl changes no letter of it. */
  readonly header: string;
  readonly path: JsonPath;
}

const MISSING = '<none>';

/** Reads `NAME:.metadata.name,IMAGE:.spec.containers[*].image`. */
export function parseCustomColumns(spec: string): CustomColumn[] {
  return spec.split(',').map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0) {
      throw new UsageError(
        `unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`,
      );
    }
    return { header: part.slice(0, colon), path: columnPath(part.slice(colon + 1)) };
  });
}

const FORMAT =
  'Expected format is one line of space separated headers, one line of space separated column specs.';

/** Reads the two lines of a file: headers, and paths below them. */
export function parseCustomColumnsFile(text: string): CustomColumn[] {
  const lines = text.split('\n');
  if (text === '') throw new UsageError(`invalid template, missing header line. ${FORMAT}`);
  const headers = wordsOf(lines[0] ?? '');
  if (lines.length < 2 || (lines.length === 2 && lines[1] === '')) {
    throw new UsageError(`invalid template, missing spec line. ${FORMAT}`);
  }
  const paths = wordsOf(lines[1] ?? '');
  if (headers.length !== paths.length) {
    throw new UsageError(
      `number of headers (${headers.length}) and field specifications (${paths.length}) don't match`,
    );
  }
  return headers.map((header, index) => ({ header, path: columnPath(paths[index] ?? '') }));
}

function wordsOf(line: string): string[] {
  return line.split(/\s+/).filter((word) => word !== '');
}

function columnPath(text: string): JsonPath {
  const path = relaxedJsonPath(text);
  if (path === undefined) {
    throw new UsageError(
      "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
    );
  }
  try {
    return parseJsonPath(path);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(error.message);
  }
}

/** The cells of one object: values with commas between, `<none>` where there are none. */
export function customCells(object: unknown, columns: readonly CustomColumn[]): string[] {
  return columns.map(({ path }) => {
    const found = valuesOf(path, object);
    const isMissing = (found[0] ?? []).length === 0;
    // The first part decides whether something is missing; what other parts lead to is shown all the same.
    const texts = found.flatMap((values) => values.map(goSprint));
    return [...(isMissing ? [MISSING] : []), ...texts].join(',');
  });
}

function valuesOf(path: JsonPath, object: unknown): (readonly unknown[])[] {
  try {
    return findJsonPath(path, object);
  } catch (error) {
    if (error instanceof JsonPathError) throw new UsageError(error.message);
    throw error;
  }
}
