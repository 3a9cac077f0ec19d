/** For whom a certificate is asked. */
export interface RequestSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

interface Value {
  readonly tag: number;
  readonly content: Buffer;
  readonly end: number;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = 0x06;
const TEXTS = [0x0c, 0x13];
const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';

/** One block and nothing before it, without headers: what all readers of PEM read alike. */
const PEM =
  /^-----BEGIN CERTIFICATE REQUEST-----\s+([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----\s*$/;

/**
 * Reads the subject of a certificate signing request (PKCS #10), base64 of PEM as the API has it. Undefined where it
 * is anything but one common name and organizations: an approver must not be of two minds about what it saw.
 */
export function requestSubject(request: string): RequestSubject | undefined {
  const body = PEM.exec(Buffer.from(request, 'base64').toString('latin1'))?.[1];
  if (body === undefined) return undefined;
  try {
    const [info] = childrenOf(only(Buffer.from(body, 'base64')), SEQUENCE);
    const [, subject] = childrenOf(info, SEQUENCE);
    const parts = childrenOf(subject, SEQUENCE).flatMap((relative) =>
      childrenOf(relative, SET).map(readPart),
    );
    const textsOf = (type: string) =>
      parts.filter(({ oid }) => oid === type).map(({ text }) => text);
    const [commonName] = textsOf(COMMON_NAME);
    const organizations = textsOf(ORGANIZATION);
    const isAll = parts.length === 1 + organizations.length;
    return commonName !== undefined && isAll ? { commonName, organizations } : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPart(pair: Value): { oid: string; text: string } {
  const [type, value] = childrenOf(pair, SEQUENCE);
  if (type?.tag !== OID || value === undefined || !TEXTS.includes(value.tag)) throw malformed();
  return { oid: type.content.toString('hex'), text: value.content.toString('utf8') };
}

function only(bytes: Buffer): Value {
  const value = readAt(bytes, 0);
  if (value.end !== bytes.length) throw malformed();
  return value;
}

function childrenOf(value: Value | undefined, tag: number): Value[] {
  if (value?.tag !== tag) throw malformed();
  const values: Value[] = [];
  for (let at = 0; at < value.content.length; ) {
    const child = readAt(value.content, at);
    values.push(child);
    at = child.end;
  }
  return values;
}

/** A tag of one byte, a length of up to five, and the content; reading past the end is a RangeError. */
function readAt(bytes: Buffer, at: number): Value {
  const tag = bytes.readUInt8(at);
  const first = bytes.readUInt8(at + 1);
  const width = first < 0x80 ? 0 : first & 0x7f;
  if (first >= 0x80 && (width === 0 || width > 4)) throw malformed();
  const length = width === 0 ? first : bytes.readUIntBE(at + 2, width);
  const start = at + 2 + width;
  const end = start + length;
  if (end > bytes.length) throw malformed();
  return { tag, content: bytes.subarray(start, end), end };
}

function malformed(): RangeError {
  return new RangeError('Cannot read a certificate request: it is malformed');
}
