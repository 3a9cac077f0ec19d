import type { Impersonation, Presented } from '../access.ts';
import type { WireRequest } from '../transport.ts';
import { TransportError } from '../transport-error.ts';

/** Name and value, ready for the wire: bytes as Latin-1 characters. */
export type HeaderPair = readonly [name: string, value: string];

/** Framing and routing are the transport's. */
const RESERVED = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'expect',
]);
const PER_CONNECTION = new Set(['connection', 'upgrade', 'keep-alive', 'proxy-connection']);
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const NO_VALUE = /[\0-\x08\x0a-\x1f\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond printable ASCII.
const BEYOND_ASCII = /[^\x00-\x7f]/;
const PATH = /^\/[\x21\x22\x24-\x7e]*$/;

/** Headers that every request of one presented credential has. */
export function standingHeaders(options: {
  readonly userAgent: string;
  readonly presented: Presented;
  readonly impersonate?: Impersonation | undefined;
}): HeaderPair[] {
  const { userAgent, presented, impersonate } = options;
  const pairs: HeaderPair[] = [['user-agent', userAgent]];
  if (presented.authorization !== undefined) pairs.push(['authorization', presented.authorization]);
  if (impersonate !== undefined) {
    pairs.push(['impersonate-user', impersonate.user]);
    if (impersonate.uid !== undefined) pairs.push(['impersonate-uid', impersonate.uid]);
    for (const group of impersonate.groups ?? []) pairs.push(['impersonate-group', group]);
    for (const [key, values] of Object.entries(impersonate.extra ?? {})) {
      const name = `impersonate-extra-${escapeHeaderKey(key)}`;
      for (const value of values) pairs.push([name.toLowerCase(), value]);
    }
  }
  return pairs.map(([name, value]) => [name, wireValue(name, value)]);
}

/** Headers of one request, checked; an upgrade brings its own connection headers. */
export function requestHeaders(request: WireRequest, isUpgrade: boolean): HeaderPair[] {
  const pairs: HeaderPair[] = [];
  for (const [name, given] of Object.entries(request.headers ?? {})) {
    if (!NAME.test(name) || RESERVED.has(name) || (!isUpgrade && PER_CONNECTION.has(name))) {
      throw notSendable(`the header "${name}" cannot be given`);
    }
    for (const value of typeof given === 'string' ? [given] : given) {
      pairs.push([name, wireValue(name, value)]);
    }
  }
  return pairs;
}

/** The path as it is asked for, or why it cannot be. */
export function requestPath(basePath: string, path: string): string {
  if (!PATH.test(path)) {
    throw notSendable('its path is not an absolute one of printable ASCII characters');
  }
  return basePath + path;
}

/** client-go's: what a header name cannot hold, and `%`, as %XX of its bytes. */
export function escapeHeaderKey(key: string): string {
  return Buffer.from(key, 'utf8')
    .toString('latin1')
    .replace(
      /[^!#$&'*+\-.^_`|~0-9A-Za-z]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    );
}

/** Never shows the value: it may be a token. */
function wireValue(name: string, value: string): string {
  if (NO_VALUE.test(value)) {
    throw notSendable(`the header "${name}" has a line break or control character in it`);
  }
  return BEYOND_ASCII.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}

function notSendable(why: string): TransportError {
  return new TransportError('malformed', `Cannot send a request: ${why}`, { wasNotSent: true });
}
