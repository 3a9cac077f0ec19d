import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Clock, systemClock } from '../clock.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import { mediaRanges, preferred } from './media-ranges.ts';
import { serveContent } from './serve-content.ts';

/** Serves the stored OpenAPI documents to any method; undefined where nothing is at the path. */
export type OpenApi = (request: ApiRequest) => ApiResponse | undefined;

/** Where a document is stored, without the ending, and the SHA-512 of its JSON. */
interface StoredDocument {
  readonly file: string;
  readonly hash: string;
}

interface Index {
  readonly v2: StoredDocument;
  readonly v3: Readonly<Record<string, StoredDocument>>;
}

const JSON_TYPE = 'application/json';
// Protobuf has an older name too, which is no valid media type; answers never use it.
const V2_TYPES = [
  JSON_TYPE,
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];
const V3_TYPES = [
  JSON_TYPE,
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
];
const V3_ROOT = '/openapi/v3';
const BY_ENCODING = 'Accept-Encoding, Accept';
const NOTHING = Buffer.alloc(0);

/** Documents stay on disk, compressed, and are read anew for each answer: together they are 5 MB. */
export function createOpenApi(folder: string, clock: Clock = systemClock): OpenApi {
  const lastModified = clock.now();
  let loaded: Index | undefined;
  const index = (): Index => {
    loaded ??= JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as Index;
    return loaded;
  };
  const send: SendDocument = (request, { file, hash }, { type, headers }) => {
    const stored = `${file}.${type === JSON_TYPE ? 'json' : 'pb'}.gz`;
    const gzip = acceptsGzip(request);
    return serveContent(request, {
      type: type.replace('@', '.'),
      encoding: gzip ? 'gzip' : undefined,
      // The JSON's, for both forms: they are told apart by Vary.
      etag: `"${hash}"`,
      lastModified,
      headers: gzip ? { ...headers, vary: BY_ENCODING } : headers,
      read: () => {
        const bytes = readFileSync(join(folder, stored));
        return gzip ? bytes : gunzipSync(bytes);
      },
    });
  };
  return (request) => {
    const path = decoded(request.path);
    if (path === '/openapi/v2') return answerV2(request, index().v2, send);
    if (path === V3_ROOT) return answerIndex(request, index().v3, clock.now());
    if (!path.startsWith(`${V3_ROOT}/`)) return undefined;
    const name = path.slice(V3_ROOT.length + 1);
    const document = Object.hasOwn(index().v3, name) ? index().v3[name] : undefined;
    if (document === undefined) return { status: 404, headers: {}, body: NOTHING };
  };
}
