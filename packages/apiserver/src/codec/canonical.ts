import { ParseError } from '@flotilla/machinery';
import type { StructType } from './go-type.ts';
import { fastPass, type Pass, tracedPass } from './pass.ts';

/** What a caller wants to hear of while a value is brought into canonical form. */
export interface CanonicalOptions {
  /** Called with `unknown field "spec.foo"` or `duplicate field "spec.x"`, in Go's order. */
  readonly onStrict?: (message: string) => void;
  /** Paths of members that stood twice in the text, as `parseJson` names them. */
  readonly duplicates?: readonly string[];
  /** Set for values that come from our own protobuf reader, whose texts are already canonical. */
  readonly trusted?: boolean;
  /** Set for what is about to be stored: empty lists become what they are when read back. */
  readonly stored?: boolean;
  /** Set for what was merged as maps: integers that do not fit are cut to their bits, as Go converts them. */
  readonly wraps?: boolean;
}

/**
 * Turns decoded JSON into exactly what Go would hold and write again for the type: known fields in Go's order, zero
 * values where Go writes them, times, quantities and base64 in their canonical text. Throws ParseError with Go's
 * text where a value does not fit. The result may share free-form JSON (RawExtension and the like) with `raw`.
 */
export function canonicalize(
  type: StructType,
  raw: unknown,
  {
    onStrict,
    duplicates = [],
    trusted = false,
    stored = false,
    wraps = false,
  }: CanonicalOptions = {},
): Record<string, unknown> {
  const pass = fastPass({ trusted, stored, wraps });
  const result = attempt(type, raw, pass);
  const strict = onStrict !== undefined && (pass.sawUnknown || duplicates.length > 0);
  if (result !== undefined && !strict) return result;
  const traced = tracedPass({ duplicates: new Set(duplicates), wraps });
  const again = decode(type, raw, traced);
  if (traced.trace.saved !== undefined) throw traced.trace.saved;
  if (onStrict !== undefined) for (const message of traced.trace.strict) onStrict(message);
  return again;
}

function attempt(type: StructType, raw: unknown, pass: Pass): Record<string, unknown> | undefined {
  try {
    return decode(type, raw, pass);
  } catch (error) {
    // Every error is worded by the traced pass, which meets errors in the order Go does.
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

function decode(type: StructType, raw: unknown, pass: Pass): Record<string, unknown> {
  return type.decode(raw, pass) as Record<string, unknown>;
}
