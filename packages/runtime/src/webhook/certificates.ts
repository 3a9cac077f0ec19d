import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIP } from 'node:net';
import { x509 } from '@flotilla/machinery';

/** A certificate and its private key, PEM. */
export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
}

/** From when until when a certificate is valid. */
export interface Validity {
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/** A new authority for serving certificates: ECDSA on P-256, self-signed. */
export function createAuthority(commonName: string, validity: Validity): CertificatePair {
  const { publicKey, privateKey } = newKeys();
  const name = nameOf(commonName);
  return pairOf(privateKey, {
    issuer: name,
    subject: name,
    validity,
    publicKey,
    signer: privateKey,
    extensions: [
      x509.keyUsage(['digitalSignature', 'keyCertSign', 'cRLSign']),
      x509.basicConstraints(true),
      x509.subjectKeyId(keyId(publicKey)),
    ],
  });
}

/** A certificate for a TLS server of these hosts, by an authority that {@link createAuthority} made. */
export function issueServing(
  authority: CertificatePair,
  request: Validity & { readonly hosts: readonly string[] },
): CertificatePair {
  const issuer = new X509Certificate(authority.certificate);
  const { publicKey, privateKey } = newKeys();
  const pair = pairOf(privateKey, {
    issuer: nameOf(issuer.subject.replace(/^CN=/, '')),
    subject: nameOf(request.hosts[0] ?? 'webhook'),
    validity: request,
    publicKey,
    signer: createPrivateKey(authority.key),
    extensions: [
      x509.keyUsage(['digitalSignature']),
      x509.extendedKeyUsage([x509.OID.serverAuth]),
      x509.basicConstraints(false),
      x509.authorityKeyId(keyId(createPublicKey(authority.certificate))),
      x509.subjectAltName([...new Set(request.hosts)].map(x509.hostName)),
    ],
  });
  if (!isIssuedBy(new X509Certificate(pair.certificate), issuer)) {
    throw new Error(`Cannot sign with the authority "${issuer.subject}": it is none of ours`);
  }
  return pair;
}

/** Whether an authority made and signed a certificate. */
export function isIssuedBy(certificate: X509Certificate, authority: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

/** Whether a certificate stands for a host. */
export function isFor(certificate: X509Certificate, host: string): boolean {
  const found = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return found !== undefined;
}

/** Every certificate in a PEM text, each as a text of its own. */
export function certificatesIn(bundle: string): string[] {
  const found = bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((each) => `${each}\n`);
}

interface Draft {
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
  readonly validity: Validity;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly Uint8Array[];
}

function pairOf(key: KeyObject, draft: Draft): CertificatePair {
  const serialNumber = randomBytes(16);
  // Positive, and of the same length always.
  serialNumber[0] = ((serialNumber[0] ?? 0) & 0x7f) | 0x40;
  const der = x509.encodeCertificate(
    {
      serialNumber,
      issuer: draft.issuer,
      subject: draft.subject,
      notBefore: draft.validity.notBefore,
      notAfter: draft.validity.notAfter,
      publicKey: spki(draft.publicKey),
      extensions: draft.extensions,
    },
    (body) => sign('sha256', body, draft.signer),
  );
  return {
    certificate: new X509Certificate(der).toString(),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function newKeys(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function nameOf(commonName: string): Uint8Array {
  return x509.nameOf([{ oid: x509.OID.commonName, text: commonName }]);
}

function keyId(publicKey: KeyObject): Uint8Array {
  return createHash('sha256').update(spki(publicKey)).digest().subarray(0, 20);
}

function spki(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}
