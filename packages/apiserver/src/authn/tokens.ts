import { hash } from 'node:crypto';
import { goQuote } from '@flotilla/machinery';
import { BoundedCache } from './bounded-cache.ts';
import { isSignedBy, readJwt, type SigningKey, signJwt, type VerifyingKey } from './jwt.ts';
import { serviceAccountGroups, serviceAccountUser } from './service-accounts.ts';
import { CREDENTIAL_ID, type UserInfo } from './user-info.ts';

/** Tolerated difference between the clocks of those who issue and those who check. */
const LEEWAY_SECONDS = 60;
const CACHED_TOKENS = 4096;
/** What kubelets ask for; such tokens live on for a year so that old clients that never re-read them keep working. */
const PROJECTED_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

/** Who issues the tokens of one control plane, and for whom. */
export interface TokenAuthority {
  readonly issuer: string;
  /** Issuers whose tokens hold as well, while clients move from one to the other. */
  readonly otherIssuers?: readonly string[];
  /** The audiences that mean this API server. */
  readonly audiences: readonly string[];
  /** The first one signs; all of them verify, so that a new one can be put in front. */
  readonly keys: readonly SigningKey[];
  /** Where someone else says which keys to believe: these verify, and `keys` only sign. */
  readonly verifyingKeys?: readonly VerifyingKey[];
}

/** The keys a token may be signed with. */
export function verifyingKeys(authority: TokenAuthority): readonly VerifyingKey[] {
  return authority.verifyingKeys ?? authority.keys;
}

/** Name and uid of an object a token depends on. */
export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

/** What a token speaks for. */
export interface TokenSubject {
  readonly namespace: string;
  readonly serviceAccount: ObjectRef;
  readonly pod?: ObjectRef;
  readonly secret?: ObjectRef;
  /** Beside a pod it only informs, and its uid may be unknown; alone it binds. */
  readonly node?: { readonly name: string; readonly uid?: string };
}

/** How a token is to be made. */
export interface TokenTerms {
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  readonly warnAfterSeconds?: number;
  readonly now: Date;
  /** Becomes the token's `jti`. */
  readonly id: string;
}

/** Signs a token with the claims upstream's bound tokens have, in the order it writes them. */
export function issueToken(
  authority: TokenAuthority,
  subject: TokenSubject,
  terms: TokenTerms,
): string {
  const [key] = authority.keys;
  if (key === undefined) throw new Error('Cannot issue a token: there is no signing key');
  const now = Math.floor(terms.now.getTime() / 1000);
  const { namespace, serviceAccount, pod, secret, node } = subject;
  const claims = {
    aud: terms.audiences,
    exp: now + terms.expirationSeconds,
    iat: now,
    iss: authority.issuer,
    jti: terms.id,
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node: refOf(node) }),
      ...(pod === undefined ? {} : { pod: refOf(pod) }),
      ...(secret === undefined ? {} : { secret: refOf(secret) }),
      serviceaccount: refOf(serviceAccount),
      ...(terms.warnAfterSeconds === undefined ? {} : { warnafter: now + terms.warnAfterSeconds }),
    },
    nbf: now,
    sub: serviceAccountUser({ namespace, name: serviceAccount.name }),
  };
  return signJwt(claims, key);
}

function refOf({ name, uid }: { name: string; uid?: string }): { name: string; uid?: string } {
  return uid === undefined ? { name } : { name, uid };
}

/** How long a token really lives: projected pod tokens get a year, and a date from which to warn. */
export function tokenLifetime(
  requestedSeconds: number,
  about: { readonly boundToPod: boolean; readonly audiences: readonly string[] },
  authority: TokenAuthority,
): Pick<TokenTerms, 'expirationSeconds' | 'warnAfterSeconds'> {
  const extended =
    about.boundToPod &&
    requestedSeconds === PROJECTED_SECONDS &&
    about.audiences.every((audience) => authority.audiences.includes(audience));
  return extended
    ? { expirationSeconds: EXTENDED_SECONDS, warnAfterSeconds: requestedSeconds }
    : { expirationSeconds: requestedSeconds };
}

/** A token was shown but proves nothing; the reason goes to the log, never to the client. */
export class TokenRejected extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'TokenRejected';
  }
}

/** The kinds a token may depend on. */
export type BoundKind = 'ServiceAccount' | 'Pod' | 'Secret' | 'Node';

/** As much of an object as decides whether a token bound to it still holds. */
export interface BoundObject {
  readonly uid: string;
  readonly deletionTimestamp?: string | undefined;
}

/** Looks an object up as it stands now; nodes have no namespace. */
export type BoundLookup = (
  kind: BoundKind,
  name: { readonly namespace: string; readonly name: string },
) => BoundObject | undefined | Promise<BoundObject | undefined>;

/** What a token check needs. */
export interface TokenCheck {
  readonly authority: TokenAuthority;
  readonly lookup: BoundLookup;
  readonly now: Date;
  /** @default the authority's own */
  readonly audiences?: readonly string[];
}

/** A token that holds. */
export interface VerifiedToken {
  readonly user: UserInfo;
  /** The asked-for audiences it is meant for. */
  readonly audiences: readonly string[];
}

/** Checks tokens of any number of control planes. */
export interface TokenVerifier {
  /** Undefined when the token is not of this issuer; throws TokenRejected when it is and does not hold. */
  readonly verify: (token: string, check: TokenCheck) => Promise<VerifiedToken | undefined>;
}

/**
 * Checks tokens, remembering whose signature was good.
 *
 * Only the signature is remembered, since it costs most and never changes. Times and bound objects
 * are looked at every time, so that deleting a service account ends its tokens at once.
 */
export function tokenVerifier(cacheSize = CACHED_TOKENS): TokenVerifier {
  const signed = new BoundedCache<{ keys: readonly VerifyingKey[]; claims: Claims }>(cacheSize);
  return {
    verify: async (token, check) => {
      const { authority } = check;
      // The token itself would be a credential lying about in memory.
      const digest = hash('sha256', token, 'base64');
      const known = signed.get(digest);
      const keys = verifyingKeys(authority);
      let claims = known?.keys === keys ? known.claims : undefined;
      if (claims === undefined) {
        claims = verifySignature(token, authority);
        if (claims === undefined) return undefined;
        signed.set(digest, { keys, claims });
      }
      const audiences = matchingAudiences(claims, check);
      checkTimes(claims, check.now);
      await checkBoundObjects(claims, check);
      return { user: userOf(claims), audiences };
    },
  };
}

interface Claims {
  readonly audiences: readonly string[];
  readonly expiry: number | undefined;
  readonly notBefore: number | undefined;
  readonly issuedAt: number | undefined;
  readonly id: string;
  readonly namespace: string;
  readonly serviceAccount: ObjectRef;
  readonly pod: ObjectRef | undefined;
  readonly secret: ObjectRef | undefined;
  readonly node: ObjectRef | undefined;
}

function verifySignature(token: string, authority: TokenAuthority): Claims | undefined {
  const jwt = readJwt(token);
  if (jwt === undefined || !isIssuer(authority, jwt.claims['iss'])) return undefined;
  if (!isSignedBy(jwt, verifyingKeys(authority))) {
    throw new TokenRejected('invalid signature, no keys found');
  }
  return readClaims(jwt.claims);
}

function isIssuer({ issuer, otherIssuers = [] }: TokenAuthority, claimed: unknown): boolean {
  return claimed === issuer || otherIssuers.some((other) => other === claimed);
}

function readClaims(raw: Readonly<Record<string, unknown>>): Claims {
  const bound = recordOf(raw['kubernetes.io']);
  const audience = raw['aud'];
  const ref = (field: string): ObjectRef | undefined => {
    if (bound[field] === undefined) return undefined;
    const { name, uid } = recordOf(bound[field]);
    return { name: textOf(name), uid: textOf(uid) };
  };
  return {
    audiences: Array.isArray(audience)
      ? audience.map(textOf)
      : audience === undefined
        ? []
        : [textOf(audience)],
    expiry: numberOf(raw['exp']),
    notBefore: numberOf(raw['nbf']),
    issuedAt: numberOf(raw['iat']),
    id: textOf(raw['jti']),
    namespace: textOf(bound['namespace']),
    serviceAccount: ref('serviceaccount') ?? { name: '', uid: '' },
    pod: ref('pod'),
    secret: ref('secret'),
    node: ref('node'),
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function matchingAudiences(claims: Claims, { authority, audiences }: TokenCheck): string[] {
  const wanted = audiences ?? authority.audiences;
  // Tokens without an audience are meant for the API server.
  const meant = claims.audiences.length === 0 ? authority.audiences : claims.audiences;
  const matching = meant.filter((audience) => wanted.includes(audience));
  if (matching.length === 0) {
    throw new TokenRejected(
      `token audiences [${meant.map(goQuote).join(' ')}] is invalid for the target audiences [${wanted.map(goQuote).join(' ')}]`,
    );
  }
  return matching;
}

function checkTimes({ expiry, notBefore, issuedAt }: Claims, date: Date): void {
  const now = date.getTime() / 1000;
  if (notBefore !== undefined && now + LEEWAY_SECONDS < notBefore) {
    throw new TokenRejected('service account token is not valid yet');
  }
  if (expiry !== undefined && now - LEEWAY_SECONDS > expiry) {
    throw new TokenRejected('service account token has expired');
  }
  if (issuedAt !== undefined && now + LEEWAY_SECONDS < issuedAt) {
    throw new TokenRejected('service account token is issued in the future');
  }
}

async function checkBoundObjects(claims: Claims, { lookup, now }: TokenCheck): Promise<void> {
  const { namespace, serviceAccount, pod, secret, node } = claims;
  const bindings: [BoundKind, string, ObjectRef | undefined][] = [
    ['ServiceAccount', namespace, serviceAccount],
    ['Secret', namespace, secret],
    ['Pod', namespace, pod],
    // The node of a pod may go away before the pod does.
    ['Node', '', pod === undefined ? node : undefined],
  ];
  for (const [kind, where, ref] of bindings) {
    if (ref === undefined) continue;
    const answer = lookup(kind, { namespace: where, name: ref.name });
    const found = answer instanceof Promise ? await answer : answer;
    if (found === undefined || found.uid !== ref.uid || isGone(found, now)) {
      throw new TokenRejected(`service account token has been invalidated: ${kind} "${ref.name}"`);
    }
  }
}

/** An object that waits for its finalizers counts as gone a minute after its deletion was asked for. */
function isGone({ deletionTimestamp }: BoundObject, now: Date): boolean {
  if (deletionTimestamp === undefined) return false;
  return Date.parse(deletionTimestamp) < now.getTime() - LEEWAY_SECONDS * 1000;
}

const POD_NAME = 'authentication.kubernetes.io/pod-name';
const POD_UID = 'authentication.kubernetes.io/pod-uid';
const NODE_NAME = 'authentication.kubernetes.io/node-name';
const NODE_UID = 'authentication.kubernetes.io/node-uid';

function userOf({ namespace, serviceAccount, pod, node, id }: Claims): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  if (pod !== undefined) {
    extra[POD_NAME] = [pod.name];
    extra[POD_UID] = [pod.uid];
  }
  if (id !== '') extra[CREDENTIAL_ID] = [`JTI=${id}`];
  if (node !== undefined) {
    extra[NODE_NAME] = [node.name];
    if (node.uid !== '') extra[NODE_UID] = [node.uid];
  }
  return {
    name: serviceAccountUser({ namespace, name: serviceAccount.name }),
    uid: serviceAccount.uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
