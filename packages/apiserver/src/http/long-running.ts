import type { ApiRequest } from './exchange.ts';

/** Of whatever resource it is; mounted groups may have such ones too. */
const STREAMING_SUBRESOURCE =
  /\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?[^/]+\/[^/]+\/(?:attach|exec|proxy|log|portforward)(?:\/|$)/;
const WATCH_PREFIX = /\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/watch\//;

/**
 * Whether a request may last as long as its client likes: watches and what streams to or from
 * something behind the server.
 * These have no deadline and take no place among the requests in flight.
 */
export function isLongRunning(request: Pick<ApiRequest, 'method' | 'path' | 'query'>): boolean {
  const { method, path } = request;
  if (method === 'GET') {
    const watch = request.query.get('watch');
    if (watch !== null && watch !== '0' && watch.toLowerCase() !== 'false') return true;
  }
  return STREAMING_SUBRESOURCE.test(path) || WATCH_PREFIX.test(path);
}
