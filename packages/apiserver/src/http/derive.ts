import type { ApiRequest } from './exchange.ts';

/**
 * The same request under another path, for a stage that has used up a prefix.
 *
 * Requests make their query, signal and body only when asked, so they must not be copied by
 * spreading; this passes every question on.
 */
export function withPath(request: ApiRequest, path: string): ApiRequest {
  return {
    method: request.method,
    path,
    headers: request.headers,
    get rawHeaders() {
      return request.rawHeaders;
    },
    get query() {
      return request.query;
    },
    get peer() {
      return request.peer;
    },
    get signal() {
      return request.signal;
    },
    body: (limit) => request.body(limit),
    incoming: () => request.incoming(),
  };
}
