import { type Clock, systemClock } from '../clock.ts';
import type { ApiRequest, ApiResponse } from '../http/exchange.ts';
import { mediaRanges, preferred } from './media-ranges.ts';
import { type Content, serveContent } from './serve-content.ts';
import {
  type ServedDocument,
  type StoredDocument,
  type StoredDocuments,
  storedDocuments,
} from './stored-documents.ts';

/** Serves OpenAPI documents to any method; undefined where nothing is at the path. */
export type OpenApi = (request: ApiRequest, added?: AddedDocuments) => ApiResponse | undefined;

/** What is served beside the stored documents, or in their place. */
export interface AddedDocuments {
  readonly v2: () => ServedDocument | undefined;
  readonly v3: () => ReadonlyMap<string, ServedDocument>;
}

interface OpenApiDeps {
  readonly documents: StoredDocuments;
  readonly now: () => Date;
  readonly startedAt: Date;
  readonly added: AddedDocuments;
}

const NOTHING_ADDED: AddedDocuments = { v2: () => undefined, v3: () => new Map() };

const JSON_TYPE = 'application/json';
// The names with "@" are older and no valid media types; answers never use them.
const V2_TYPES: readonly string[] = [
  JSON_TYPE,
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
];
const V3_TYPES: readonly string[] = [
  JSON_TYPE,
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
];
const V3_ROOT = '/openapi/v3';
const BY_ENCODING = { vary: 'Accept-Encoding, Accept' };
const BY_TYPE = { vary: 'Accept' };

/** Makes the handler of everything below `/openapi`; the time it is made is the documents' age. */
export function createOpenApi(folder: string, clock: Clock = systemClock): OpenApi {
  const documents = storedDocuments(folder);
  const startedAt = clock.now();
  return (request, added = NOTHING_ADDED) => {
    const deps: OpenApiDeps = { documents, now: clock.now, startedAt, added };
    // The transport lets nothing through that cannot be decoded.
    const path = decodeURIComponent(request.path);
    if (path === '/openapi/v2') return answerV2(deps, request);
    if (path === V3_ROOT) return answerIndex(deps, request);
    if (path.startsWith(`${V3_ROOT}/`)) {
      return answerV3(deps, request, path.slice(V3_ROOT.length + 1));
    }
    return undefined;
  };
}

function answerV2(deps: OpenApiDeps, request: ApiRequest): ApiResponse {
  const type = preferred(mediaRanges(accept(request)), V2_TYPES);
  if (type === undefined) return withoutBody(406, BY_ENCODING);
  const content = contentOf(deps, deps.added.v2() ?? deps.documents.v2(), {
    type,
    gzip: acceptsGzip(request),
  });
  return serveContent(request, { ...content, headers: BY_ENCODING });
}

/** Where each document is; its URL changes with its content, so that clients may keep it for good. */
function answerIndex({ documents, now, added }: OpenApiDeps, request: ApiRequest): ApiResponse {
  const extra = added.v3();
  const all = [...documents.v3(), ...extra];
  if (extra.size > 0) all.sort(([a], [b]) => (a < b ? -1 : 1));
  const paths = Object.fromEntries(
    all.map(([name, { hash }]) => [name, { serverRelativeURL: urlOf(name, hash) }]),
  );
  return serveContent(request, {
    // Upstream names no type, so Go guesses one; clients look at the content.
    type: 'text/plain; charset=utf-8',
    lastModified: now(),
    headers: {},
    read: () => Buffer.from(JSON.stringify({ paths })),
  });
}

function answerV3(deps: OpenApiDeps, request: ApiRequest, name: string): ApiResponse {
  const added = deps.added.v3().get(name);
  const document = deps.documents.v3().get(name) ?? added;
  if (document === undefined) return withoutBody(404, {});
  const ranges = mediaRanges(accept(request));
  // Upstream's answer to an Accept header without any media type in it.
  if (ranges.length === 0) return withoutBody(200, {});
  const type = preferred(ranges, document === added ? [JSON_TYPE] : V3_TYPES);
  if (type === undefined) return withoutBody(406, BY_TYPE);
  const gzip = acceptsGzip(request);
  const content = contentOf(deps, document, { type, gzip });
  const hash = request.query.get('hash') ?? '';
  if (hash !== '' && hash !== document.hash) {
    const location = urlOf(name, document.hash);
    return withoutBody(301, {
      'content-type': content.type,
      etag: content.etag,
      ...BY_TYPE,
      location,
    });
  }
  return serveContent(request, {
    ...content,
    headers: {
      ...(gzip ? BY_ENCODING : BY_TYPE),
      ...(hash === '' ? {} : keptForGood(deps.now())),
    },
  });
}

function contentOf(
  { documents, startedAt }: OpenApiDeps,
  document: StoredDocument | ServedDocument,
  { type, gzip }: { type: string; gzip: boolean },
): Omit<Content, 'headers'> & { etag: string } {
  const ending = type === JSON_TYPE ? 'json' : 'pb';
  return {
    type: type.replace('@', '.'),
    encoding: gzip ? 'gzip' : undefined,
    // That of the JSON for both encodings, as upstream has it.
    etag: `"${document.hash}"`,
    lastModified: startedAt,
    read: () =>
      'read' in document
        ? document.read({ ending, gzip })
        : documents.read(document, { ending, gzip }),
  };
}

function urlOf(name: string, hash: string): string {
  return `${V3_ROOT}/${name}?hash=${hash}`;
}

/** The hash names the content, so whoever asked by it never needs to ask again. */
function keptForGood(now: Date): Record<string, string> {
  const expires = new Date(now);
  expires.setUTCFullYear(now.getUTCFullYear() + 1);
  return { 'cache-control': 'public, immutable', expires: expires.toUTCString() };
}

function accept(request: ApiRequest): string {
  return request.headers['accept'] || '*/*';
}

function acceptsGzip(request: ApiRequest): boolean {
  return (request.headers['accept-encoding'] ?? '').split(',').some((clause) => {
    const [coding, ...parameters] = clause.split(';').map((part) => part.trim());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return coding?.toLowerCase() === 'gzip' && !isRefused;
  });
}

function withoutBody(status: number, headers: Readonly<Record<string, string>>): ApiResponse {
  return { status, headers, body: Buffer.alloc(0) };
}
