import {
  encodeJson,
  invalid,
  invalidObject,
  type Json,
  ParseError,
  type StatusError,
} from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import type { DecodedBody, FieldValidation } from './decode.ts';
import { goPrint } from './go-print.ts';
import type { StructType } from './go-type.ts';
import { formatGroupVersion, notRegistered, schemeOf, unknownConversion } from './scheme.ts';
import { withTypeMeta } from './type-meta.ts';
import { type GroupVersionKind, typeTables } from './type-tables.ts';
import { explainMisfit } from './unstructured.ts';

/** What a patch made of an object, and how the patch came about. */
export interface Patched {
  readonly type: StructType;
  readonly expected: GroupVersionKind;
  readonly result: unknown;
  /** The patch itself when it was a strategic merge; upstream words its errors differently then. */
  readonly strategicPatch?: Json;
  readonly fieldValidation: FieldValidation;
  /** Strict errors of the patch's own text, such as duplicate fields. */
  readonly strict?: readonly string[];
  /** True when it was merged by an apply. */
  readonly wasApplied?: boolean;
}

/**
 * Reads the result of a patch back into the canonical object of its kind. Throws 422 with upstream's text when it no
 * longer fits, and for unknown fields under Strict.
 */
export function decodePatched(patched: Patched): DecodedBody {
  const { type, expected, result, strategicPatch, fieldValidation } = patched;
  const refuse = (reason: string): StatusError =>
    invalidObject({ group: '', kind: '' }, '', [
      invalid(
        'patch',
        strategicPatch === undefined ? encodeJson(sortedKeys(result)) : goPrint(strategicPatch),
        reason,
      ),
    ]);
  const unknown: string[] = [];
  const onStrict = (text: string) => unknown.push(text);
  let object: Json;
  try {
    checkKind(patched);
    object = canonicalize(type, result, {
      wraps: strategicPatch !== undefined || patched.wasApplied === true,
      ...(fieldValidation === 'Ignore' ? {} : { onStrict }),
    });
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    const reason = strategicPatch === undefined ? undefined : explainMisfit(type, result);
    throw refuse(reason ?? error.message);
  }
  // A strategic merge knows no order of fields, so upstream sorts what it reports.
  const strict = [
    ...(fieldValidation === 'Ignore' ? [] : (patched.strict ?? [])),
    ...(strategicPatch === undefined ? unknown : unknown.sort()),
  ];
  if (strict.length > 0 && fieldValidation === 'Strict') {
    throw refuse(`strict decoding error: ${strict.join(', ')}`);
  }
  return { object: withTypeMeta(object, expected), warnings: strict };
}

/** The libraries upstream patches with write the outermost map anew, by its keys. */
export function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A JSON patch may change even the kind; a strategic merge is held to its type whatever it says. */
function checkKind({ expected, result, strategicPatch }: Patched): void {
  if (strategicPatch !== undefined || typeof result !== 'object' || result === null) return;
  const { kind = expected.kind, apiVersion = formatGroupVersion(expected) } = result as Json;
  if (kind !== expected.kind || apiVersion !== formatGroupVersion(expected)) {
    const slash = String(apiVersion).indexOf('/');
    const group = slash < 0 ? '' : String(apiVersion).slice(0, slash);
    const version = String(apiVersion).slice(slash + 1);
    const found = { group, version, kind: String(kind) };
    // A kind that exists is read, and then cannot become the one that is wanted.
    if (typeTables().kind(found) !== undefined) throw unknownConversion(found, expected);
    throw notRegistered(found, schemeOf(expected.group));
  }
}
