import type { BytePart, ProtobufBody, ProtobufMessage, ProtobufValue, Step } from './case.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  'json-patch': 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

const ACCEPTS: Readonly<Record<string, string>> = {
  json: 'application/json',
  yaml: 'application/yaml',
  protobuf: 'application/vnd.kubernetes.protobuf',
  table: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  metadata: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'metadata-list': 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  discovery: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
};

/** A step's body as bytes with its media type, or nothing when it sends none. */
export function requestBody(step: Step): { bytes: Buffer; type: string | undefined } | undefined {
  const type = step.type === undefined ? undefined : (CONTENT_TYPES[step.type] ?? step.type);
  if (step.protobuf !== undefined) {
    return { bytes: encodeEnvelope(step.protobuf), type: type ?? CONTENT_TYPES['protobuf'] };
  }
  if (step.bytes !== undefined) {
    return { bytes: Buffer.concat(step.bytes.map(partBytes)), type: type ?? 'application/json' };
  }
  if (step.text !== undefined) {
    return { bytes: Buffer.from(step.text), type: type ?? 'application/json' };
  }
  if (step.body !== undefined) {
    return { bytes: Buffer.from(JSON.stringify(step.body)), type: type ?? 'application/json' };
  }
  return undefined;
}

/** The Accept header a step's short word stands for; JSON when it names none. */
export function acceptHeader(accept: string | undefined): string {
  return accept === undefined ? 'application/json' : (ACCEPTS[accept] ?? accept);
}

function partBytes(part: BytePart): Buffer {
  if (typeof part === 'string') return Buffer.from(part);
  if ('hex' in part) return Buffer.from(part.hex.replaceAll(' ', ''), 'hex');
  return Buffer.from(part.repeat.repeat(part.times));
}

/** Kubernetes' protobuf envelope: the magic, then runtime.Unknown with the object as raw bytes. */
export function encodeEnvelope({ apiVersion, kind, fields }: ProtobufBody): Buffer {
  const unknown = Buffer.concat([
    lengthDelimited(1, encodeMessage({ 1: apiVersion, 2: kind })),
    lengthDelimited(2, encodeMessage(fields)),
  ]);
  return Buffer.concat([Buffer.from('k8s\0'), unknown]);
}

function encodeMessage(message: ProtobufMessage): Buffer {
  return Buffer.concat(
    Object.entries(message).map(([field, value]) => encodeField(Number(field), value)),
  );
}

function encodeField(field: number, value: ProtobufValue): Buffer {
  if (Array.isArray(value)) return Buffer.concat(value.map((each) => encodeField(field, each)));
  if (typeof value === 'string') return lengthDelimited(field, Buffer.from(value));
  if (typeof value === 'number' || typeof value === 'boolean') {
    return Buffer.concat([varint(BigInt(field) << 3n), varint(BigInt.asUintN(64, BigInt(value)))]);
  }
  if (isHex(value)) return Buffer.from(value.hex.replaceAll(' ', ''), 'hex');
  return lengthDelimited(field, encodeMessage(value as ProtobufMessage));
}

function isHex(value: ProtobufValue): value is { readonly hex: string } {
  return typeof value === 'object' && 'hex' in value && typeof value.hex === 'string';
}

function lengthDelimited(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((BigInt(field) << 3n) | 2n), varint(BigInt(bytes.length)), bytes]);
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
