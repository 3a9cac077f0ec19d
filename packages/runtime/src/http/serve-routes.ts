import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Logger } from '../observer.ts';
import { type Answer, plain, type Route } from './answer.ts';
import { listen } from './listen.ts';

/** What to serve, and where. */
export interface RoutesOptions {
  /** Asked in this order; the first that answers does. */
  readonly routes: readonly Route[];
  /** 0 takes a free one. */
  readonly port: number;
  /** `0.0.0.0` or `::` lets everyone in. @default 127.0.0.1 */
  readonly host?: string;
  readonly logger: Logger;
}

/** A server of plain HTTP for probes and scrapes. */
export interface RoutesServer extends AsyncDisposable {
  readonly port: number;
}

/** Requests have no bodies, so one that takes longer to arrive is an attack or broken. */
const REQUEST_MS = 10_000;
const IDLE_MS = 30_000;
const MOST_CONNECTIONS = 100;
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;

/** Starts to serve; ends when it is disposed of, whatever is under way. */
export async function serveRoutes(options: RoutesOptions): Promise<RoutesServer> {
  const { routes, port, host = '127.0.0.1', logger } = options;
  const stop = new AbortController();
  const isLocal =
    host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, keepAliveTimeout: IDLE_MS },
    (request, response) => {
      const gone = new AbortController();
      response.once('close', () => gone.abort());
      const signal = AbortSignal.any([stop.signal, gone.signal]);
      answer(request, { routes, isLocal, signal })
        .catch((err: unknown) => {
          logger.error('Cannot answer a request', { path: request.url?.split('?')[0], err });
          return plain(500, 'Internal error\n');
        })
        .then((given) => send(request, response, given))
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = MOST_CONNECTIONS;
  const bound = await listen(server, { port, host });
  return {
    port: bound,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  request: IncomingMessage,
  { routes, isLocal, signal }: { routes: readonly Route[]; isLocal: boolean; signal: AbortSignal },
): Promise<Answer> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return plain(405, 'Only GET and HEAD are answered here\n');
  }
  // A web page can make its own name lead to this machine, and would then read what is served to it.
  if (isLocal && !LOOPBACK.test(request.headers.host ?? '')) {
    return plain(403, 'Only requests to a loopback address are answered here\n');
  }
  const [path = '/', query] = (request.url ?? '/').split('?');
  for (const route of routes) {
    const given = await route({ path, query: new URLSearchParams(query), signal });
    if (given !== undefined) return given;
  }
  return plain(404, '404 page not found\n');
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, type, body }: Answer,
): void {
  const bytes = Buffer.from(body);
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache, private',
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
