import {
  deepCopy,
  encodeJson,
  invalid,
  invalidObject,
  type Json,
  ParseError,
  type StatusError,
} from '@flotilla/machinery';
import { describe, GoDecodeError } from '../codec/pass.ts';
import { sortedKeys } from '../codec/patched.ts';
import type { GroupVersionKind } from '../codec/type-tables.ts';
import type { DecodedPatch, PatchResult } from '../resources/resource.ts';
import type { ObjectShape } from './object-shape.ts';
import { checkTypeMeta } from './read-body.ts';

/** Reads what a patch made of a custom object back into its form; 422 in upstream's words when it no longer is one. */
export function readPatched(
  expected: GroupVersionKind,
  shape: ObjectShape,
  { result, fieldValidation, strict: ofPatch, wasApplied }: PatchResult,
): DecodedPatch {
  const refuse = (reason: string): StatusError =>
    invalidObject({ group: '', kind: '' }, '', [
      invalid('patch', encodeJson(sortedKeys(result)), reason),
    ]);
  try {
    if (typeof result !== 'object' || result === null || Array.isArray(result)) {
      throw new GoDecodeError(
        `json: cannot unmarshal ${describe(result)} into Go value of type map[string]interface {}`,
      );
    }
    if (typeof (result as Json)['kind'] !== 'string' || (result as Json)['kind'] === '') {
      throw new GoDecodeError(`Object 'Kind' is missing in '${encodeJson(sortedKeys(result))}'`);
    }
    const { object, unknown } = shape.read(deepCopy(result as Json), {
      keepNulls: wasApplied === true,
    });
    const strict =
      fieldValidation === 'Ignore'
        ? []
        : [...ofPatch, ...unknown.map((path) => `unknown field "${path}"`)];
    if (strict.length > 0 && fieldValidation === 'Strict') {
      throw refuse(`strict decoding error: ${strict.join(', ')}`);
    }
    checkTypeMeta(object, expected);
    return { object, warnings: strict };
  } catch (error) {
    if (error instanceof ParseError) throw refuse(error.message);
    throw error;
  }
}
