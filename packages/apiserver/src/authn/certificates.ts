import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { parseIP, x509 } from '@flotilla/machinery';
import { parseCertificate } from './parse-certificate.ts';

const { OID } = x509;

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
        x509.keyUsage(['digitalSignature', 'keyCertSign', 'cRLSign']),
        x509.basicConstraints(true),
        x509.subjectKeyId(keyId(keys.publicKey)),
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
      x509.extendedKeyUsage([OID.serverAuth]),
      x509.subjectAltName([...new Set(request.hosts)].map(x509.hostName)),
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
    extensions: [x509.extendedKeyUsage([OID.clientAuth])],
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
  readonly subject: readonly x509.NamePart[];
  readonly uses: readonly x509.KeyUse[];
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
      subject: x509.nameOf(request.subject),
      validity: request,
      publicKey: request.publicKey,
      extensions: [
        ...(uses.length === 0 ? [] : [x509.keyUsage(uses)]),
        ...(extendedUses.length === 0 ? [] : [x509.extendedKeyUsage(extendedUses)]),
        x509.basicConstraints(false),
        x509.authorityKeyId(signer.keyId),
        ...(names.length === 0 ? [] : [x509.subjectAltName(names)]),
      ],
    },
    signer.key,
  );
}

function issue(
  authority: CertificatePair,
  validity: Validity,
  end: { readonly subject: Uint8Array; readonly extensions: readonly Uint8Array[] },
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
        x509.keyUsage(['digitalSignature']),
        x509.basicConstraints(false),
        x509.authorityKeyId(signer.keyId),
        ...end.extensions,
      ],
    },
    signer.key,
  );
  return { certificate, key: pemKey(keys.privateKey) };
}

interface Signer {
  readonly name: Uint8Array;
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
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly validity: Validity;
  readonly publicKey: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

function build({ validity, publicKey, ...draft }: Draft, signer: KeyObject): string {
  const certificate = x509.encodeCertificate(
    {
      ...draft,
      notBefore: validity.notBefore,
      notAfter: validity.notAfter,
      serialNumber: serialNumber(),
      publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    },
    (body) => sign('sha256', body, signer),
  );
  const lines =
    Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
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

function name(organizations: readonly string[], commonName: string): Uint8Array {
  return x509.nameOf([
    ...organizations.map((text) => ({ oid: OID.organization, text })),
    { oid: OID.commonName, text: commonName },
  ]);
}

/** A host as `parseCertificate` reports it: a name as it is, an address as hexadecimal bytes. */
export function hostKey(host: string): string {
  const address = parseIP(host);
  return address === undefined ? host : Buffer.from(address.bytes).toString('hex');
}
