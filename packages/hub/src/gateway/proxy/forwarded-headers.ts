import type { IncomingMessage } from 'node:http';
import type { ApiRequest, ApiResponse } from '@flotilla/apiserver';

/** Headers as node:http takes them. */
export type Headers = Record<string, string | readonly string[]>;

/** They are about one connection, and every one has its own. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** What tells who the client is to the hub, or is for the hub alone. None of it is the member's business. */
const HUBS_OWN = ['authorization', 'cookie', 'expect', 'host', 'http2-settings'];
const HUBS_OWN_PREFIX = /^(?::|impersonate-|x-remote-)/;

/** The subprotocol by which browsers, which cannot send headers, bring their token. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

/** Headers of a request as the member gets them, before its own credential is added. */
export function requestHeaders({ headers, peer }: ApiRequest): Headers {
  const dropped = new Set([...HOP_BY_HOP, ...HUBS_OWN, ...namedBy(headers['connection'])]);
  const forwarded: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name) || HUBS_OWN_PREFIX.test(name)) continue;
    forwarded[name] = value;
  }
  const protocols = protocolsWithoutToken(headers['sec-websocket-protocol']);
  delete forwarded['sec-websocket-protocol'];
  if (protocols !== '') forwarded['sec-websocket-protocol'] = protocols;
  const before = headers['x-forwarded-for'];
  forwarded['x-forwarded-for'] = before === undefined ? peer.address : `${before}, ${peer.address}`;
  return forwarded;
}

/**
 * Headers of a member's answer as the client gets them. The audit ID is the hub's; cookies would be the hub's too, and
 * none are ever sent to a member.
 */
export function answerHeaders(answer: IncomingMessage): ApiResponse['headers'] {
  const { headers, headersDistinct } = answer;
  const dropped = new Set([
    ...HOP_BY_HOP,
    'set-cookie',
    'audit-id',
    ...namedBy(headers['connection']),
  ]);
  const forwarded: Headers = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || dropped.has(name)) continue;
    forwarded[name] = value;
  }
  // Each of them by itself, because clients print each.
  const warnings = headersDistinct['warning'];
  if (warnings !== undefined) forwarded['warning'] = warnings;
  return forwarded;
}

/** Headers that a Connection header says are about the connection as well. */
function namedBy(connection: string | undefined): string[] {
  return (connection ?? '').split(',').map((name) => name.trim().toLowerCase());
}

function protocolsWithoutToken(header: string | undefined): string {
  return (header ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== '' && !protocol.startsWith(TOKEN_PROTOCOL))
    .join(', ');
}
