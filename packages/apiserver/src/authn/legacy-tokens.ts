import { hash } from 'node:crypto';
import { isSame, type TokenSecret, textOf } from './bootstrap-tokens.ts';
import { BoundedCache } from './bounded-cache.ts';
import { isSignedBy, readJwt, type SigningKey, signJwt, type VerifyingKey } from './jwt.ts';
import {
  parseServiceAccountUser,
  serviceAccountGroups,
  serviceAccountUser,
} from './service-accounts.ts';
import { type BoundLookup, type ObjectRef, TokenRejected } from './tokens.ts';
import type { UserInfo } from './user-info.ts';

const ISSUER = 'kubernetes/serviceaccount';
const NAMESPACE = 'kubernetes.io/serviceaccount/namespace';
const SECRET = 'kubernetes.io/serviceaccount/secret.name';
const NAME = 'kubernetes.io/serviceaccount/service-account.name';
const UID = 'kubernetes.io/serviceaccount/service-account.uid';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const CACHED_TOKENS = 1024;

/** What a token that lives in a Secret speaks for. */
export interface LegacySubject {
  readonly namespace: string;
  readonly serviceAccount: ObjectRef;
  readonly secretName: string;
}

/** Signs a token without an end: it holds as long as its Secret and its account do. */
export function issueLegacyToken(
  keys: readonly SigningKey[],
  { namespace, serviceAccount, secretName }: LegacySubject,
): string {
  const [key] = keys;
  if (key === undefined) throw new Error('Cannot issue a token: there is no signing key');
  return signJwt(
    {
      iss: ISSUER,
      [NAMESPACE]: namespace,
      [SECRET]: secretName,
      [NAME]: serviceAccount.name,
      [UID]: serviceAccount.uid,
      sub: serviceAccountUser({ namespace, name: serviceAccount.name }),
    },
    key,
  );
}

/** What checking needs to look up, as it stands now. */
export interface LegacyLookup {
  readonly secret: (namespace: string, name: string) => TokenSecret | undefined;
  readonly bound: BoundLookup;
}

/** Checks tokens of one control plane; undefined when a token is none of these, TokenRejected when it does not hold. */
export interface LegacyTokens {
  readonly verify: (
    token: string,
  ) => Promise<{ user: UserInfo; subject: LegacySubject } | undefined>;
}

/** Remembers good signatures; Secret and account are looked at each time. */
export function legacyTokens(keys: readonly VerifyingKey[], lookup: LegacyLookup): LegacyTokens {
  const signed = new BoundedCache<LegacySubject>(CACHED_TOKENS);
  return {
    verify: async (token) => {
      const digest = hash('sha256', token, 'base64');
      let subject = signed.get(digest);
      if (subject === undefined) {
        subject = readSubject(token, keys);
        if (subject === undefined) return undefined;
        signed.set(digest, subject);
      }
      await check(token, subject, lookup);
      const { namespace, serviceAccount } = subject;
      return {
        subject,
        user: {
          name: serviceAccountUser({ namespace, name: serviceAccount.name }),
          uid: serviceAccount.uid,
          groups: serviceAccountGroups(namespace),
        },
      };
    },
  };
}

function readSubject(token: string, keys: readonly VerifyingKey[]): LegacySubject | undefined {
  const jwt = readJwt(token);
  if (jwt === undefined || jwt.claims['iss'] !== ISSUER) return undefined;
  if (!isSignedBy(jwt, keys)) throw new TokenRejected('invalid signature, no keys found');
  const claim = (name: string, missing: string): string => {
    const value = jwt.claims[name];
    if (typeof value !== 'string' || value === '') {
      throw new TokenRejected(`${missing} claim is missing`);
    }
    return value;
  };
  const user = parseServiceAccountUser(claim('sub', 'sub'));
  const namespace = claim(NAMESPACE, 'namespace');
  const secretName = claim(SECRET, 'secretName');
  const serviceAccount = {
    name: claim(NAME, 'serviceAccountName'),
    uid: claim(UID, 'serviceAccountUID'),
  };
  if (user?.namespace !== namespace || user.name !== serviceAccount.name) {
    throw new TokenRejected('sub claim is invalid');
  }
  return { namespace, secretName, serviceAccount };
}

async function check(token: string, subject: LegacySubject, lookup: LegacyLookup): Promise<void> {
  const { namespace, secretName, serviceAccount } = subject;
  const secret = lookup.secret(namespace, secretName);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) {
    throw new TokenRejected('Token has been invalidated');
  }
  if (!isSame(textOf(secret, 'token'), token)) {
    throw new TokenRejected("Token does not match server's copy");
  }
  const account = await lookup.bound('ServiceAccount', { namespace, name: serviceAccount.name });
  if (account === undefined || account.deletionTimestamp !== undefined) {
    throw new TokenRejected(`ServiceAccount ${namespace}/${serviceAccount.name} has been deleted`);
  }
  if (account.uid !== serviceAccount.uid) {
    throw new TokenRejected(
      `ServiceAccount UID (${account.uid}) does not match claim (${serviceAccount.uid})`,
    );
  }
  if ((secret.metadata.labels?.[INVALID_SINCE] ?? '') !== '') {
    throw new TokenRejected(
      `the token in secret ${namespace}/${secretName} for service account ${namespace}/${serviceAccount.name} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${INVALID_SINCE}' label from the secret to temporarily allow use of this token`,
    );
  }
}
