import { encodeJson } from '../json/encode-json.ts';
import type { Json } from '../object.ts';
import { ParseError } from '../parse-error.ts';
import { humanDuration } from '../time/human-duration.ts';
import { type Instant, isZeroTime, parseTime } from '../time/instant.ts';
import { findResults } from './json-path/find-results.ts';
import { parseJsonPath } from './json-path/parse-json-path.ts';
import type { Step } from './json-path/steps.ts';
import { goPrint } from './scale.ts';
import { sorted } from './sorted-json.ts';

/** One entry of a CRD version's additionalPrinterColumns. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}

/** A cell of a printed table. */
export type PrinterCell = string | number | boolean | null;

/**
 * Makes a function that gives the cells of one object's row, without the Name column; make it once per CRD version.
 * It has cells for `readableColumns` only.
 */
export function printerCells(
  columns: readonly PrinterColumn[],
): (object: Json, now: Date) => PrinterCell[] {
  const paths = readableColumns(columns).map(({ jsonPath, type }) => ({
    steps: stepsOf(jsonPath) ?? [],
    type,
  }));
  return (object, now) =>
    paths.map(({ steps, type }) => {
      const found = findResults(steps, object) ?? [];
      return found.length === 0 ? null : formatPrinterCell(found[0], type, now);
    });
}

/** The columns up to the first whose path cannot be read: those the real server shows. */
export function readableColumns(columns: readonly PrinterColumn[]): readonly PrinterColumn[] {
  const bad = columns.findIndex(({ jsonPath }) => stepsOf(jsonPath) === undefined);
  return bad < 0 ? columns : columns.slice(0, bad);
}

/** One value in the form a column of `type` shows; null where the value does not fit it. */
export function formatPrinterCell(value: unknown, type: string, now: Date): PrinterCell {
  if (type === 'string') return textOf(value);
  switch (type) {
    case 'integer':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? ageOf(value, now) : null;
    default:
      return null;
  }
}

/** The steps of a path; undefined when it cannot be read. */
export function stepsOf(jsonPath: string): readonly Step[] | undefined {
  try {
    return parseJsonPath(jsonPath);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  return typeof value === 'object' ? encodeJson(sorted(value)) : goPrint(value);
}

function ageOf(text: string, now: Date): string {
  if (text === '' || text === 'null') return '<unknown>';
  const instant = timeOf(text);
  if (instant === undefined) return '<invalid>';
  if (isZeroTime(instant)) return '<unknown>';
  return humanDuration(now.getTime() - (instant.seconds * 1000 + instant.nanos / 1e6));
}

function timeOf(text: string): Instant | undefined {
  try {
    return parseTime(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
