// Why no library reads DER for us: docs/adr/0002-x509.md.

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

/** Where the issuer and the subject stand among these. */
const [ISSUER, SUBJECT] = [2, 4];

/** Basic constraints that say nothing, as those of a server's certificate; critical or not. */
const NO_AUTHORITY = ['0603551d130101ff04023000', '0603551d1304023000'].map((each) =>
  Buffer.from(each, 'hex'),
);

/**
 * Whether DER bytes are built like a certificate: its parts are there, in order, and end where they say. OpenSSL takes a
 * hundred times longer to read one, and reads those of an authority itself before it trusts them.
 */
export function hasCertificateShape(der: Uint8Array): boolean {
  return signedParts(der) !== undefined;
}

/**
 * Whether a certificate may be what others are traced back to. One that is no authority, and that another one issued, is
 * a server's: some kubeconfigs have it before the authority that is meant, because their server writes both in one file.
 */
export function canVouch(der: Buffer): boolean {
  const parts = signedParts(der);
  const [issuer, subject] = [parts?.[ISSUER], parts?.[SUBJECT]];
  if (issuer === undefined || subject === undefined) return true;
  const name = der.subarray(issuer.start, issuer.end);
  return (
    name.equals(der.subarray(subject.start, subject.end)) ||
    !NO_AUTHORITY.some((mark) => der.includes(mark, subject.end))
  );
}

/** What is signed of a certificate, its version left out; undefined where it is no certificate. */
function signedParts(der: Uint8Array): readonly Part[] | undefined {
  const whole = partAt(der, 0, der.length);
  if (whole?.tag !== TAG.sequence || whole.end !== der.length) return undefined;
  const parts = partsOf(der, whole, 3);
  const [signed] = parts;
  if (!hasTags(parts, [TAG.sequence, TAG.sequence, TAG.bits]) || signed === undefined) {
    return undefined;
  }
  const [first, ...rest] = partsOf(der, signed, SIGNED.length + 1);
  if (first === undefined) return undefined;
  const inner = first.tag === TAG.version ? rest : [first, ...rest];
  return hasTags(inner, SIGNED) ? inner : undefined;
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
