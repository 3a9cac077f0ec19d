import { parseIP } from '../validation/ip.ts';
import {
  bitString,
  booleanTrue,
  context,
  integer,
  objectId,
  octetString,
  sequence,
  setOf,
  time,
  utf8,
} from './der.ts';
import { OID } from './oids.ts';

/** One attribute of a name. */
export interface NamePart {
  readonly oid: string;
  readonly text: string;
}

/** A certificate but for its signature; keys, names and extensions are DER. */
export interface CertificateDraft {
  /** Positive and unique for its issuer. */
  readonly serialNumber: Uint8Array;
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  readonly extensions: readonly Uint8Array[];
}

/** A certificate in DER; `sign` makes an ECDSA signature over SHA-256 with the issuer's key. */
export function encodeCertificate(
  draft: CertificateDraft,
  sign: (body: Uint8Array) => Uint8Array,
): Uint8Array {
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const body = sequence(
    context(0, integer(Uint8Array.of(2))),
    integer(draft.serialNumber),
    algorithm,
    draft.issuer,
    sequence(time(draft.notBefore), time(draft.notAfter)),
    draft.subject,
    draft.publicKey,
    context(3, sequence(...draft.extensions)),
  );
  return sequence(body, algorithm, bitString(sign(body)));
}

/** A name from its attributes, in their order. */
export function nameOf(parts: readonly NamePart[]): Uint8Array {
  return sequence(...parts.map(({ oid, text }) => setOf(sequence(objectId(oid), utf8(text)))));
}

const KEY_USAGE_BIT = {
  digitalSignature: 0,
  keyEncipherment: 2,
  keyCertSign: 5,
  cRLSign: 6,
} as const;

/** What a key may be used for. */
export type KeyUse = keyof typeof KEY_USAGE_BIT;

/** The keyUsage extension. */
export function keyUsage(uses: readonly KeyUse[]): Uint8Array {
  const bits = uses.map((use) => KEY_USAGE_BIT[use]);
  const byte = bits.reduce<number>((sum, bit) => sum | (0x80 >> bit), 0);
  return extension(OID.keyUsage, bitString(Uint8Array.of(byte), 7 - Math.max(...bits)), true);
}

/** The extendedKeyUsage extension, by identifiers. */
export function extendedKeyUsage(uses: readonly string[]): Uint8Array {
  return extension(OID.extendedKeyUsage, sequence(...uses.map(objectId)));
}

/** Says of a certificate whether it may sign others; one that may signs end certificates only. */
export function basicConstraints(isAuthority: boolean): Uint8Array {
  const content = isAuthority ? sequence(booleanTrue(), integer(Uint8Array.of(0))) : sequence();
  return extension(OID.basicConstraints, content, true);
}

/** Names the key of the certificate itself. */
export function subjectKeyId(keyId: Uint8Array): Uint8Array {
  return extension(OID.subjectKeyId, octetString(keyId));
}

/** Names the key that signed the certificate. */
export function authorityKeyId(keyId: Uint8Array): Uint8Array {
  return extension(OID.authorityKeyId, sequence(context(0, keyId, false)));
}

/** What a certificate stands for, as GeneralName values in DER. */
export function subjectAltName(names: readonly Uint8Array[]): Uint8Array {
  return extension(OID.subjectAltName, sequence(...names));
}

/** A host as a GeneralName: an address by its bytes, anything else as a DNS name. */
export function hostName(host: string): Uint8Array {
  const address = parseIP(host);
  return address === undefined
    ? context(2, new TextEncoder().encode(host), false)
    : context(7, Uint8Array.from(address.bytes), false);
}

function extension(oid: string, value: Uint8Array, critical = false): Uint8Array {
  return critical
    ? sequence(objectId(oid), booleanTrue(), octetString(value))
    : sequence(objectId(oid), octetString(value));
}
