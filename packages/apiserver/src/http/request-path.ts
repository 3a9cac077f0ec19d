import type { StatusError } from '@flotilla/machinery';
import { malformedPath, nothingAtPath } from './status-answer.ts';

/** The two halves of a request target. */
export interface Target {
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNUSUAL = /[%\\\u0000-\u0020\u007f]|\/\/|\/\.{1,2}(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN_WHEN_DECODED = /[/\\\u0000-\u001f\u007f]/;

/** Splits a request target; the absolute form some proxies send loses its scheme and host. */
export function splitTarget(target: string): Target {
  let rest = target;
  if (!rest.startsWith('/')) {
    const authority = /^https?:\/\/[^/?#]*/i.exec(rest)?.[0];
    if (authority !== undefined) rest = rest.slice(authority.length) || '/';
  }
  const mark = rest.indexOf('?');
  return mark === -1
    ? { path: rest, search: '' }
    : { path: rest.slice(0, mark), search: rest.slice(mark + 1) };
}

/**
 * Refuses paths that mean one thing to a check and another to whoever decodes them later.
 *
 * Upstream decodes a path before it routes, so `%2F` there separates segments; no name may hold a
 * slash, so nothing that exists is addressed that way and it is simply not found. Empty and dot
 * segments match no route upstream either. A trailing slash is harmless and stays.
 */
export function pathProblem(path: string): StatusError | undefined {
  if (!path.startsWith('/')) return nothingAtPath();
  if (!UNUSUAL.test(path)) return undefined;
  if (path.includes('//')) return nothingAtPath();
  for (const segment of path.split('/')) {
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      return malformedPath(path);
    }
    if (decoded === '.' || decoded === '..') return nothingAtPath();
    if (FORBIDDEN_WHEN_DECODED.test(decoded)) return nothingAtPath();
  }
  return undefined;
}
