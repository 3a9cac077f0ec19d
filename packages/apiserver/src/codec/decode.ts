import {
  badRequest,
  goQuote,
  type Json,
  type KubeObject,
  ParseError,
  parseJson,
  parseYaml,
  StatusError,
  setOwn,
} from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import type { StructType } from './go-type.ts';
import { type BodyFormat, bodyFormat } from './media-type.ts';
import { describe, GoDecodeError } from './pass.ts';
import { decodeProtobuf, openEnvelope } from './protobuf.ts';
import {
  formatGroupVersion,
  isSameKind,
  isUnserved,
  notRegistered,
  OPTIONS_SCHEME,
  parseGroupVersion,
  schemeOf,
  unknownConversion,
} from './scheme.ts';
import { withTypeMeta } from './type-meta.ts';
import { type GroupVersionKind, type TypeTables, typeTables } from './type-tables.ts';

/** What becomes of unknown and duplicate fields. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** A request body and what the path says it must be. */
export interface BodyToDecode {
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** The kind served at the path; bodies may leave kind and apiVersion out. */
  readonly expected: GroupVersionKind;
  /** @default 'Warn' */
  readonly fieldValidation?: FieldValidation;
  /** @default the tables of this build */
  readonly tables?: TypeTables;
}

/** A body, read: canonical, with kind and apiVersion set. */
export interface DecodedBody {
  readonly object: KubeObject;
  /** Texts for Warning headers. */
  readonly warnings: readonly string[];
}

/** A body before its type is known. */
interface Opened {
  readonly gvk: GroupVersionKind;
  /** What upstream shows of a body that lacks a version. */
  readonly text: () => string;
  readonly decode: (type: StructType, onStrict: ((message: string) => void) | undefined) => Json;
}

/**
 * Reads a request body into the canonical object of its kind. Throws StatusError with upstream's code and text:
 * 415 for an unknown media type, 400 for everything else.
 */
export function decodeBody(request: BodyToDecode): DecodedBody {
  const { body, expected, fieldValidation = 'Warn', tables = typeTables() } = request;
  const format = bodyFormat(request.contentType);
  const opened = attempt(
    () => open(format, body, expected),
    (reason) =>
      badRequest(
        `the object provided is unrecognized (must be of type ${expected.kind}): ${reason} (${summarize(body)})`,
      ),
  );
  const { gvk } = opened;
  const unhandled = (reason: string) =>
    badRequest(
      `${gvk.kind} in version ${goQuote(gvk.version)} cannot be handled as a ${expected.kind}: ${reason}`,
    );
  const strict: string[] = [];
  const onStrict = fieldValidation === 'Ignore' ? undefined : (text: string) => strict.push(text);
  const object = attempt(() => decodeAs(opened, { expected, tables, onStrict }), unhandled);
  if (strict.length > 0 && fieldValidation === 'Strict') {
    throw unhandled(`strict decoding error: ${strict.join(', ')}`);
  }
  if (gvk.group !== expected.group || gvk.version !== expected.version || object === undefined) {
    throw badRequest(
      `the API version in the data (${formatGroupVersion(gvk)}) does not match the expected API version (${formatGroupVersion(expected)})`,
    );
  }
  return { object: withTypeMeta(object, expected), warnings: strict.flatMap(warningsOf) };
}

const YAML_ERRORS = 'yaml: unmarshal errors:\n';

/** A YAML text may have several lines against it in one error; each becomes a warning of its own. */
export function warningsOf(text: string): string[] {
  if (!text.startsWith(YAML_ERRORS)) return [text];
  return text
    .slice(YAML_ERRORS.length)
    .split('\n')
    .map((line) => line.trim());
}

/** Reads the options that may come with a delete, in whatever group version they say they are. */
export function decodeDeleteOptions(request: {
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly tables?: TypeTables;
}): Json {
  const { contentType, body, tables = typeTables() } = request;
  const format = bodyFormat(contentType);
  const expected = { group: '', version: 'v1', kind: 'DeleteOptions' };
  // Upstream has no code for these errors, so they come out as 500 with the bare text.
  const bare = (reason: string) => new StatusError(500, '', reason);
  return attempt(() => {
    const opened = open(format, body, expected);
    if (opened.gvk.kind !== expected.kind) throw notRegistered(opened.gvk, OPTIONS_SCHEME);
    return opened.decode(tables.struct('meta/v1.DeleteOptions'), undefined);
  }, bare);
}

/** Runs what may meet unreadable text, and words the refusal. */
export function attempt<T>(action: () => T, refuse: (reason: string) => StatusError): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof ParseError) throw refuse(error.message);
    throw error;
  }
}

function open(format: BodyFormat, body: Buffer, expected: GroupVersionKind): Opened {
  if (format === 'protobuf') return openProtobuf(body, expected);
  const parsed = format === 'json' ? readJson(body) : readYaml(body);
  const gvk = withDefaults(interpret(parsed.value), expected);
  return {
    gvk,
    text: () => body.toString(),
    decode: (type, onStrict) => {
      for (const text of parsed.strict) onStrict?.(text);
      const options = onStrict === undefined ? {} : { onStrict, duplicates: parsed.duplicates };
      return canonicalize(type, parsed.value, options);
    },
  };
}

/** A text, parsed and no more. */
export interface Parsed {
  readonly value: unknown;
  readonly duplicates: readonly string[];
  /** Strict errors of the text itself. */
  readonly strict: readonly string[];
}

/** Parses JSON, with upstream's words for what is none. */
export function readJson(body: Buffer): Parsed {
  try {
    const { value, duplicates } = parseJson(body);
    return { value, duplicates, strict: [] };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    throw new GoDecodeError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** Parses YAML as upstream does, by way of JSON. */
export function readYaml(body: Buffer): Parsed {
  const { value, strictError } = parseYaml(body);
  // Upstream turns YAML into JSON first, which sorts the keys; the order of errors follows.
  const strict = strictError === undefined ? [] : [strictError];
  return { value: sortKeys(value), duplicates: [], strict };
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const out: Json = {};
  for (const [key, member] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    setOwn(out, key, sortKeys(member));
  }
  return out;
}

/** Finds kind and apiVersion as Go's own decoder would: without regard to case, and demanding strings. */
export function interpret(value: unknown): GroupVersionKind {
  const found = { apiversion: '', kind: '' };
  if (value !== null) {
    if (typeof value !== 'object' || Array.isArray(value)) throw notAnObject(value);
    for (const [name, member] of Object.entries(value)) {
      const key = name.length === 4 || name.length === 10 ? name.toLowerCase() : '';
      if ((key !== 'kind' && key !== 'apiversion') || member === null) continue;
      if (typeof member !== 'string') {
        const field = key === 'kind' ? 'kind' : 'apiVersion';
        throw interpretError(describe(member), `Go struct field .${field} of type string`);
      }
      found[key] = member;
    }
  }
  const { group, version } = parseGroupVersion(found.apiversion);
  return { group, version, kind: found.kind };
}

function notAnObject(value: unknown): GoDecodeError {
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return interpretError(describe(value), `Go value of type ${type}`);
}

function interpretError(value: string, into: string): GoDecodeError {
  return new GoDecodeError(
    `couldn't get version/kind; json parse error: json: cannot unmarshal ${value} into ${into}`,
  );
}

function withDefaults(actual: GroupVersionKind, expected: GroupVersionKind): GroupVersionKind {
  const kind = actual.kind === '' ? expected.kind : actual.kind;
  const isDefault =
    actual.version === '' && (actual.group === '' || actual.group === expected.group);
  const { group, version } = isDefault ? expected : actual;
  return { group, version, kind };
}

function openProtobuf(body: Buffer, expected: GroupVersionKind): Opened {
  const envelope = openEnvelope(body);
  const gv = readGroupVersion(envelope.apiVersion);
  const kind = envelope.kind === '' ? expected.kind : envelope.kind;
  const gvk = gv.version === '' ? { ...expected, kind } : { ...gv, kind };
  const text = () =>
    `runtime.TypeMeta{APIVersion:${goQuote(envelope.apiVersion)}, Kind:${goQuote(envelope.kind)}}`;
  return { gvk, text, decode: (type) => decodeProtobuf(type, envelope.raw) };
}

/** In protobuf an apiVersion that cannot be read counts as none. */
function readGroupVersion(apiVersion: string) {
  try {
    return parseGroupVersion(apiVersion);
  } catch {
    return { group: '', version: '' };
  }
}

interface Target {
  readonly expected: GroupVersionKind;
  readonly tables: TypeTables;
  readonly onStrict: ((message: string) => void) | undefined;
}

/** Undefined when the object is of the right kind, but in a version we have no types for. */
function decodeAs(opened: Opened, { expected, tables, onStrict }: Target): Json | undefined {
  const { gvk } = opened;
  if (gvk.version === '') {
    throw new GoDecodeError(`Object 'apiVersion' is missing in '${opened.text()}'`);
  }
  const scheme = schemeOf(expected.group);
  const type = scheme === schemeOf(gvk.group) ? tables.kind(gvk) : undefined;
  if (type === undefined && (scheme !== schemeOf(gvk.group) || !isUnserved(gvk))) {
    throw notRegistered(gvk, scheme);
  }
  const object = type && opened.decode(type, onStrict);
  if (!isSameKind(gvk, expected)) throw unknownConversion(gvk, expected);
  return object;
}

const SUMMARY_BYTES = 30;

/** The beginning of a body, as refusals show it. */
export function summarize(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, SUMMARY_BYTES);
  const shown = head[0] === 0x7b ? head.toString() : head.toString('hex');
  return body.length > SUMMARY_BYTES ? `${shown} ...` : shown;
}
