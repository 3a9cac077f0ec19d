import { type Json, ParseError } from '@flotilla/machinery';
import type { ReadMetadata } from '@flotilla/machinery/schema';
import { canonicalize } from '../codec/canonical.ts';
import { typeTables } from '../codec/type-tables.ts';

/**
 * Reads metadata as Go reads it into an ObjectMeta: what it does not know is dropped and named, and what does not fit
 * is a problem in Go's words.
 */
export function readMetadata(metadata: unknown): ReadMetadata {
  const unknown: string[] = [];
  const onStrict = (text: string): void => {
    const name = /^unknown field (".*")$/s.exec(text)?.[1];
    if (name !== undefined) unknown.push(JSON.parse(name) as string);
  };
  try {
    // Go reads null into an empty struct.
    const known = canonicalize(objectMeta(), metadata ?? {}, { onStrict });
    return { metadata: known, unknown };
  } catch (error) {
    if (error instanceof ParseError) return { problem: error.message };
    throw error;
  }
}

/** Metadata as the store may hold it: what does not fit is dropped field by field. */
export function rescueMetadata(metadata: unknown): Json {
  const whole = readMetadata(metadata);
  if ('metadata' in whole) return whole.metadata;
  const rescued: Json = {};
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) return rescued;
  for (const [name, value] of Object.entries(metadata)) {
    const field = readMetadata({ [name]: value });
    if ('metadata' in field) Object.assign(rescued, field.metadata);
  }
  return rescued;
}

function objectMeta() {
  return typeTables().struct('meta/v1.ObjectMeta');
}
