import type { ApiRequest } from '../http/exchange.ts';

/** Every value of a header, by its lower-case name. A joined header cannot be told from one whose value holds a comma. */
export function headerValues(request: ApiRequest, name: string): string[] {
  const { rawHeaders } = request;
  if (rawHeaders === undefined) {
    const joined = request.headers[name];
    return joined === undefined ? [] : joined.split(',').map((value) => value.trim());
  }
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '');
  }
  return values;
}
