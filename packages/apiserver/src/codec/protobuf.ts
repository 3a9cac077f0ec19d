import { canonicalize } from './canonical.ts';
import type { StructType } from './go-type.ts';
import { MessageSink } from './message-sink.ts';
import { GoDecodeError } from './pass.ts';
import { readMessage, readOpenParts, readParts } from './protobuf-reader.ts';
import { writeMessage } from './protobuf-writer.ts';
import { DELIMITED, Wire } from './wire.ts';

/** The bytes every Kubernetes protobuf body begins with: `k8s` and the encoding style 0. */
const PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The outer message of a protobuf body: what is inside, and its bytes. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** Opens a protobuf body; the object inside stays unread until its type is known. */
export function openEnvelope(body: Buffer): Envelope {
  if (body.length === 0) throw new GoDecodeError('empty data');
  if (body.length < PREFIX.length || !PREFIX.equals(body.subarray(0, PREFIX.length))) {
    throw new GoDecodeError(
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
    );
  }
  if (body.length === PREFIX.length) throw new GoDecodeError('empty body');
  const found = { apiVersion: '', kind: '', raw: Buffer.alloc(0) as Buffer };
  const wire = new Wire(body.subarray(PREFIX.length));
  const readTypeMeta = () =>
    readParts(wire, 'TypeMeta', {
      1: [DELIMITED, () => (found.apiVersion = wire.string()), 'APIVersion'],
      2: [DELIMITED, () => (found.kind = wire.string()), 'Kind'],
    });
  readOpenParts(wire, 'Unknown', {
    1: [DELIMITED, readTypeMeta, 'TypeMeta'],
    2: [DELIMITED, () => (found.raw = wire.slice()), 'Raw'],
    // Kubernetes reads past these as well.
    3: [DELIMITED, () => wire.string(), 'ContentEncoding'],
    4: [DELIMITED, () => wire.string(), 'ContentType'],
  });
  return found;
}

/** Reads the message of a type into the same canonical object its JSON would give. */
export function decodeProtobuf(type: StructType, raw: Buffer): Record<string, unknown> {
  return canonicalize(type, readMessage(type, raw), { trusted: true });
}

/** Writes a canonical object as a Kubernetes protobuf body, prefix and envelope included. */
export function encodeProtobuf(
  type: StructType,
  object: Readonly<Record<string, unknown>>,
): Buffer {
  const { apiVersion = '', kind = '' } = object;
  const typeMeta = new MessageSink();
  typeMeta.text(1, String(apiVersion));
  typeMeta.text(2, String(kind));
  const unknown = new MessageSink();
  unknown.field(1, typeMeta.bytes());
  unknown.field(2, writeMessage(type, object));
  unknown.text(3, '');
  unknown.text(4, '');
  return Buffer.concat([PREFIX, unknown.bytes()]);
}
