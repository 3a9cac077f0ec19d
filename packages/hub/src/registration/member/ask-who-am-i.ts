import { isForbidden, isNotFound, isUnauthorized } from '@flotilla/machinery';
import type { MemberSession } from './member-session.ts';

/** As whom a member takes us. */
export type Identity =
  | { readonly kind: 'user'; readonly name: string | undefined }
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'unauthorized' };

type Asked = Pick<MemberSession, 'client' | 'conceal'>;

const ANONYMOUS = 'system:anonymous';
const REVIEWS = ['v1', 'v1beta1'] as const;
const LONGEST_NAME = 256;

/**
 * Asks a member who we are. `/version` and `/healthz` answer everybody, also to a credential that is none; a
 * SelfSubjectReview names the user. Servers that have none (before 1.27) let every authenticated user ask for a
 * SelfSubjectAccessReview, and nobody else.
 */
export async function askWhoAmI(member: Asked, signal: AbortSignal): Promise<Identity> {
  for (const version of REVIEWS) {
    const apiVersion = `authentication.k8s.io/${version}`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const body = { apiVersion, kind: 'SelfSubjectReview' };
    const answer = await review(member, { path, body }, signal);
    if (answer !== undefined) return answer;
  }
  const apiVersion = 'authorization.k8s.io/v1';
  const path = `/apis/${apiVersion}/selfsubjectaccessreviews`;
  const spec = { resourceAttributes: { verb: 'get', resource: 'namespaces' } };
  const body = { apiVersion, kind: 'SelfSubjectAccessReview', spec };
  return (await review(member, { path, body }, signal)) ?? { kind: 'user', name: undefined };
}

async function review(
  { client, conceal }: Asked,
  asked: { readonly path: string; readonly body: object },
  signal: AbortSignal,
): Promise<Identity | undefined> {
  try {
    const answer = (await client.raw({ ...asked, method: 'POST', signal })) as {
      status?: { userInfo?: { username?: unknown } };
    };
    const name = answer?.status?.userInfo?.username;
    return identityOf(typeof name === 'string' ? conceal(name) : undefined);
  } catch (error) {
    if (isUnauthorized(error)) return { kind: 'unauthorized' };
    // A refusal names who was refused: somebody the member knows, who may not ask, or nobody.
    if (isForbidden(error)) {
      return identityOf(conceal(/User "([^"]*)"/.exec((error as Error).message)?.[1]));
    }
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function identityOf(name: string | undefined): Identity {
  if (name === ANONYMOUS || name === '') return { kind: 'anonymous' };
  return { kind: 'user', name: name?.slice(0, LONGEST_NAME) };
}
