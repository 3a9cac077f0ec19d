import type { Access, Presented } from '../access.ts';
import type { WireRequest } from '../transport.ts';
import type { Errand } from './attempt.ts';
import type { Endpoint } from './endpoint.ts';
import type { H1Message } from './h1-connection.ts';
import { type H2Message, h2Headers } from './h2-session.ts';
import type { ProxyServer } from './proxy-choice.ts';
import { type HeaderPair, requestHeaders, requestPath, standingHeaders } from './request-head.ts';
import { proxyAuthorization } from './tunnel.ts';

/** What requests of one transport have in common. */
export interface MessageOptions {
  readonly access: Access;
  readonly endpoint: Endpoint;
  readonly proxy: ProxyServer | undefined;
  readonly userAgent: string;
}

/** How one request is sent. */
export interface MessageKind {
  readonly isUpgrade: boolean;
  /** The answer is read as a whole, so that it may be compressed. */
  readonly mayCompress: boolean;
}

/** Turns requests into what goes over the wire. */
export class Messages {
  readonly #options: MessageOptions;
  /** Plain HTTP through an HTTP proxy names the server in every request. */
  readonly #target: string;
  readonly #extra: string;
  #authorization: string | undefined;
  #standing: readonly HeaderPair[] | undefined;
  #standingText = '';

  constructor(options: MessageOptions) {
    this.#options = options;
    const { endpoint, proxy } = options;
    const isForwarded = proxy !== undefined && proxy.kind !== 'socks5' && !endpoint.isSecure;
    this.#target = isForwarded ? `http://${endpoint.authority}` : '';
    const authorization = isForwarded ? proxyAuthorization(proxy) : undefined;
    this.#extra = authorization === undefined ? '' : `proxy-authorization: ${authorization}\r\n`;
  }

  h1({ request, what }: Errand, presented: Presented, kind: MessageKind): H1Message {
    const { endpoint } = this.#options;
    const { method, body } = request;
    const own = this.#own(request, kind);
    const path = requestPath(endpoint.basePath, request.path);
    const standing = own.some(([name]) => name === 'authorization')
      ? text(this.#withoutAuthorization(presented))
      : this.#text(presented);
    const length = lengthOf(request);
    const framing = length === undefined ? '' : `content-length: ${length}\r\n`;
    return {
      head: `${method} ${this.#target}${path} HTTP/1.1\r\nhost: ${endpoint.authority}\r\n${this.#extra}${standing}${text(own)}${framing}\r\n`,
      body,
      isHeadRequest: method === 'HEAD',
      isUpgrade: kind.isUpgrade,
      what,
    };
  }

  h2({ request, what }: Errand, presented: Presented, kind: MessageKind): H2Message {
    const { endpoint } = this.#options;
    const own = this.#own(request, kind);
    const standing = own.some(([name]) => name === 'authorization')
      ? this.#withoutAuthorization(presented)
      : this.#pairs(presented);
    return {
      headers: {
        ':method': request.method,
        ':scheme': 'https',
        ':authority': endpoint.authority,
        ':path': requestPath(endpoint.basePath, request.path),
        ...h2Headers([...standing, ...own]),
      },
      body: request.body,
      what,
    };
  }

  #own(request: WireRequest, { isUpgrade, mayCompress }: MessageKind): readonly HeaderPair[] {
    const pairs = request.headers === undefined ? [] : requestHeaders(request, isUpgrade);
    if (
      mayCompress &&
      this.#options.access.disableCompression !== true &&
      request.headers?.['accept-encoding'] === undefined
    ) {
      pairs.push(['accept-encoding', 'gzip']);
    }
    return pairs;
  }

  #pairs(presented: Presented): readonly HeaderPair[] {
    if (this.#standing === undefined || presented.authorization !== this.#authorization) {
      const { userAgent, access } = this.#options;
      const { impersonate } = access;
      this.#standing = standingHeaders({ userAgent, presented, impersonate });
      this.#authorization = presented.authorization;
      this.#standingText = text(this.#standing);
    }
    return this.#standing;
  }

  #text(presented: Presented): string {
    this.#pairs(presented);
    return this.#standingText;
  }

  #withoutAuthorization(presented: Presented): readonly HeaderPair[] {
    return this.#pairs(presented).filter(([name]) => name !== 'authorization');
  }
}

function text(pairs: readonly HeaderPair[]): string {
  let all = '';
  for (const [name, value] of pairs) all += `${name}: ${value}\r\n`;
  return all;
}

/** Undefined where a request has no body and needs not say so. */
function lengthOf({ method, body }: WireRequest): number | undefined {
  if (body !== undefined) return Buffer.byteLength(body);
  return method === 'POST' || method === 'PUT' || method === 'PATCH' ? 0 : undefined;
}
