import { BlockList, isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { TransportError } from '../transport-error.ts';
import { type Endpoint, parsed, printable } from './endpoint.ts';

/** A proxy to go through. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly user?: { readonly name: string; readonly password: string } | undefined;
  /** For texts: without user and password. */
  readonly url: string;
}

type Env = Readonly<Record<string, string | undefined>>;

const PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/** The access's own proxy, which holds for every address; else the environment's, by the rules of Go's httpproxy. */
export function chooseProxy(
  endpoint: Endpoint,
  proxyUrl: string | undefined,
  env: Env,
): ProxyServer | undefined {
  if (proxyUrl !== undefined && proxyUrl !== '') return readProxy(proxyUrl, 'the proxy-url');
  const name = endpoint.isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const value = either(env, name);
  if (value === undefined || !goesThroughProxy(endpoint, either(env, 'NO_PROXY') ?? '')) {
    return undefined;
  }
  if (!endpoint.isSecure && env['REQUEST_METHOD'] !== undefined) {
    // In a CGI program a request's Proxy header becomes HTTP_PROXY.
    throw new TransportError('proxy', 'Cannot use HTTP_PROXY: this is a CGI environment', {
      wasNotSent: true,
    });
  }
  const url = parsed(value);
  return readProxy(url === undefined || url.host === '' ? `http://${value}` : value, name);
}

function either(env: Env, name: string): string | undefined {
  return env[name] || env[name.toLowerCase()] || undefined;
}

function readProxy(text: string, origin: string): ProxyServer {
  const url = parsed(text);
  const kind = url?.protocol.replace(/:$/, '').replace(/^socks5h$/, 'socks5');
  if (
    url === undefined ||
    url.hostname === '' ||
    (kind !== 'http' && kind !== 'https' && kind !== 'socks5')
  ) {
    const scheme = printable(/^[a-z0-9+.-]*(?=:\/\/)/i.exec(text)?.[0] ?? '', 20);
    throw new TransportError(
      'proxy',
      `Cannot use ${origin} with scheme "${scheme}": it must be an http, https or socks5 URL`,
      { wasNotSent: true },
    );
  }
  const hasUser = url.username !== '' || url.password !== '';
  return {
    kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORTS[kind] : Number(url.port),
    user: hasUser ? { name: decoded(url.username), password: decoded(url.password) } : undefined,
    url: `${url.protocol}//${url.host}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** False for loopback, and for what NO_PROXY names. */
export function goesThroughProxy(
  { host: given, port }: Pick<Endpoint, 'host' | 'port'>,
  noProxy: string,
): boolean {
  const host = given.toLowerCase();
  const family = isIP(host);
  if (host === 'localhost' || (family > 0 && contains('127.0.0.0', 8, host))) return false;
  if (host === '::1') return false;
  return !noProxy.split(',').some((entry) => names(entry.trim().toLowerCase(), host, port));
}

/** Whether one entry of NO_PROXY means the address. */
function names(entry: string, host: string, port: number): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const isAddress = isIP(host) > 0;
  const [, network = '', bits] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? [];
  if (isIP(network) > 0) {
    const longest = isIP(network) === 4 ? 32 : 128;
    return isAddress && Number(bits) <= longest && contains(network, Number(bits), host);
  }

  const { name, wantedPort } = splitPort(entry);
  if (wantedPort !== '' && wantedPort !== String(port)) return false;
  const plain = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(plain) > 0) {
    return isAddress && contains(plain, isIP(plain) === 4 ? 32 : 128, host);
  }
  if (plain === '' || isAddress) return false;
  const domain = ascii(plain.replace(/^\*\./, '.'));
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}

/** Go's SplitHostPort: one colon, or brackets; anything else has no port. */
function splitPort(entry: string): { name: string; wantedPort: string } {
  const [, bracketed, name, wantedPort] = /^(?:\[([^\]]*)\]|([^:[\]]*)):([^:]*)$/.exec(entry) ?? [];
  if (wantedPort === undefined) return { name: entry, wantedPort: '' };
  return { name: bracketed ?? name ?? '', wantedPort };
}

function contains(network: string, bits: number, address: string): boolean {
  const list = new BlockList();
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(network, bits, family);
  // An IPv4 address written as IPv6 is the same to both Go and BlockList.
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function ascii(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: everything beyond ASCII.
  if (!/[^\x00-\x7f]/.test(domain)) return domain;
  const isSuffix = domain.startsWith('.');
  return (isSuffix ? '.' : '') + domainToASCII(isSuffix ? domain.slice(1) : domain);
}
