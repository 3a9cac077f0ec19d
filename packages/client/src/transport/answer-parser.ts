import { type AnswerHead, MalformedAnswer, parseHead } from './answer-head.ts';

/** Hears what a parser finds, in its order. */
export interface AnswerSink {
  readonly onHead: (head: AnswerHead) => void;
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
}

/** What a parser must know of the request. */
export interface AnswerParserOptions {
  readonly sink: AnswerSink;
  readonly isHeadRequest: boolean;
  /** Then 101 ends the answer, and `rest` is the new protocol's. */
  readonly isUpgrade: boolean;
  readonly headBytes: number;
}

const HEAD = 0;
const COUNTED = 1;
const UNTIL_CLOSE = 2;
const CHUNK_SIZE = 3;
const CHUNK = 4;
const CHUNK_END = 5;
const TRAILERS = 6;
const DONE = 7;

const LINE_BYTES = 8192;
const MOST_INTERIM = 20;
const CHUNK_LINE = /^([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?$/;
const LENGTH = /^\d{1,15}$/;
const EMPTY = Buffer.alloc(0);

/**
 * Reads one HTTP/1.1 answer from bytes that come in any pieces. Strict where leniency would let two
 * readers disagree on where an answer ends: line ends are CRLF, and a body has one length.
 */
export class AnswerParser {
  /** The answer is whole and the connection may carry another request. */
  isReusable = false;
  /** Bytes after the answer. */
  rest: Buffer = EMPTY;
  readonly #options: AnswerParserOptions;
  #state = HEAD;
  /** Of a head that did not come in one piece. */
  #pending = EMPTY;
  #pendingLength = 0;
  #line = '';
  #trailerBytes = 0;
  #left = 0;
  #interim = 0;
  #staysOpen = false;

  constructor(options: AnswerParserOptions) {
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#state === DONE;
  }

  /** Takes the next bytes. */
  feed(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && this.#state !== DONE) {
      if (this.#state === HEAD) at = this.#readHead(chunk, at);
      else if (this.#state === UNTIL_CLOSE) {
        this.#options.sink.onBody(at === 0 ? chunk : chunk.subarray(at));
        return;
      } else if (this.#state === COUNTED || this.#state === CHUNK) at = this.#readBody(chunk, at);
      else at = this.#readLine(chunk, at);
    }
    if (at < chunk.length) {
      const more = chunk.subarray(at);
      this.rest = this.rest.length === 0 ? more : Buffer.concat([this.rest, more]);
      // Nobody asked for more: whatever it is, the next answer does not begin with it.
      this.isReusable = false;
    }
  }

  /** The server sends no more. Throws unless the answer is whole. */
  close(): void {
    if (this.#state === DONE) return;
    if (this.#state === UNTIL_CLOSE) {
      this.#finish();
      return;
    }
    throw new MalformedAnswer('the connection was closed in the middle of it');
  }

  #readHead(chunk: Buffer, at: number): number {
    const fresh = chunk.subarray(at);
    let bytes = fresh;
    let from = 0;
    if (this.#pendingLength > 0) {
      from = Math.max(0, this.#pendingLength - 3);
      bytes = this.#gather(fresh);
    }
    const end = bytes.indexOf('\r\n\r\n', from, 'latin1');
    const length = end < 0 ? bytes.length : end;
    if (length > this.#options.headBytes) {
      throw new MalformedAnswer(`its headers are longer than ${this.#options.headBytes} bytes`);
    }
    if (end < 0) {
      if (this.#pendingLength === 0) this.#gather(fresh);
      // Fails at once when this is no HTTP, rather than waiting for an empty line that never comes.
      if (!'HTTP/1.'.startsWith(bytes.toString('latin1', 0, 7))) {
        throw new MalformedAnswer('it does not begin with an HTTP/1.1 status line');
      }
      return chunk.length;
    }
    const used = end + 4 - (bytes.length - fresh.length);
    const head = parseHead(bytes.subarray(0, end));
    this.#pending = EMPTY;
    this.#pendingLength = 0;
    this.#begin(head);
    return at + used;
  }

  /** Doubles its room, so that a head in a thousand pieces is not copied a thousand times. */
  #gather(fresh: Buffer): Buffer {
    const length = this.#pendingLength + fresh.length;
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(1024, length * 2));
      this.#pending.copy(larger, 0, 0, this.#pendingLength);
      this.#pending = larger;
    }
    fresh.copy(this.#pending, this.#pendingLength);
    this.#pendingLength = length;
    return this.#pending.subarray(0, length);
  }

  #begin(head: AnswerHead): void {
    const { status, headers } = head;
    const { sink, isHeadRequest, isUpgrade } = this.#options;
    if (status === 101 && isUpgrade) {
      sink.onHead(head);
      this.#finish();
      return;
    }
    if (status < 200) {
      this.#interim += 1;
      if (status === 101 || this.#interim > MOST_INTERIM) {
        throw new MalformedAnswer(`it answers ${status}, which nobody asked for`);
      }
      return;
    }
    this.#staysOpen =
      head.isHttp11 && !/(?:^|,)\s*close\s*(?:,|$)/i.test(headers['connection'] ?? '');
    const hasBody = !isHeadRequest && status !== 204 && status !== 304;
    const { state, length } = framing(head);
    sink.onHead(head);
    if (!hasBody || (state === COUNTED && length === 0)) this.#finish();
    else {
      this.#state = state;
      this.#left = length;
    }
  }

  #readBody(chunk: Buffer, at: number): number {
    const end = Math.min(chunk.length, at + this.#left);
    this.#left -= end - at;
    this.#options.sink.onBody(chunk.subarray(at, end));
    if (this.#left === 0) {
      if (this.#state === CHUNK) this.#state = CHUNK_END;
      else this.#finish();
    }
    return end;
  }

  /** What is between the pieces of a chunked body: sizes, line ends, trailers. */
  #readLine(chunk: Buffer, at: number): number {
    const newline = chunk.indexOf(10, at);
    const end = newline < 0 ? chunk.length : newline + 1;
    if (end - at + this.#line.length > LINE_BYTES) {
      throw new MalformedAnswer('it has an endless line between the chunks of its body');
    }
    this.#line += chunk.toString('latin1', at, end);
    if (newline < 0) return end;
    const line = this.#line;
    this.#line = '';
    if (!line.endsWith('\r\n'))
      throw new MalformedAnswer('it has a line that does not end in CRLF');
    this.#take(line.slice(0, -2));
    return end;
  }

  #take(line: string): void {
    if (this.#state === CHUNK_END) {
      if (line !== '') throw new MalformedAnswer('a chunk of its body is longer than it said');
      this.#state = CHUNK_SIZE;
    } else if (this.#state === CHUNK_SIZE) {
      const [, size] = CHUNK_LINE.exec(line) ?? [];
      if (size === undefined) throw new MalformedAnswer('a chunk of its body has no proper size');
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? TRAILERS : CHUNK;
    } else if (line === '') this.#finish();
    else {
      this.#trailerBytes += line.length;
      if (this.#trailerBytes > this.#options.headBytes) {
        throw new MalformedAnswer('its trailers never end');
      }
    }
  }

  #finish(): void {
    this.isReusable = this.#staysOpen && this.#state !== UNTIL_CLOSE;
    this.#state = DONE;
    this.#options.sink.onEnd();
  }
}

/** How long the body is, as the headers say; both ways at once is an attack or a mistake. */
function framing({ headers, isHttp11 }: AnswerHead): { state: number; length: number } {
  const coding = headers['transfer-encoding'];
  const length = headers['content-length'];
  if (coding !== undefined) {
    if (length !== undefined || !isHttp11 || coding.toLowerCase() !== 'chunked') {
      throw new MalformedAnswer('its headers do not say how long its body is');
    }
    return { state: CHUNK_SIZE, length: 0 };
  }
  if (length === undefined) return { state: UNTIL_CLOSE, length: 0 };
  const [first = '', ...others] = length.split(', ');
  if (!LENGTH.test(first) || others.some((other) => other !== first)) {
    throw new MalformedAnswer('its content-length is no number');
  }
  return { state: COUNTED, length: Number(first) };
}
