import type { ApiRequest, ApiResponse } from '../http/exchange.ts';

/** Something that can be sent, or found to be known already. */
export interface Content {
  readonly type: string;
  /** The content coding of what `read` gives, where it has one. */
  readonly encoding?: string | undefined;
  /** Quoted. */
  readonly etag?: string;
  readonly lastModified: Date;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Gives the bytes; not called for an answer without any. */
  readonly read: () => Buffer;
}

const NOTHING = Buffer.alloc(0);

/**
 * Answers a request of any method as Go's http.ServeContent does, conditional requests included.
 * Ranges are ignored, which HTTP allows.
 */
export function serveContent(request: ApiRequest, content: Content): ApiResponse {
  const verdict = judge(request, content);
  const modified = { 'last-modified': content.lastModified.toUTCString() };
  const tag = content.etag === undefined ? undefined : { etag: content.etag };
  if (verdict === 'known') {
    return { status: 304, headers: { ...content.headers, ...(tag ?? modified) }, body: NOTHING };
  }
  const headers = { ...content.headers, 'content-type': content.type, ...tag, ...modified };
  if (verdict === 'refused') return { status: 412, headers, body: NOTHING };
  const { encoding } = content;
  const coded = encoding === undefined ? undefined : { 'content-encoding': encoding };
  return { status: 200, headers: { ...headers, ...coded }, body: content.read() };
}

/** The preconditions in the order of RFC 9110, section 13.2.2: where there is a tag, no time counts. */
function judge({ method, headers }: ApiRequest, content: Content): 'wanted' | 'known' | 'refused' {
  const isRead = method === 'GET' || method === 'HEAD';
  // Headers tell whole seconds.
  const modified = Math.floor(content.lastModified.getTime() / 1000) * 1000;
  const match = headers['if-match'];
  const before = parseTime(headers['if-unmodified-since']);
  const isOther = match === undefined ? modified > before : !names(match, content.etag);
  if (isOther) return 'refused';
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined) {
    if (!names(noneMatch.replaceAll('W/"', '"'), content.etag)) return 'wanted';
    return isRead ? 'known' : 'refused';
  }
  return isRead && modified <= parseTime(headers['if-modified-since']) ? 'known' : 'wanted';
}

function names(header: string, etag: string | undefined): boolean {
  const tags = header.split(',').map((tag) => tag.trim());
  return tags[0] === '*' || (etag !== undefined && tags.includes(etag));
}

/** NaN, which is neither before nor after anything, where there is no time. */
function parseTime(header: string | undefined): number {
  return header === undefined ? Number.NaN : Date.parse(header);
}
