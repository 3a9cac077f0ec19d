import { goQuote } from '../../go/quote.ts';
import { AddressError, parseAddress } from './net-address.ts';

/** A text that is no URL; the message is that of Go's net/url. */
export class UrlError extends Error {}

/** A URL in parts, as Go's net/url takes it apart. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** User and password, not unescaped. */
  readonly user: string | undefined;
  readonly host: string;
  readonly path: string;
  /** The path as written, where Go's own escaping would write it differently. */
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly forceQuery: boolean;
  readonly omitHost: boolean;
  readonly fragment: string;
}

type Mode = 'path' | 'host' | 'zone' | 'query' | 'user' | 'fragment';

const UNRESERVED = /[A-Za-z0-9\-_.~]/;
const ALLOWED: Readonly<Record<Mode, RegExp>> = {
  path: /[$&+,/:;=@]/,
  host: /[!$&'()*+,;=:[\]<>"]/,
  zone: /[!$&'()*+,;=:[\]<>"]/,
  query: /(?!)/,
  user: /[$&+,;=]/,
  fragment: /[$&+,/:;=?@!()*]/,
};

const isEscaped = (character: string, mode: Mode): boolean =>
  !UNRESERVED.test(character) && !ALLOWED[mode].test(character);

/** Text as bytes, one character each, since escapes are of bytes. */
const toBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

const fromBytes = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));

function percentDecode(text: string, mode: Mode): string {
  if (!/[%+]/.test(text) && mode !== 'host' && mode !== 'zone') return text;
  const bytes = toBytes(text);
  let out = '';
  for (let i = 0; i < bytes.length; i++) {
    const character = bytes[i] as string;
    if (character === '%') {
      const triplet = bytes.slice(i, i + 3);
      if (!/^%[0-9a-fA-F]{2}$/.test(triplet) || isForbidden(triplet, mode)) {
        throw new UrlError(`invalid URL escape ${goQuote(fromBytes(triplet))}`);
      }
      out += String.fromCharCode(Number.parseInt(triplet.slice(1), 16));
      i += 2;
    } else if (character === '+' && mode === 'query') {
      out += ' ';
    } else {
      if (
        (mode === 'host' || mode === 'zone') &&
        character < '\x80' &&
        isEscaped(character, mode)
      ) {
        throw new UrlError(`invalid character ${goQuote(character)} in host name`);
      }
      out += character;
    }
  }
  return fromBytes(out);
}

/** Hosts may only escape what is not ASCII; zones also what hosts may hold. */
function isForbidden(triplet: string, mode: Mode): boolean {
  if (triplet === '%25') return false;
  const code = Number.parseInt(triplet.slice(1), 16);
  if (mode === 'host') return code < 0x80;
  return mode === 'zone' && code !== 0x20 && isEscaped(String.fromCharCode(code), 'host');
}

function percentEncode(text: string, mode: Mode): string {
  const bytes = toBytes(text);
  let out = '';
  for (const character of bytes) {
    if (!isEscaped(character, mode)) out += character;
    else out += `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function splitScheme(text: string): [string, string] {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (found) return [found[1] as string, text.slice(found[0].length)];
  if (text.startsWith(':')) throw new UrlError('missing protocol scheme');
  return ['', text];
}

function parse(text: string, viaRequest: boolean): Omit<GoUrl, 'fragment'> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Go refuses them here
  if (/[\x00-\x1f\x7f]/.test(text)) {
    throw new UrlError('net/url: invalid control character in URL');
  }
  if (text === '' && viaRequest) throw new UrlError('empty url');
  const empty = { scheme: '', opaque: '', user: undefined, host: '', path: '', rawPath: '' };
  const url = { ...empty, rawQuery: '', forceQuery: false, omitHost: false };
  if (text === '*') return { ...url, path: '*' };
  const [written, afterScheme] = splitScheme(text);
  const scheme = written.toLowerCase();
  let [rest, rawQuery] = cut(afterScheme, '?');
  const forceQuery =
    afterScheme.endsWith('?') && afterScheme.indexOf('?') === afterScheme.length - 1;
  if (forceQuery) rawQuery = '';
  const common = { ...url, scheme, rawQuery, forceQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...common, opaque: rest };
    if (viaRequest) throw new UrlError('invalid URI for request');
    if (cut(rest, '/')[0].includes(':')) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
  }
  let authority: { user: string | undefined; host: string } = { user: undefined, host: '' };
  let omitHost = false;
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(scheme, slash < 0 ? rest.slice(2) : rest.slice(2, slash));
    rest = slash < 0 ? '' : rest.slice(slash);
  } else if (scheme !== '' && rest.startsWith('/')) {
    omitHost = true;
  }
  const path = percentDecode(rest, 'path');
  const rawPath = percentEncode(path, 'path') === rest ? '' : rest;
  return { ...common, ...authority, omitHost, path, rawPath };
}

function parseAuthority(
  scheme: string,
  authority: string,
): { user: string | undefined; host: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at < 0) return { user: undefined, host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    throw new UrlError('net/url: invalid userinfo');
  }
  const [name, password] = cut(user, ':');
  percentDecode(name, 'user');
  percentDecode(password, 'user');
  return { user, host };
}

const isOptionalPort = (text: string): boolean => /^(?::\d*)?$/.test(text);

function parseHost(scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new UrlError('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const isWeb = scheme === 'http' || scheme === 'https';
    const port = host.slice(isWeb ? first : host.lastIndexOf(':'));
    if (!isOptionalPort(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
  }
  return percentDecode(host, 'host');
}

function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close < 0) throw new UrlError("missing ']' in host");
  const port = host.slice(close + 1);
  if (!isOptionalPort(port)) throw new UrlError(`invalid port ${goQuote(port)} after host`);
  const name = host.slice(1, close);
  const zone = name.indexOf('%25');
  const plain =
    zone < 0
      ? percentDecode(name, 'host')
      : percentDecode(name.slice(0, zone), 'host') + percentDecode(name.slice(zone), 'zone');
  try {
    if (parseAddress(plain).bytes.length === 4) throw new UrlError('invalid IP-literal');
  } catch (err) {
    if (err instanceof AddressError) throw new UrlError(`invalid host: ${err.message}`);
    throw err;
  }
  return `[${plain}]${port}`;
}

const parsing = <T>(text: string, run: () => T): T => {
  try {
    return run();
  } catch (err) {
    if (!(err instanceof UrlError)) throw err;
    throw new UrlError(`parse ${goQuote(text)}: ${err.message}`);
  }
};

/** Reads an absolute URL or an absolute path, as Go's ParseRequestURI does. */
export function parseRequestUri(text: string): GoUrl {
  return parsing(text, () => ({ ...parse(text, true), fragment: '' }));
}

/** Reads any URL, as Go's Parse does. */
export function parseUrl(text: string): GoUrl {
  const [main, fragment] = cut(text, '#');
  const url = parsing(main, () => parse(main, false));
  return { ...url, fragment: parsing(text, () => percentDecode(fragment, 'fragment')) };
}

/** The path as it would be sent. */
export function escapedPath(url: GoUrl): string {
  if (url.rawPath !== '' && /^[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]*$/.test(url.rawPath)) {
    return url.rawPath;
  }
  return url.path === '*' ? '*' : percentEncode(url.path, 'path');
}

/** The host without its port, and the port. */
export function splitHost(hostPort: string): { hostname: string; port: string } {
  let hostname = hostPort;
  let port = '';
  const colon = hostPort.lastIndexOf(':');
  if (colon >= 0 && isOptionalPort(hostPort.slice(colon))) {
    hostname = hostPort.slice(0, colon);
    port = hostPort.slice(colon + 1);
  }
  if (hostname.startsWith('[') && hostname.endsWith(']')) hostname = hostname.slice(1, -1);
  return { hostname, port };
}

/** The parameters of a query; those that cannot be read are left out. */
export function queryValues(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const [name, value] = cut(pair, '=');
    try {
      const key = percentDecode(name, 'query');
      const known = values.get(key) ?? [];
      known.push(percentDecode(value, 'query'));
      values.set(key, known);
    } catch (err) {
      if (!(err instanceof UrlError)) throw err;
    }
  }
  return values;
}

/** The URL as one text, by which two are compared. */
export function urlText(url: GoUrl): string {
  let out = url.scheme === '' ? '' : `${url.scheme}:`;
  if (url.opaque !== '') {
    out += url.opaque;
  } else {
    const hasAuthority = url.host !== '' || url.user !== undefined;
    if ((url.scheme !== '' || hasAuthority) && !(url.omitHost && !hasAuthority)) {
      if (hasAuthority || url.path !== '') out += '//';
      if (url.user !== undefined) out += `${url.user}@`;
      out += percentEncode(url.host, 'host');
    }
    out += escapedPath(url);
  }
  if (url.forceQuery || url.rawQuery !== '') out += `?${url.rawQuery}`;
  return url.fragment === '' ? out : `${out}#${percentEncode(url.fragment, 'fragment')}`;
}
