/** The tags of ASN.1 that a certificate is made of. */
const TAG = { integer: 0x02, bits: 0x03, sequence: 0x30, version: 0xa0 } as const;

/** What `TBSCertificate` of RFC 5280 has after its version: serial number, algorithm, issuer, validity, subject, key. */
const SIGNED = [
  TAG.integer,
  TAG.sequence,
  TAG.sequence,
  TAG.sequence,
  TAG.sequence,
  TAG.sequence,
] as const;

interface Part {
  readonly tag: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Whether DER bytes are built like a certificate: its parts are there, in order, and end where they say. OpenSSL takes a
 * hundred times longer to read one, and reads those of an authority itself before it trusts them.
 */
export function hasCertificateShape(der: Uint8Array): boolean {
  const whole = partAt(der, 0, der.length);
  if (whole?.tag !== TAG.sequence || whole.end !== der.length) return false;
  const parts = partsOf(der, whole, 3);
  const [signed] = parts;
  if (!hasTags(parts, [TAG.sequence, TAG.sequence, TAG.bits]) || signed === undefined) return false;
  const inner = partsOf(der, signed, SIGNED.length + 1);
  return hasTags(inner[0]?.tag === TAG.version ? inner.slice(1) : inner, SIGNED);
}

function hasTags(parts: readonly Part[], tags: readonly number[]): boolean {
  return tags.every((tag, index) => parts[index]?.tag === tag);
}

/** Its first parts, at most so many; none at all where one of them goes beyond it. */
function partsOf(der: Uint8Array, { start, end }: Part, most: number): Part[] {
  const parts: Part[] = [];
  for (let at = start; at < end && parts.length < most; ) {
    const part = partAt(der, at, end);
    if (part === undefined) return [];
    parts.push(part);
    at = part.end;
  }
  return parts;
}

function partAt(der: Uint8Array, at: number, limit: number): Part | undefined {
  const [tag, first] = [der[at], der[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  // Below 128 it is the length; from there on it says how many bytes hold the length.
  const bytes = first < 0x80 ? 0 : first - 0x80;
  if (bytes > 3 || first === 0x80) return undefined;
  let length = bytes === 0 ? first : 0;
  for (let index = 0; index < bytes; index += 1) length = length * 256 + (der[at + 2 + index] ?? 0);
  const start = at + 2 + bytes;
  const end = start + length;
  return end > limit ? undefined : { tag, start, end };
}
