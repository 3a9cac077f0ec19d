import { goQuote } from '../go/quote.ts';
import { ParseError } from '../parse-error.ts';
import { StatusError } from '../status-error.ts';
import { badRequest, tooLarge } from '../status-errors.ts';
import { deepCopy } from '../values/deep-copy.ts';
import { goJsonKind, isJsonObject } from '../values/json-kind.ts';
import { PatchDocument } from './patch-document.ts';

const MAX_OPERATIONS = 10_000;
const FIELDS = ['op', 'path', 'from', 'value'];

/**
 * Applies a JSON patch (RFC 6902) and returns the result; neither argument is changed. Where upstream is laxer than
 * the RFC (negative indices, replacing what is not there) so are we. Refusals are upstream's: 400 for what is no
 * patch, 413 for too many operations, 422 for an operation that does not apply; the `cause` then says which and why.
 */
export function jsonPatch<T>(document: T, patch: unknown): T {
  const operations = readPatch(patch);
  const target = new PatchDocument(deepCopy(document));
  for (const operation of operations) apply(target, operation);
  return target.root as T;
}

/** The strict errors upstream finds in a patch: members of operations that mean nothing. */
export function jsonPatchStrictErrors(patch: unknown): string[] {
  const errors: string[] = [];
  for (const [index, operation] of (Array.isArray(patch) ? patch : []).entries()) {
    if (!isJsonObject(operation)) continue;
    for (const key of Object.keys(operation)) {
      if (FIELDS.includes(key)) continue;
      errors.push(`json patch unknown field ${goQuote(`[${index}].${key}`)}`);
    }
  }
  return errors;
}

/** One step of a patch. */
interface Operation {
  readonly op: string;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: unknown;
}

function readPatch(patch: unknown): Operation[] {
  if (patch === null || patch === undefined) return [];
  if (!Array.isArray(patch)) throw undecodable(patch, 'Go value of type []handlers.jsonPatchOp');
  if (patch.length > MAX_OPERATIONS) {
    throw tooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`,
    );
  }
  return patch.map(readOperation);
}

function readOperation(source: unknown): Operation {
  if (source !== null && !isJsonObject(source)) {
    throw undecodable(source, 'Go value of type handlers.jsonPatchOp');
  }
  const text = (field: 'op' | 'path' | 'from') => {
    const value = source?.[field];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string') return value;
    throw undecodable(value, `Go struct field jsonPatchOp.${field} of type string`);
  };
  const value = source?.['value'] ?? null;
  return { op: text('op') ?? 'unknown', path: text('path'), from: text('from'), value };
}

function undecodable(value: unknown, type: string): StatusError {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${goJsonKind(value)} into ${type}`,
  );
}

function apply(target: PatchDocument, operation: Operation): void {
  try {
    applyOperation(target, operation);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    // Upstream keeps the reason to itself; we pass it on for logs and for clients that patch locally.
    const refusal = new StatusError(
      422,
      'Invalid',
      'the server rejected our request due to an error in our request',
      {},
    );
    refusal.cause = error;
    throw refusal;
  }
}

function applyOperation(target: PatchDocument, operation: Operation): void {
  const { op, value } = operation;
  const path = (problem: string) => needPath(operation, problem);
  const noPath = `${op} operation failed to decode path`;
  const noPathField = `${noPath}: operation missing path field`;
  if (op === 'add') target.add(path(noPath), value);
  else if (op === 'remove') target.remove(path(noPath));
  else if (op === 'replace') target.replace(path(noPathField), value);
  else if (op === 'move') target.move(needFrom(operation), () => path(noPathField));
  else if (op === 'copy') target.copy(needFrom(operation), () => path(noPath));
  else if (op === 'test') target.test(path(noPathField), value);
  else throw new ParseError(`Unexpected kind: ${op}`);
}

function needPath(operation: Operation, problem: string): string {
  if (operation.path === undefined) throw new ParseError(`${problem}: missing value`);
  return operation.path;
}

function needFrom(operation: Operation): string {
  if (operation.from !== undefined) return operation.from;
  throw new ParseError(
    `${operation.op} operation failed to decode from: operation, missing from field: missing value`,
  );
}
