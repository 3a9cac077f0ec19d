import {
  findJsonPath,
  goTypeName,
  type JsonPath,
  JsonPathError,
  ParseError,
  parseJsonPath,
  parseQuantity,
  type Quantity,
  relaxedJsonPath,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** What an object is sorted by. */
export type SortKey =
  /** The path leads nowhere: such objects go first. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'number'; readonly value: number | bigint }
  | { readonly kind: 'text'; readonly value: string; readonly quantity: Quantity | undefined }
  /** Nothing that has an order. */
  | { readonly kind: 'other'; readonly type: string };

/** A `--sort-by`, read. */
export interface SortPath {
  /** In braces, as errors show it. */
  readonly text: string;
  readonly path: JsonPath;
}

/** Reads `--sort-by` in any of kubectl's forms. */
export function parseSortPath(text: string): SortPath {
  const field = relaxedJsonPath(text) ?? text;
  try {
    return { text: field, path: parseJsonPath(field) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new UsageError(`sorting error: ${error.message}`);
  }
}

/** Whether the path stays inside of metadata, so that servers need send nothing else. */
export function isMetadataPath({ path }: SortPath): boolean {
  const [part, ...rest] = path.parts;
  if (part?.kind !== 'steps' || rest.length > 0) return false;
  const [first] = part.steps;
  return first?.kind === 'field' && first.name === 'metadata';
}

const MISSING: SortKey = { kind: 'missing' };

/** What the path leads to in an object; only the first value counts. */
export function sortKeyOf(object: unknown, { path }: SortPath): SortKey {
  const values = valuesOf(path, object);
  if (values.length === 0) return MISSING;
  const [value] = values;
  if (typeof value === 'string') return { kind: 'text', value, quantity: quantityOf(value) };
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', value };
  return value === null || value === undefined
    ? MISSING
    : { kind: 'other', type: goTypeName(value) };
}

/** A list that is too short for its index has no such field. */
function valuesOf(path: JsonPath, object: unknown): readonly unknown[] {
  try {
    return findJsonPath(path, object)[0] ?? [];
  } catch (error) {
    if (error instanceof JsonPathError) return [];
    throw error;
  }
}

/** The beginnings of quantities; most texts are none, and finding out by an error is slow. */
const QUANTITY = /^[+-]?[0-9.]+(?:[eE][+-]?[0-9]+|[numkMGTPE]|[KMGTPE]i)?$/;

function quantityOf(text: string): Quantity | undefined {
  if (!QUANTITY.test(text)) return undefined;
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}
