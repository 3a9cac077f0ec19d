import { encodeJson, type KubeObject } from '@flotilla/machinery';
import { canonicalize } from './canonical.ts';
import type { StructType } from './go-type.ts';
import { findMember, type MemberSpan } from './json-bytes.ts';

/**
 * Encodes an object as it is stored and sent: kind and apiVersion first, fields in Go's order, the revision as
 * metadata.resourceVersion. Without a type (custom resources) fields stay in the order they have.
 */
export function encodeObject(
  object: KubeObject,
  { type, revision }: { type?: StructType; revision: number },
): Buffer {
  return prepareObject(object, type).at(revision);
}

/** An object that is encoded all but its revision, which the store gives only when it accepts the write. */
export interface PreparedObject {
  /** In bytes, but for the digits of the revision. */
  readonly size: number;
  /** Has nothing left to do but to join the parts. */
  readonly at: (revision: number) => Buffer;
}

/** Encodes what can be encoded before the revision is known. */
export function prepareObject(object: KubeObject, type?: StructType): PreparedObject {
  // Any version holds the place; Go's order decides where it stands.
  const held = withHeldVersion(object);
  const ordered = type === undefined ? held : canonicalize(type, held, { trusted: true });
  const bytes = Buffer.from(encodeJson(ordered));
  const place = versionSpan(bytes);
  if (place === undefined) {
    throw new Error(`Cannot encode "${object.kind}": its type has no metadata.resourceVersion`);
  }
  return { size: bytes.length, at: (revision) => splice(bytes, place, `"${revision}"`) };
}

/** Custom objects are maps to Go, which writes their keys in order; built-in ones begin with their kind. */
function withHeldVersion(object: KubeObject): KubeObject {
  const [first, second, third] = Object.keys(object);
  const isMap = first === 'apiVersion' && 'resourceVersion' in object.metadata;
  const isOrdered = isMap || (first === 'kind' && second === 'apiVersion' && third === 'metadata');
  // Creates come with both as they should be, and are not copied.
  if (isOrdered && object.metadata.resourceVersion === '0') return object;
  const held = { ...object.metadata, resourceVersion: '0' };
  if (isMap) return { ...object, metadata: held };
  const { kind, apiVersion, metadata: _metadata, ...rest } = object;
  return { kind, apiVersion, metadata: held, ...rest };
}

/** Puts another resourceVersion into stored bytes, as a DELETED event needs, without decoding them. */
export function setResourceVersion(bytes: Buffer, revision: number): Buffer {
  const place = versionSpan(bytes);
  if (place === undefined) {
    throw new Error(`Cannot set resourceVersion ${revision}: the bytes have none`);
  }
  return splice(bytes, place, `"${revision}"`);
}

function versionSpan(bytes: Buffer): MemberSpan | undefined {
  const metadata = findMember(bytes, 'metadata');
  return metadata && findMember(bytes, 'resourceVersion', metadata.start);
}

/** In memory of its own: these bytes are kept for watches, and would keep a whole block of shared memory. */
function splice(bytes: Buffer, { start, end }: MemberSpan, text: string): Buffer {
  const out = Buffer.allocUnsafeSlow(bytes.length - (end - start) + text.length);
  bytes.copy(out, 0, 0, start);
  out.write(text, start, 'latin1');
  bytes.copy(out, start + text.length, end);
  return out;
}

const KIND = Buffer.from('{"kind":"');
const API_VERSION = Buffer.from('","apiVersion":"');
const OPEN = Buffer.from('{');

/**
 * Offset of what follows kind and apiVersion in stored bytes. A list of a built-in kind shows its items without them:
 * such an item is `{` and then the bytes from this offset on, so lists copy nothing.
 */
export function typeMetaEnd(bytes: Buffer): number {
  if (bytes.compare(KIND, 0, KIND.length, 0, KIND.length) !== 0) return 1;
  const version = bytes.indexOf(API_VERSION, KIND.length);
  const end = version < 0 ? -1 : bytes.indexOf('"', version + API_VERSION.length);
  if (end < 0) return 1;
  return bytes[end + 1] === 0x2c ? end + 2 : end + 1;
}

/** Stored bytes without kind and apiVersion, as two pieces to be joined by whoever sends them. */
export function stripTypeMeta(bytes: Buffer): readonly [Buffer, Buffer] {
  return [OPEN, bytes.subarray(typeMetaEnd(bytes))];
}
