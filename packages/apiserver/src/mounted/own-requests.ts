import { encodeJson, StatusError } from '@flotilla/machinery';
import { SYSTEM_USER } from '../builtin/system-user.ts';
import type { Exchange } from '../handlers/route.ts';
import type { ApiRequest, ApiResponse, Sink, StreamBody } from '../http/exchange.ts';
import { PlainError } from '../http/plain-error.ts';
import { isStream, joined } from '../http/response-body.ts';
import { requestInfo } from '../resources/request-info.ts';
import type { Tenant } from '../storage/store.ts';

/** A request that a mounted group makes to the server it is mounted on. */
export interface OwnRequest {
  /** @default 'GET' */
  readonly method?: string;
  /** Path with query. */
  readonly path: string;
  readonly body?: unknown;
  /** @default 'application/json' */
  readonly contentType?: string;
  /** @default never aborted */
  readonly signal?: AbortSignal;
}

/**
 * Answers requests of mounted groups without a socket: what upstream's aggregated servers have a loopback client for.
 * A write is seen by every request after it. Refusals are thrown as StatusErrors, answers are decoded.
 */
export function ownRequests(
  answer: (exchange: Exchange) => Promise<ApiResponse>,
): (tenant: Tenant, request: OwnRequest) => Promise<unknown> {
  return async (tenant, own) => {
    const request = requestOf(own);
    const info = requestInfo(request.method, request.path, request.query);
    const exchange: Exchange = { request, tenant, info, user: SYSTEM_USER, warnings: [] };
    try {
      const { body } = await answer(exchange);
      const bytes = isStream(body) ? await collected(body) : joined(body);
      return JSON.parse(bytes.toString());
    } catch (error) {
      // Groups that nobody serves are refused in plain text.
      if (error instanceof PlainError && error.status === 404) {
        throw new StatusError(404, 'NotFound', 'the server could not find the requested resource');
      }
      throw error;
    }
  };
}

function requestOf({ method = 'GET', path, body, contentType, signal }: OwnRequest): ApiRequest {
  const [place = '', search = ''] = path.split('?');
  const bytes = Buffer.from(body === undefined ? '' : encodeJson(body));
  return {
    method,
    path: place,
    query: new URLSearchParams(search),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
    },
    peer: { address: '127.0.0.1' },
    signal: signal ?? NEVER,
    body: async () => bytes,
    incoming: () => undefined,
  };
}

const NEVER = new AbortController().signal;

/** Long lists are written piece by piece; here they are read as one. */
function collected(body: StreamBody): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const sink: Sink = {
      write: (chunk) => {
        // The writer may use its buffer again.
        chunks.push(Buffer.from(chunk));
        return true;
      },
      end: () => resolve(Buffer.concat(chunks)),
      destroy: () => reject(new Error('Cannot read the answer: it broke off')),
      buffered: 0,
      onDrain: (listener) => queueMicrotask(listener),
      onClose: () => {},
    };
    body.start(sink);
  });
}
