import {
  badRequest,
  duplicateFieldText,
  type FieldError,
  formatGroupVersion,
  goQuote,
  invalid,
  invalidObject,
  type Json,
  type KubeObject,
  parseGroupVersion,
  type StatusError,
  unsupportedMediaType,
} from '@flotilla/machinery';
import {
  attempt,
  type FieldValidation,
  interpret,
  readJson,
  readYaml,
  summarize,
  warningsOf,
} from '../codec/decode.ts';
import { bodyFormat } from '../codec/media-type.ts';
import { GoDecodeError } from '../codec/pass.ts';
import type { GroupVersionKind } from '../codec/type-tables.ts';
import type { DecodedPatch } from '../resources/resource.ts';
import type { ObjectShape } from './object-shape.ts';

/** A request body for a custom kind. */
export interface CustomBody {
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly fieldValidation: FieldValidation;
}

/** Reads a request body into an object of the kind: pruned, with defaults, in its canonical form. */
export function readCustomBody(
  expected: GroupVersionKind,
  shape: ObjectShape,
  { contentType, body, fieldValidation }: CustomBody,
): DecodedPatch {
  const format = bodyFormat(contentType);
  const unrecognized = (reason: string): StatusError =>
    badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${reason} (${summarize(body)})`,
    );
  // There is no message that such an object could be; the real server breaks off the connection.
  if (format === 'protobuf') {
    throw unsupportedMediaType(
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    );
  }
  const parsed = attempt(() => (format === 'json' ? readJson(body) : readYaml(body)), unrecognized);
  const gvk = attempt(() => {
    const found = interpret(parsed.value);
    if (found.kind === '') throw new GoDecodeError(`Object 'Kind' is missing in '${body}'`);
    return found;
  }, unrecognized);
  const unhandled = (reason: string): StatusError =>
    badRequest(
      `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${expected.kind}: ${reason}`,
    );
  const { object, unknown } = attempt(() => shape.read(parsed.value as Json), unhandled);
  const strict =
    fieldValidation === 'Ignore'
      ? []
      : [
          ...parsed.strict,
          ...parsed.duplicates.map(duplicateFieldText),
          ...unknown.map((path) => `unknown field "${path}"`),
        ];
  if (strict.length > 0 && fieldValidation === 'Strict') {
    throw unhandled(`strict decoding error: ${strict.join(', ')}`);
  }
  if (gvk.group !== expected.group || gvk.version !== expected.version) {
    throw badRequest(
      `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version (${formatGroupVersion(expected)})`,
    );
  }
  checkTypeMeta(object, expected);
  return { object, warnings: strict.flatMap(warningsOf) };
}

/** An object of another kind is read all the same, and then found to be invalid. */
export function checkTypeMeta(object: KubeObject, expected: GroupVersionKind): void {
  const apiVersion = formatGroupVersion(expected);
  const errors: FieldError[] = [];
  if (object.kind !== expected.kind) {
    errors.push(invalid('kind', object.kind, `must be ${expected.kind}`));
  }
  if (object.apiVersion !== apiVersion) {
    errors.push(invalid('apiVersion', object.apiVersion, `must be ${apiVersion}`));
  }
  if (errors.length === 0) return;
  const { group = '' } = parseGroupVersion(object.apiVersion) ?? {};
  throw invalidObject({ group, kind: object.kind }, object.metadata.name ?? '', errors);
}
