import { createHmac, timingSafeEqual } from 'node:crypto';
import type { UserInfo } from './user-info.ts';

/** A Secret as far as tokens are read from it; values are base64. */
export interface TokenSecret {
  readonly metadata: {
    readonly name?: string;
    readonly uid?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly type?: string;
  readonly data?: Readonly<Record<string, string | null>>;
}

/** The type of Secrets that let machines join. */
export const BOOTSTRAP_TOKEN = 'bootstrap.kubernetes.io/token';
/** Bootstrap tokens live in kube-system, under this prefix and their id. */
export const BOOTSTRAP_PREFIX = 'bootstrap-token-';

const TOKEN = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const SECRET_NAME = /^bootstrap-token-([a-z0-9]{6})$/;
const GROUP = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const DEFAULT_GROUP = 'system:bootstrappers';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Finds the Secret of a bootstrap token by its name. */
export type FindBootstrapSecret = (name: string) => TokenSecret | undefined;

/** Whom a bootstrap token stands for; undefined when it is none, or none that still opens anything. */
export function bootstrapUser(
  token: string,
  find: FindBootstrapSecret,
  now: Date,
): UserInfo | undefined {
  const [, id = '', secretPart = ''] = TOKEN.exec(token) ?? [];
  if (id === '') return undefined;
  const secret = find(`${BOOTSTRAP_PREFIX}${id}`);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return undefined;
  if (secret.type !== BOOTSTRAP_TOKEN) return undefined;
  if (!isSame(textOf(secret, 'token-secret'), secretPart)) return undefined;
  if (textOf(secret, 'token-id') !== id) return undefined;
  if (expiryOf(secret, now).isExpired) return undefined;
  if (textOf(secret, 'usage-bootstrap-authentication') !== 'true') return undefined;
  const groups = groupsOf(secret);
  return groups === undefined ? undefined : { name: `system:bootstrap:${id}`, groups };
}

/** Undefined when a group is not one that machines may be put in. */
function groupsOf(secret: TokenSecret): string[] | undefined {
  const extra = textOf(secret, 'auth-extra-groups');
  const groups = extra === '' ? [] : extra.split(',');
  if (!groups.every((group) => GROUP.test(group))) return undefined;
  return [...new Set([DEFAULT_GROUP, ...groups])].sort();
}

/** A value of a Secret as text; '' when there is none. */
export function textOf({ data }: TokenSecret, key: string): string {
  const value = data?.[key];
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
}

/** Compares without telling by the time it takes how much of it was right. */
export function isSame(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** When a bootstrap token ends: `leftMs` is undefined for one that never does; what is no time has passed. */
export function expiryOf(
  secret: TokenSecret,
  now: Date,
): { isExpired: boolean; leftMs: number | undefined } {
  const text = textOf(secret, 'expiration');
  if (text === '') return { isExpired: false, leftMs: undefined };
  const leftMs = TIME.test(text) ? new Date(text).getTime() - now.getTime() : 0;
  return leftMs > 0 ? { isExpired: false, leftMs } : { isExpired: true, leftMs: 0 };
}

/** Id and secret of a token that may sign the cluster's address; undefined when the Secret holds none. */
export function signingToken(
  secret: TokenSecret,
  now: Date,
): { id: string; secret: string } | undefined {
  const [, id] = SECRET_NAME.exec(secret.metadata.name ?? '') ?? [];
  if (secret.type !== BOOTSTRAP_TOKEN || id === undefined) return undefined;
  const own = textOf(secret, 'token-secret');
  if (textOf(secret, 'token-id') !== id || own === '') return undefined;
  if (expiryOf(secret, now).isExpired) return undefined;
  return textOf(secret, 'usage-bootstrap-signing') === 'true' ? { id, secret: own } : undefined;
}

/** A JWS over the content that does not repeat it (RFC 7515, appendix F). */
export function detachedSignature(content: string, token: { id: string; secret: string }): string {
  const header = encode(JSON.stringify({ alg: 'HS256', kid: token.id }));
  const signature = createHmac('sha256', token.secret)
    .update(`${header}.${encode(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
