import { forbiddenError, goQuote, type StatusError } from '@flotilla/machinery';
import type { ApiRequest } from '../http/exchange.ts';
import { PlainError } from '../http/plain-error.ts';
import { headerValues } from './header-values.ts';
import {
  parseServiceAccountUser,
  serviceAccountGroups,
  serviceAccountUser,
} from './service-accounts.ts';
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED, type UserInfo } from './user-info.ts';

/** One thing the caller wants to be taken for; each needs its own permission. */
export interface ImpersonationAttributes {
  readonly user: UserInfo;
  readonly verb: 'impersonate';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** May this be done? The reason is shown to the caller when not. */
export type CheckImpersonation = (
  attributes: ImpersonationAttributes,
) => Promise<{ readonly allowed: boolean; readonly reason: string }>;

/** Who a request counts for, and who really sent it. */
export interface Impersonation {
  readonly user: UserInfo;
  /** Set when `user` is impersonated: the one who authenticated, for the audit log. */
  readonly impersonator?: UserInfo;
}

const EXTRA_PREFIX = 'impersonate-extra-';
const AUTHENTICATION_GROUP = 'authentication.k8s.io';

interface Wish {
  readonly kind: 'ServiceAccount' | 'User' | 'Group' | 'UserExtra' | 'UID';
  readonly namespace?: string;
  readonly name: string;
  readonly extraKey?: string;
}

/** Lets a permitted caller act as someone else, as the Impersonate-* headers say. */
export async function impersonate(
  request: ApiRequest,
  caller: UserInfo,
  check: CheckImpersonation,
): Promise<Impersonation> {
  const wishes = readWishes(request);
  if (wishes.length === 0) return { user: caller };
  for (const wish of wishes) {
    const attributes = attributesOf(wish, caller);
    const { allowed, reason } = await check(attributes);
    if (!allowed) throw refused(attributes, reason);
  }
  return { user: wishedUser(wishes), impersonator: caller };
}

/** In upstream's order; anything without a user is an error. */
function readWishes(request: ApiRequest): Wish[] {
  const { headers } = request;
  const names = Object.keys(headers).filter((name) => name.startsWith('impersonate-'));
  if (names.length === 0) return [];
  const wishes: Wish[] = [];
  const [user = ''] = headerValues(request, 'impersonate-user');
  if (user !== '') {
    const account = parseServiceAccountUser(user);
    wishes.push(account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name: user });
  }
  for (const name of headerValues(request, 'impersonate-group')) {
    wishes.push({ kind: 'Group', name });
  }
  for (const header of names.filter((name) => name.startsWith(EXTRA_PREFIX))) {
    const extraKey = decodeKey(header.slice(EXTRA_PREFIX.length));
    for (const name of headerValues(request, header)) {
      wishes.push({ kind: 'UserExtra', name, extraKey });
    }
  }
  const [uid = ''] = headerValues(request, 'impersonate-uid');
  if (uid !== '') wishes.push({ kind: 'UID', name: uid });
  if (user === '' && wishes.length > 0) throw withoutUser(request, wishes);
  return wishes;
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function attributesOf(wish: Wish, user: UserInfo): ImpersonationAttributes {
  const base = {
    user,
    verb: 'impersonate',
    group: '',
    version: '',
    subresource: '',
    namespace: wish.namespace ?? '',
    name: wish.name,
  } as const;
  switch (wish.kind) {
    case 'ServiceAccount':
      return { ...base, resource: 'serviceaccounts' };
    case 'User':
      return { ...base, resource: 'users' };
    case 'Group':
      return { ...base, resource: 'groups' };
    case 'UserExtra':
      return {
        ...base,
        group: AUTHENTICATION_GROUP,
        version: 'v1',
        resource: 'userextras',
        subresource: wish.extraKey ?? '',
      };
    case 'UID':
      return { ...base, group: AUTHENTICATION_GROUP, version: 'v1', resource: 'uids' };
  }
}

function wishedUser(wishes: readonly Wish[]): UserInfo {
  let name = '';
  let uid: string | undefined;
  let groups: string[] = [];
  const extra: Record<string, string[]> = Object.create(null);
  const groupsGiven = wishes.some((wish) => wish.kind === 'Group');
  for (const wish of wishes) {
    switch (wish.kind) {
      case 'ServiceAccount': {
        const namespace = wish.namespace ?? '';
        name = serviceAccountUser({ namespace, name: wish.name });
        // Groups that are given are the whole truth; otherwise an account's follow from its name.
        if (!groupsGiven) groups = serviceAccountGroups(namespace);
        break;
      }
      case 'User':
        name = wish.name;
        break;
      case 'Group':
        groups.push(wish.name);
        break;
      case 'UserExtra': {
        const key = wish.extraKey ?? '';
        extra[key] = [...(extra[key] ?? []), wish.name];
        break;
      }
      case 'UID':
        uid = wish.name;
        break;
    }
  }
  return {
    name,
    ...(uid === undefined ? {} : { uid }),
    groups: withLoginGroup(name, groups),
    ...(Object.keys(extra).length === 0 ? {} : { extra: { ...extra } }),
  };
}

function withLoginGroup(name: string, groups: string[]): string[] {
  if (name === ANONYMOUS) {
    return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  }
  const settled = groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED);
  return settled ? groups : [...groups, AUTHENTICATED];
}

function refused(attributes: ImpersonationAttributes, reason: string): StatusError {
  const { user, group, resource, subresource, namespace, name } = attributes;
  const full = subresource === '' ? resource : `${resource}/${subresource}`;
  const where =
    namespace === '' ? 'at the cluster scope' : `in the namespace ${goQuote(namespace)}`;
  const text = `User ${goQuote(user.name)} cannot impersonate resource ${goQuote(full)} in API group ${goQuote(group)} ${where}`;
  const detail = reason === '' ? harmless(text) : `${harmless(text)}: ${reason}`;
  return forbiddenError({ group, resource }, name, detail);
}

/** Upstream's wording, which prints its object references with Go's `%v`. */
function withoutUser(request: ApiRequest, wishes: readonly Wish[]): PlainError {
  const list = wishes.map(({ kind, namespace = '', name, extraKey = '' }) => {
    const apiVersion = kind === 'UserExtra' || kind === 'UID' ? `${AUTHENTICATION_GROUP}/v1` : '';
    return `{${[kind, namespace, name, '', apiVersion, '', extraKey].join(' ')}}`;
  });
  const search = request.query.size === 0 ? '' : `?${request.query.toString()}`;
  const text = `Internal Server Error: ${goQuote(`${request.path}${search}`)}: requested [${list.join(' ')}] without impersonating a user`;
  return new PlainError(500, `${harmless(text)}\n`);
}

/** Error texts must not look like HTML to a browser. */
function harmless(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
