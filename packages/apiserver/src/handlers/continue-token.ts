import { badRequest, parseJson, type StatusError } from '@flotilla/machinery';

/** Where a paged list goes on: after `start`, at revision `rv`; -1 means "as it is now". */
export interface ContinueToken {
  readonly rv: number;
  /** Key of the last entry seen, relative to the prefix of the listing. */
  readonly start: string;
}

const VERSION = 'meta.k8s.io/v1';
const MAX_TOKEN = 4096;

/** Writes upstream's token, so that its shape surprises no client: base64url of {v, rv, start}. */
export function encodeContinue(token: ContinueToken): string {
  return Buffer.from(
    JSON.stringify({ v: VERSION, rv: token.rv, start: `/${token.start}\u0000` }),
  ).toString('base64url');
}

/** Reads a token from an untrusted client; what it names can never lie outside the listing's own prefix. */
export function decodeContinue(text: string): ContinueToken {
  const fields = parse(text);
  if (fields.v !== VERSION) {
    throw invalidToken(
      `: server does not recognize this encoded version ${String(fields.v ?? '')}`,
    );
  }
  if (typeof fields.rv !== 'number' || !Number.isSafeInteger(fields.rv) || fields.rv === 0) {
    throw invalidToken(`: incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof fields.start !== 'string' || fields.start === '') {
    throw invalidToken(`: encoded start key empty (version ${VERSION})`);
  }
  const start = fields.start.startsWith('/') ? fields.start.slice(1) : fields.start;
  if (start.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw invalidToken(`: ${fields.start}`);
  }
  return { rv: fields.rv, start: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}

function parse(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  if (text.length > MAX_TOKEN) throw invalidToken(': it is too long');
  const bad = text.search(/[^A-Za-z0-9_-]/);
  if (bad >= 0 || text.length % 4 === 1) {
    throw invalidToken(`: illegal base64 data at input byte ${bad >= 0 ? bad : text.length - 1}`);
  }
  try {
    const { value } = parseJson(Buffer.from(text, 'base64url'), { strict: false });
    if (value === null) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value;
  } catch (error) {
    throw invalidToken(`: ${error instanceof Error ? error.message : String(error)}`);
  }
  throw invalidToken(': json: cannot unmarshal into Go value of type storage.continueToken');
}

function invalidToken(detail: string): StatusError {
  return badRequest(`invalid continue token: continue key is not valid${detail}`);
}
