import type { WireHead } from '../transport.ts';

/** The server did not speak HTTP as it should; the text says where. */
export class MalformedAnswer extends Error {}

/** The head of an HTTP/1.1 answer, with what frames its body. */
export interface AnswerHead extends WireHead {
  readonly isHttp11: boolean;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const CONTROL = /[\0-\x08\x0a-\x1f\x7f]/;
const BEYOND_ASCII = /[\x80-\xff]/;
const SPACE = 0x20;

/** Reads a status line and headers, without the empty line that ends them. Strict: what is odd is refused. */
export function parseHead(bytes: Buffer): AnswerHead {
  let text = bytes.toString('latin1');
  // Go writes header values as they are; warnings may hold any text.
  if (BEYOND_ASCII.test(text)) text = bytes.toString('utf8');

  let end = text.indexOf('\r\n');
  const statusLine = end < 0 ? text : text.slice(0, end);
  const [, minor, status] = STATUS_LINE.exec(statusLine) ?? [];
  if (status === undefined || CONTROL.test(statusLine)) {
    throw new MalformedAnswer('it does not begin with an HTTP/1.1 status line');
  }
  const headers: Record<string, string> = {};
  const warnings: string[] = [];
  while (end >= 0) {
    const start = end + 2;
    end = text.indexOf('\r\n', start);
    const lineEnd = end < 0 ? text.length : end;
    const colon = text.indexOf(':', start);
    // A colon of a later line leaves a line break in the name, which is no proper one.
    const name = text.slice(start, Math.max(colon, start));
    if (!NAME.test(name)) throw new MalformedAnswer('it has a header without a proper name');
    // As nearly every server writes it, which saves a copy.
    const valueStart = text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
    const value = text.slice(valueStart, lineEnd).trim();
    if (CONTROL.test(value)) throw new MalformedAnswer('it has control characters in a header');
    addHeader({ headers, warnings }, name.toLowerCase(), value);
  }
  return { status: Number(status), isHttp11: minor === '1', headers, warnings };
}

/** Adds one header as `WireHead` has them. */
export function addHeader(
  head: { headers: Record<string, string>; warnings: string[] },
  name: string,
  value: string,
): void {
  if (name === 'warning') {
    head.warnings.push(value);
    return;
  }
  const { headers } = head;
  headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
}
