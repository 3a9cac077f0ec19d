import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
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
import { parseCertificate } from './parse-certificate.ts';

/** A certificate and its private key, PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** A certificate authority that can sign. */
export interface Authority extends CertificatePair {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** From when until when a certificate is valid. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** Names by which every control plane knows its API server, beside the hosts it is reached at. */
export const API_SERVER_HOSTS: readonly string[] = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
  '127.0.0.1',
  '::1',
  // The first address of the service range, where in-cluster clients look.
  '10.0.0.1',
];

/** Makes a new authority: ECDSA on P-256, self-signed, able to sign end certificates only. */
export function createAuthority(commonName: string, validity: Validity): Authority {
  const keys = newKeys();
  const subject = name([], commonName);
  const certificate = build(
    {
      issuer: subject,
      subject,
      validity,
      publicKey: keys.publicKey,
      extensions: [
        extension(OID.keyUsage, keyUsage('digitalSignature', 'keyCertSign', 'cRLSign'), true),
        extension(OID.basicConstraints, sequence(booleanTrue(), integer(Buffer.from([0]))), true),
        extension(OID.subjectKeyId, octetString(keyId(keys.publicKey))),
      ],
    },
    keys.privateKey,
  );
  const authority = { certificate, key: pemKey(keys.privateKey), ...validity };
  signers.set(authority, {
    name: subject,
    keyId: keyId(keys.publicKey),
    key: keys.privateKey,
  });
  return authority;
}

/** Reads an authority back from its PEM form. */
export function loadAuthority(pair: CertificatePair): Authority {
  const parsed = parseCertificate(derOf(pair.certificate));
  if (!parsed.isAuthority) throw new Error('Cannot use the CA certificate: it may not sign others');
  return {
    ...pair,
    notBefore: new Date(parsed.notBefore),
    notAfter: new Date(parsed.notAfter),
  };
}

/** What a serving certificate stands for. */
export interface ServingRequest extends Validity {
  readonly commonName: string;
  /** DNS names and IP addresses. */
  readonly hosts: readonly string[];
}

/** A certificate for a TLS server. */
export function issueServingCertificate(
  authority: CertificatePair,
  request: ServingRequest,
): CertificatePair {
  return issue(authority, request, {
    subject: name([], request.commonName),
    extensions: [
      extension(OID.extendedKeyUsage, sequence(objectId(OID.serverAuth))),
      extension(OID.subjectAltName, alternativeNames(request.hosts)),
    ],
  });
}

/** Who a client certificate speaks for. */
export interface ClientRequest extends Validity {
  readonly user: string;
  readonly groups: readonly string[];
}

/** A certificate by which a user proves who they are: CN is the name, each O a group. */
export function issueClientCertificate(
  authority: CertificatePair,
  request: ClientRequest,
): CertificatePair {
  return issue(authority, request, {
    subject: name(request.groups, request.user),
    extensions: [extension(OID.extendedKeyUsage, sequence(objectId(OID.clientAuth)))],
  });
}

/** The DER inside the first certificate of a PEM text. */
export function derOf(pem: string): Buffer {
  const body = /-----BEGIN CERTIFICATE-----([\s\S]*?)-----END CERTIFICATE-----/.exec(pem)?.[1];
  if (body === undefined) throw new Error('Cannot read the certificate: it is not PEM');
  return Buffer.from(body, 'base64');
}

/** Who and what a certificate for somebody else's key is for. */
export interface KeyRequest extends Validity {
  readonly publicKey: KeyObject;
  readonly subject: readonly NamePart[];
  readonly uses: readonly KeyUse[];
  readonly extendedUses: readonly string[];
  /** GeneralName values, DER; no extension when there are none. */
  readonly alternativeNames: readonly Buffer[];
}

/** A certificate for a key whose private half somebody else has. */
export function certifyKey(authority: CertificatePair, request: KeyRequest): string {
  const signer = signerOf(authority);
  const { uses, extendedUses, alternativeNames: names } = request;
  return build(
    {
      issuer: signer.name,
      subject: nameOf(request.subject),
      validity: request,
      publicKey: request.publicKey,
      extensions: [
        ...(uses.length === 0 ? [] : [extension(OID.keyUsage, keyUsage(...uses), true)]),
        ...(extendedUses.length === 0
          ? []
          : [extension(OID.extendedKeyUsage, sequence(...extendedUses.map(objectId)))]),
        extension(OID.basicConstraints, sequence(), true),
        extension(OID.authorityKeyId, sequence(context(0, signer.keyId, false))),
        ...(names.length === 0 ? [] : [extension(OID.subjectAltName, sequence(...names))]),
      ],
    },
    signer.key,
  );
}

function issue(
  authority: CertificatePair,
  validity: Validity,
  end: { readonly subject: Buffer; readonly extensions: readonly Buffer[] },
): CertificatePair {
  const keys = newKeys();
  const signer = signerOf(authority);
  const certificate = build(
    {
      issuer: signer.name,
      subject: end.subject,
      validity,
      publicKey: keys.publicKey,
      extensions: [
        extension(OID.keyUsage, keyUsage('digitalSignature'), true),
        extension(OID.basicConstraints, sequence(), true),
        extension(OID.authorityKeyId, sequence(context(0, signer.keyId, false))),
        ...end.extensions,
      ],
    },
    signer.key,
  );
  return { certificate, key: pemKey(keys.privateKey) };
}

interface Signer {
  readonly name: Buffer;
  readonly keyId: Buffer;
  readonly key: KeyObject;
}

const signers = new WeakMap<CertificatePair, Signer>();

/** Reading a key from PEM takes longer than signing with it, so that is done once per authority. */
function signerOf(authority: CertificatePair): Signer {
  const known = signers.get(authority);
  if (known !== undefined) return known;
  const signer: Signer = {
    name: parseCertificate(derOf(authority.certificate)).subject,
    keyId: keyId(createPublicKey(authority.certificate)),
    key: createPrivateKey(authority.key),
  };
  signers.set(authority, signer);
  return signer;
}

interface Draft {
  readonly issuer: Buffer;
  readonly subject: Buffer;
  readonly validity: Validity;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Buffer[];
}

function build(draft: Draft, signer: KeyObject): string {
  const algorithm = sequence(objectId(OID.ecdsaWithSha256));
  const body = sequence(
    context(0, integer(Buffer.from([2]))),
    integer(serialNumber()),
    algorithm,
    draft.issuer,
    sequence(time(draft.validity.notBefore), time(draft.validity.notAfter)),
    draft.subject,
    draft.publicKey.export({ type: 'spki', format: 'der' }),
    context(3, sequence(...draft.extensions)),
  );
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, signer)));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pemKey(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** 127 random bits, never zero at the front, so that every serial number has the same length. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

/** RFC 7093's first method: 160 bits of the SHA-256 of the key. */
function keyId(publicKey: KeyObject): Buffer {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest().subarray(0, 20);
}

/** One attribute of a name. */
export interface NamePart {
  readonly oid: string;
  readonly text: string;
}

function nameOf(parts: readonly NamePart[]): Buffer {
  return sequence(...parts.map(({ oid, text }) => setOf(sequence(objectId(oid), utf8(text)))));
}

function name(organizations: readonly string[], commonName: string): Buffer {
  return nameOf([
    ...organizations.map((text) => ({ oid: OID.organization, text })),
    { oid: OID.commonName, text: commonName },
  ]);
}

function extension(oid: string, value: Buffer, critical = false): Buffer {
  return critical
    ? sequence(objectId(oid), booleanTrue(), octetString(value))
    : sequence(objectId(oid), octetString(value));
}

const KEY_USAGE_BIT = {
  digitalSignature: 0,
  keyEncipherment: 2,
  keyCertSign: 5,
  cRLSign: 6,
} as const;

/** What a key may be used for. */
export type KeyUse = keyof typeof KEY_USAGE_BIT;

function keyUsage(...uses: readonly KeyUse[]): Buffer {
  const bits = uses.map((use) => KEY_USAGE_BIT[use]);
  const byte = bits.reduce<number>((sum, bit) => sum | (0x80 >> bit), 0);
  return bitString(Buffer.from([byte]), 7 - Math.max(...bits));
}

function alternativeNames(hosts: readonly string[]): Buffer {
  const unique = [...new Set(hosts)];
  return sequence(
    ...unique.map((host) =>
      isIP(host) === 0
        ? context(2, Buffer.from(host, 'latin1'), false)
        : context(7, addressBytes(host), false),
    ),
  );
}

/** A host as `parseCertificate` reports it: a name as it is, an address as hexadecimal bytes. */
export function hostKey(host: string): string {
  return isIP(host) === 0 ? host : addressBytes(host).toString('hex');
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // The URL parser writes any IPv6 address in its one canonical form.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const left = groups(head);
  const right = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const words = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return Buffer.from(words.flatMap((word) => [word >> 8, word & 0xff]));
}
