import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { x509 } from '@flotilla/machinery';
import { children, DerError, type DerValue, readAll, readObjectId, readOne } from './der.ts';
import { nameParts } from './parse-certificate.ts';

const { OID } = x509;

/** A certificate signing request (PKCS #10), read; its signature is checked by `isSignedByItself`. */
export interface ParsedRequest {
  readonly subject: readonly x509.NamePart[];
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly publicKey: KeyObject;
  /** GeneralName values, DER, by what they are. */
  readonly dnsNames: readonly Buffer[];
  readonly emails: readonly Buffer[];
  readonly addresses: readonly Buffer[];
  readonly uris: readonly Buffer[];
  readonly signed: Buffer;
  readonly signatureAlgorithm: string;
  readonly signature: Buffer;
}

const SET = 0x31;
const ATTRIBUTES = 0xa0;
const PEM = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/;

/** The attributes of a name that Go's certificates carry over; others, such as Kubernetes' UID, nobody may ask for. */
const KNOWN_PARTS: readonly string[] = [
  OID.country,
  OID.organization,
  OID.organizationalUnit,
  OID.locality,
  OID.province,
  OID.street,
  OID.postalCode,
  OID.commonName,
  OID.serialNumber,
];

/** Reads the request in a PEM text; throws DerError when there is none. */
export function parseRequest(pem: string): ParsedRequest {
  const body = PEM.exec(pem)?.[1];
  if (body === undefined) throw new DerError('there is no certificate request');
  const [info, algorithm, signature] = children(readOne(Buffer.from(body, 'base64')));
  if (info === undefined || algorithm === undefined || signature === undefined) {
    throw new DerError('the request ends early');
  }
  const [, subject, key, attributes] = children(info);
  const [oid] = children(algorithm);
  if (subject === undefined || key === undefined || oid === undefined) {
    throw new DerError('the request ends early');
  }
  const parts = nameParts(subject).map(({ oid: type, text }) => ({ oid: type, text: text() }));
  const valuesOf = (type: string): string[] =>
    parts.filter((part) => part.oid === type).map(({ text }) => text);
  const commonName = valuesOf(OID.commonName).at(-1) ?? '';
  return {
    subject: KNOWN_PARTS.flatMap((type) =>
      type === OID.commonName
        ? commonName === ''
          ? []
          : [{ oid: type, text: commonName }]
        : valuesOf(type).map((text) => ({ oid: type, text })),
    ),
    commonName,
    organizations: valuesOf(OID.organization),
    publicKey: createPublicKey({ key: key.raw, format: 'der', type: 'spki' }),
    ...alternativeNames(attributes),
    signed: info.raw,
    signatureAlgorithm: readObjectId(oid),
    // The first byte counts unused bits, of which a signature has none.
    signature: signature.content.subarray(1),
  };
}

type Names = Pick<ParsedRequest, 'dnsNames' | 'emails' | 'addresses' | 'uris'>;

function alternativeNames(attributes: DerValue | undefined): Names {
  const names = extensionsOf(attributes)
    .filter(({ oid }) => oid === OID.subjectAltName)
    .flatMap(({ value }) => readAll(readOne(value).content));
  const tagged = (tag: number): Buffer[] =>
    names.filter((each) => each.tag === tag).map(({ raw }) => raw);
  return {
    emails: tagged(0x81),
    dnsNames: tagged(0x82),
    uris: tagged(0x86),
    addresses: tagged(0x87),
  };
}

function extensionsOf(attributes: DerValue | undefined): { oid: string; value: Buffer }[] {
  if (attributes?.tag !== ATTRIBUTES) return [];
  return readAll(attributes.content).flatMap((attribute) => {
    const [type, values] = children(attribute);
    if (type === undefined || values === undefined) throw new DerError('an attribute is malformed');
    if (readObjectId(type) !== OID.extensionRequest) return [];
    return children(values, SET).flatMap((list) =>
      children(list).map((item) => {
        const [id, ...others] = children(item);
        const value = others.at(-1);
        if (id === undefined || value === undefined) {
          throw new DerError('an extension is malformed');
        }
        return { oid: readObjectId(id), value: value.content };
      }),
    );
  });
}

/** Digests by signature algorithm; null where the algorithm has its own. SHA-1 and older ones prove nothing any more. */
const DIGESTS = new Map<string, string | null>([
  ['1.2.840.113549.1.1.11', 'sha256'],
  ['1.2.840.113549.1.1.12', 'sha384'],
  ['1.2.840.113549.1.1.13', 'sha512'],
  ['1.2.840.10045.4.3.2', 'sha256'],
  ['1.2.840.10045.4.3.3', 'sha384'],
  ['1.2.840.10045.4.3.4', 'sha512'],
  ['1.3.101.112', null],
]);

/** True when whoever made the request has the private key it asks a certificate for. */
export function isSignedByItself(request: ParsedRequest): boolean {
  const digest = DIGESTS.get(request.signatureAlgorithm);
  if (digest === undefined) return false;
  return verify(digest, request.signed, request.publicKey, request.signature);
}
