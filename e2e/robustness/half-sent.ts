import type { Target } from './client.ts';

/** An HTTP/1.1 request in two parts, so that a test decides when the server has all of it. */
export function halfSent(
  target: Target,
  request: string,
  body: object,
): { readonly first: string; readonly rest: string } {
  const text = JSON.stringify(body);
  const head = [
    `${request} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Bearer ${target.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    '',
    '',
  ].join('\r\n');
  return { first: head + text.slice(0, -1), rest: text.slice(-1) };
}
