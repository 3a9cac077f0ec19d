import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** The two algorithms upstream's service-account keys use in practice. */
export type JwtAlgorithm = 'ES256' | 'RS256';

/** A key that tokens are checked with. */
export interface VerifyingKey {
  /** Says which key a token was signed with, and nothing about the key. */
  readonly id: string;
  readonly algorithm: JwtAlgorithm;
  readonly publicKey: KeyObject;
}

/** A key that signs tokens. */
export interface SigningKey extends VerifyingKey {
  readonly privateKey: KeyObject;
  /** The private key, PEM, to be kept. */
  readonly pem: string;
}

/** A fresh ES256 key. */
export function createSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return loadSigningKey(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Reads an EC P-256 or RSA private key. */
export function loadSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  return {
    id: keyIdOf(publicKey),
    algorithm: algorithmOf(privateKey),
    privateKey,
    publicKey,
    pem,
  };
}

/** Reads what tokens are to be checked with: public keys, certificates, or the private keys themselves. */
export function loadVerifyingKeys(pem: string): VerifyingKey[] {
  const blocks = pem.match(/-----BEGIN [\w ]+-----[\s\S]*?-----END [\w ]+-----/g) ?? [];
  return blocks
    .filter((block) => !block.startsWith('-----BEGIN EC PARAMETERS'))
    .map((block) => {
      const publicKey = createPublicKey(block);
      return { id: keyIdOf(publicKey), algorithm: algorithmOf(publicKey), publicKey };
    });
}

function algorithmOf(key: KeyObject): JwtAlgorithm {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (key.asymmetricKeyType === 'ec' && curve === 'prime256v1') return 'ES256';
  throw new Error(
    `Cannot sign tokens with a key of type "${curve ?? key.asymmetricKeyType}": RSA and P-256 are known`,
  );
}

/** Upstream's derivation: the hash of the public key. */
function keyIdOf(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

/** Signs claims as they are; their order is kept. */
export function signJwt(claims: object, key: SigningKey): string {
  const header = { alg: key.algorithm, kid: key.id };
  const signed = `${encode(header)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), signatureOptions(key.privateKey));
  return `${signed}.${signature.toString('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** JOSE joins the two numbers of an ECDSA signature where OpenSSL wraps them in DER; RSA ignores it. */
function signatureOptions(key: KeyObject) {
  return { key, dsaEncoding: 'ieee-p1363' } as const;
}

/** A token taken apart; nothing in it is to be believed before its signature is checked. */
export interface UnverifiedJwt {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly signed: string;
  readonly signature: Buffer;
}

const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;

/** Takes a token apart; undefined when it is not a JWT in compact form. */
export function readJwt(token: string): UnverifiedJwt | undefined {
  const match = COMPACT.exec(token);
  if (match === null) return undefined;
  const [, head = '', body = '', signature = ''] = match;
  const header = decode(head);
  const claims = decode(body);
  if (header === undefined || claims === undefined) return undefined;
  return {
    header,
    claims,
    signed: `${head}.${body}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether one of the keys signed the token. The algorithm comes from the key, never from the token,
 * so a token cannot talk us into a weaker check.
 */
export function isSignedBy(token: UnverifiedJwt, keys: readonly VerifyingKey[]): boolean {
  const { alg, kid, crit } = token.header;
  if (crit !== undefined) return false;
  return keys.some(
    (key) =>
      key.algorithm === alg &&
      (kid === undefined || kid === '' || kid === key.id) &&
      verify('sha256', Buffer.from(token.signed), signatureOptions(key.publicKey), token.signature),
  );
}

/** The document at `/openid/v1/jwks`: the public halves of all keys that tokens may be signed with. */
export function jwks(keys: readonly VerifyingKey[]): { keys: Record<string, string>[] } {
  return { keys: keys.map(jwkOf) };
}

/** Fields in the order upstream writes them. */
function jwkOf({ id, algorithm, publicKey }: VerifyingKey): Record<string, string> {
  const {
    kty = '',
    crv = '',
    x = '',
    y = '',
    n = '',
    e = '',
  } = publicKey.export({ format: 'jwk' });
  return algorithm === 'RS256'
    ? { use: 'sig', kty, kid: id, alg: algorithm, n, e }
    : { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y };
}
