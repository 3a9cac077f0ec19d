import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { notAcceptable } from '@flotilla/machinery';
import { NEWLINE, respond } from '../handlers/respond.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';

/** Serves the stored OpenAPI documents; undefined where there is none at the path. */
export type OpenApi = (request: ApiRequest) => ApiResponse | undefined;

const V2_PROTO = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** Documents stay on disk, compressed, and are read when asked for: 64 of them would cost 11 MB of heap. */
export function createOpenApi(folder: string): OpenApi {
  let index: Record<string, string> | undefined;
  const hashes = new Map<string, string>();
  const files = (): Record<string, string> => {
    index ??= JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Record<
      string,
      string
    >;
    return index;
  };
  const bytesOf = (file: string): Buffer => readFileSync(join(folder, file));
  const hashOf = (file: string): string => {
    let hash = hashes.get(file);
    if (hash === undefined) {
      hash = createHash('sha512').update(bytesOf(file)).digest('hex').toUpperCase();
      hashes.set(file, hash);
    }
    return hash;
  };
  return (request) => {
    const path = request.path.replace(/\/+$/, '');
    if (path === '/openapi/v2')
      return document(request, bytesOf('v2.json.gz'), hashOf('v2.json.gz'));
    if (path === '/openapi/v3') {
      const paths = Object.fromEntries(
        Object.entries(files()).map(([name, file]) => [
          name,
          { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(file)}` },
        ]),
      );
      return respond(200, { paths });
    }
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const name = path.slice('/openapi/v3/'.length);
    const file = Object.hasOwn(files(), name) ? files()[name] : undefined;
    if (file === undefined) return undefined;
    const asked = request.query.get('hash');
    const hash = hashOf(file);
    if (asked !== null && asked !== hash) {
      return {
        status: 301,
        headers: { location: `/openapi/v3/${name}?hash=${hash}` },
        body: Buffer.alloc(0),
      };
    }
    const answer = document(request, bytesOf(file), hash);
    // The hash names the content, so whoever asked by hash may keep it for good.
    if (asked === null) return answer;
    return { ...answer, headers: { ...answer.headers, 'cache-control': 'public, immutable' } };
  };
}

function document(request: ApiRequest, compressed: Buffer, hash: string): ApiResponse {
  const accept = request.headers['accept'] ?? '*/*';
  if (!/application\/json|\*\/\*|application\/\*/.test(accept)) {
    throw notAcceptable(
      `only the following media types are accepted: application/json${accept.includes(V2_PROTO) ? ` (not ${V2_PROTO})` : ''}`,
    );
  }
  const etag = `"${hash}"`;
  const headers = { 'content-type': 'application/json', etag, vary: 'Accept, Accept-Encoding' };
  if ((request.headers['if-none-match'] ?? '').includes(etag)) {
    return { status: 304, headers, body: Buffer.alloc(0) };
  }
  if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
    return { status: 200, headers: { ...headers, 'content-encoding': 'gzip' }, body: compressed };
  }
  return { status: 200, headers, body: [gunzipSync(compressed), NEWLINE] };
}
