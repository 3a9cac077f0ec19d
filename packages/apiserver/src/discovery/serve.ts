import { negotiate } from '../handlers/negotiate.ts';
import { respond } from '../handlers/respond.ts';
import { methodNotAllowed } from '../handlers/unsupported.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import type { Discovery } from './discovery.ts';

/** Answers `/api`, `/apis` and what lies below them; undefined for anything else. */
export function serveDiscovery(discovery: Discovery, address: () => string) {
  return (request: ApiRequest): ApiResponse | undefined => {
    const [root, ...parts] = request.path.replace(/^\//, '').replace(/\/$/, '').split('/');
    if (root !== 'api' && root !== 'apis') return undefined;
    // Upstream's /apis answers whatever the method; everything else can only be read.
    if (request.method !== 'GET' && (root === 'api' || parts.length > 0)) throw methodNotAllowed();
    if (parts.length === 0) {
      return (
        aggregated(discovery, request, root) ??
        (root === 'api'
          ? document(request, discovery.versions(address()))
          : document(request, discovery.groups(), 'groups'))
      );
    }
    const [first = '', second = ''] = parts;
    if (root === 'api') {
      return parts.length === 1 ? document(request, discovery.resources('', first)) : undefined;
    }
    if (parts.length === 1) return document(request, discovery.group(first));
    return parts.length === 2 ? document(request, discovery.resources(first, second)) : undefined;
  };
}

function document(
  request: ApiRequest,
  value: unknown,
  kind: 'document' | 'groups' = 'document',
): ApiResponse | undefined {
  if (value === undefined) return undefined;
  const { format } = negotiate(request.headers['accept'], kind);
  return respond(200, value, format);
}

const PLAIN_JSON = /^(application\/json|\*\/\*)(;\s*q=[\d.]+)?$/;

/** The whole of it in one document, when that is what the client likes best. */
function aggregated(
  discovery: Discovery,
  request: ApiRequest,
  root: 'api' | 'apis',
): ApiResponse | undefined {
  for (const clause of (request.headers['accept'] ?? '').split(',')) {
    const text = clause.trim();
    if (PLAIN_JSON.test(text)) return undefined;
    if (!text.startsWith('application/json;') || !/\bas=APIGroupDiscoveryList\b/.test(text))
      continue;
    if (!/\bg=apidiscovery\.k8s\.io\b/.test(text)) continue;
    const version = /\bv=(v2beta1|v2)(;|$)/.exec(text)?.[1];
    if (version !== 'v2' && version !== 'v2beta1') continue;
    const { bytes, etag } = discovery.aggregated(root, version);
    const headers = {
      'content-type': `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      etag,
      'cache-control': 'public',
      vary: 'Accept',
    };
    if ((request.headers['if-none-match'] ?? '').includes(etag)) {
      return { status: 304, headers, body: Buffer.alloc(0) };
    }
    return { status: 200, headers, body: bytes };
  }
  return undefined;
}
