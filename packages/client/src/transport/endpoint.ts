import { TransportError } from '../transport-error.ts';

/** Where a server is, taken apart once. */
export interface Endpoint {
  readonly isSecure: boolean;
  /** Without brackets. */
  readonly host: string;
  readonly port: number;
  /** As the Host header has it. */
  readonly authority: string;
  /** What every path starts with: '' or `/k8s/clusters/c-1`. */
  readonly basePath: string;
  /** For texts: without user, password and query. */
  readonly url: string;
}

/** Reads the `server` of an access. */
export function readEndpoint(server: string): Endpoint {
  const url = parsed(server);
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new TransportError(
      'unreachable',
      `Cannot reach "${printable(server.replace(/\/\/[^/@]*@/, '//').split('?')[0] ?? '')}": it is not an http or https URL`,
      { wasNotSent: true },
    );
  }
  const isSecure = url.protocol === 'https:';
  const basePath = url.pathname.replace(/\/+$/, '');
  return {
    isSecure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    authority: url.host,
    basePath,
    url: `${url.protocol}//${url.host}${basePath}`,
  };
}

/** Undefined for what is no URL. */
export function parsed(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined;
}

/** Text of a stranger, fit for one line of a message. */
export function printable(text: string, longest = 200): string {
  const line = text.replace(/[^\x20-\x7e\u00a0-\ud7ff\ue000-\ufdcf]+/g, ' ').trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
