import { deepCopy } from '@flotilla/machinery';
import { bootstrapUser, type TokenSecret } from './authn/bootstrap-tokens.ts';
import { type LegacySubject, legacyTokens } from './authn/legacy-tokens.ts';
import { type BoundLookup, type TokenAuthority, verifyingKeys } from './authn/tokens.ts';
import type { UserInfo } from './authn/user-info.ts';
import { API_SERVER } from './managed-fields/manager-name.ts';
import { findStored } from './objects/stored.ts';
import { updateObject } from './objects/update-object.ts';
import type { IdentityContext } from './server.ts';

const LAST_USED = 'kubernetes.io/legacy-token-last-used';
const DAY_MS = 24 * 60 * 60_000;

/** Whom a token stands for that is kept in a Secret; undefined when there is none such. */
export type StoredTokens = (token: string) => Promise<UserInfo | undefined>;

/** Knows the tokens that are kept in Secrets: those of service accounts, and those by which machines join. */
export function storedTokens(
  { engine, registry }: IdentityContext,
  options: {
    readonly authority: TokenAuthority;
    readonly lookup: BoundLookup;
    /** Whether machines may join with bootstrap tokens. */
    readonly bootstrap: boolean;
  },
): StoredTokens {
  const secrets = registry.find('', 'v1', 'secrets');
  const secret = (namespace: string, name: string): TokenSecret | undefined =>
    secrets === undefined
      ? undefined
      : (findStored(engine, { tenant: 'root', def: secrets, namespace, name })?.object as
          | TokenSecret
          | undefined);
  const legacy = legacyTokens(verifyingKeys(options.authority), { secret, bound: options.lookup });
  /** Whoever cleans up needs to know which tokens are still in use, to the day. */
  const noteUse = async ({ namespace, secretName }: LegacySubject): Promise<void> => {
    const today = dayOf(engine.now());
    const tomorrow = dayOf(new Date(engine.now().getTime() + DAY_MS));
    const known = secret(namespace, secretName)?.metadata.labels?.[LAST_USED];
    if (secrets === undefined || known === today || known === tomorrow) return;
    await updateObject(engine, {
      tenant: 'root',
      def: secrets,
      namespace,
      name: secretName,
      subresource: '',
      manager: API_SERVER,
      change: (current) => {
        const next = deepCopy(current);
        next.metadata.labels = { ...next.metadata.labels, [LAST_USED]: today };
        return next;
      },
      user: { name: 'system:apiserver', groups: ['system:masters'] },
      dryRun: false,
      warn: () => {},
    });
  };
  return async (token) => {
    const verified = await legacy.verify(token);
    if (verified !== undefined) {
      // A note that cannot be made does not keep anyone out.
      await noteUse(verified.subject).catch(() => undefined);
      return verified.user;
    }
    if (!options.bootstrap) return undefined;
    return bootstrapUser(token, (name) => secret('kube-system', name), engine.now());
  };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
