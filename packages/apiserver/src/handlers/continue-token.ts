import { badRequest } from '@flotilla/machinery';

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
    JSON.stringify({ v: VERSION, rv: token.rv, start: `${token.start}\u0000` }),
  ).toString('base64url');
}

/** Reads a token from an untrusted client; what it names can never lie outside the listing's own prefix. */
export function decodeContinue(text: string): ContinueToken {
  const fields = parse(text);
  if (fields.v !== VERSION) {
    throw badRequest(
      `continue key is not valid: server does not recognize this encoded version ${String(fields.v ?? '')}`,
    );
  }
  if (typeof fields.rv !== 'number' || !Number.isSafeInteger(fields.rv) || fields.rv === 0) {
    throw badRequest(
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  }
  if (typeof fields.start !== 'string' || fields.start === '') {
    throw badRequest(
      'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
  }
  const start = fields.start;
  if (start.split('/').some((part) => part === '' || part === '.' || part === '..')) {
    throw badRequest(`continue key is not valid: ${start}`);
  }
  return { rv: fields.rv, start: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}

function parse(text: string): { v?: unknown; rv?: unknown; start?: unknown } {
  if (text.length > MAX_TOKEN) throw badRequest('continue key is not valid: it is too long');
  const bad = text.search(/[^A-Za-z0-9_-]/);
  if (bad >= 0) {
    throw badRequest(`continue key is not valid: illegal base64 data at input byte ${bad}`);
  }
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Falls through: whatever it is, it is not a token of ours.
  }
  throw badRequest('continue key is not valid: invalid character in token');
}
