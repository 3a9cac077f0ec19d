/** Who is asking, as authorization, admission and audit see it. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Names and groups with a meaning of their own. */
export const ANONYMOUS = 'system:anonymous';
export const AUTHENTICATED = 'system:authenticated';
export const UNAUTHENTICATED = 'system:unauthenticated';
export const MASTERS = 'system:masters';
/** The `extra` that names the credential a user came with. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

/** Someone without any credential. */
export const anonymousUser: UserInfo = { name: ANONYMOUS, groups: [UNAUTHENTICATED] };

/** Adds the group that everyone with a valid credential is in. */
export function withAuthenticatedGroup(user: UserInfo): UserInfo {
  const settled =
    user.name === ANONYMOUS ||
    user.groups.includes(AUTHENTICATED) ||
    user.groups.includes(UNAUTHENTICATED);
  return settled ? user : { ...user, groups: [...user.groups, AUTHENTICATED] };
}
