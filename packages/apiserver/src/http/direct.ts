import { Readable } from 'node:stream';
import { Call, type CallContext, release } from './call.ts';
import type { ApiResponse, Peer, Sink } from './exchange.ts';
import { NO_BODY } from './request-body.ts';
import { splitTarget } from './request-path.ts';
import { isStream, joined } from './response-body.ts';
import { bodyTooLarge } from './status-answer.ts';

/** A request from within the server's own process. */
export interface DirectRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Lower-case names, each line by itself. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Buffer | string | undefined;
}

/** Hears how an answer goes, from a later turn of the event loop on. What it is given is not its to change. */
export interface DirectReader {
  readonly onHead: (status: number, headers: ApiResponse['headers']) => void;
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  /** There will be no answer, or no more of it: the server stops, or its reader is too slow. */
  readonly onGone: () => void;
}

/** The reader's hold on an answer. */
export interface DirectSource {
  /** Asks the answer to wait; what it has written already still comes. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The reader goes away, and hears nothing more. */
  readonly cancel: () => void;
}

/** Asks the server without a socket. */
export type AskDirectly = (request: DirectRequest, reader: DirectReader) => DirectSource;

/**
 * Lets whoever is in the same process ask without TLS and HTTP, which cost more than a small read itself. Everything
 * behind them is the same: who asks is authenticated, authorized and admitted like any other.
 */
export function createDirect(context: CallContext): {
  readonly ask: AskDirectly;
  /** Breaks off what is under way. */
  readonly close: () => void;
} {
  const calls = new Set<DirectCall>();
  let isClosed = false;
  return {
    ask: (request, reader) => {
      if (isClosed || context.isDraining()) return turnedAway(reader);
      const call = new DirectCall(context, { request, reader, leave: () => calls.delete(call) });
      calls.add(call);
      call.begin();
      return call;
    },
    close: () => {
      isClosed = true;
      for (const call of calls) call.refuse();
    },
  };
}

/** Whoever comes when the server stops. */
function turnedAway({ onGone }: DirectReader): DirectSource {
  const telling = setImmediate(onGone);
  return { pause: () => {}, resume: () => {}, cancel: () => clearImmediate(telling) };
}

const HERE: Peer = { address: '127.0.0.1' };

interface DirectParts {
  readonly request: DirectRequest;
  readonly reader: DirectReader;
  readonly leave: () => void;
}

class DirectCall extends Call implements DirectSource {
  readonly rawHeaders: readonly string[];
  private readonly sent: DirectRequest['body'];
  private readonly reader: DirectReader;
  private sink: DirectSink | undefined;
  private isGone = false;

  constructor(context: CallContext, { request, reader, leave }: DirectParts) {
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of request.headers) {
      headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
    }
    const connection = { peer: HERE, enter: () => {}, leave };
    const { method, path, body } = request;
    super(context, connection, { method, target: splitTarget(path), headers });
    this.rawHeaders = request.headers.flat();
    this.sent = body;
    this.reader = reader;
  }

  readonly pause = (): void => this.sink?.pause();

  readonly resume = (): void => this.sink?.resume();

  readonly cancel = (): void => {
    this.isGone = true;
    this.finish(false);
    this.sink?.close();
  };

  /** The server has no answer, or no more of it. */
  refuse(): void {
    if (this.isGone) return;
    this.cancel();
    this.reader.onGone();
  }

  incoming(): Readable | undefined {
    return this.sent === undefined || this.sent.length === 0
      ? undefined
      : Readable.from([this.bytes()], { objectMode: false });
  }

  protected send(response: ApiResponse): void {
    const headers = { 'audit-id': this.auditId, ...response.headers };
    const { body, status } = response;
    // Answers to writes come from a turn of their own; reads would never let anybody else have one.
    const isRead = this.method === 'GET' || this.method === 'HEAD';
    const tell = isRead ? together : atOnce;
    if (isStream(body) && this.method !== 'HEAD') {
      tell(() => {
        if (this.isGone) release(body);
        else this.stream(status, headers, body);
      });
      return;
    }
    if (isStream(body)) release(body);
    const bytes = isStream(body) || this.method === 'HEAD' ? undefined : joined(body);
    tell(() => {
      if (this.isGone) return;
      this.isGone = true;
      this.finish(true);
      this.reader.onHead(status, headers);
      if (bytes !== undefined && bytes.length > 0) this.reader.onBody(bytes);
      this.reader.onEnd();
    });
  }

  protected read(limit: number): Promise<Buffer> {
    if (this.sent === undefined) return NO_BODY;
    const bytes = this.bytes();
    return bytes.length > limit ? Promise.reject(bodyTooLarge(limit)) : Promise.resolve(bytes);
  }

  protected cut(): void {
    this.refuse();
  }

  private stream(
    status: number,
    headers: ApiResponse['headers'],
    body: { readonly start: (sink: Sink) => void },
  ): void {
    const { reader } = this;
    this.sink = new DirectSink({
      onBody: reader.onBody,
      onEnd: () => {
        this.isGone = true;
        this.finish(true);
        reader.onEnd();
      },
      onBroken: () => this.refuse(),
    });
    reader.onHead(status, headers);
    body.start(this.sink);
  }

  private bytes(): Buffer {
    return typeof this.sent === 'string' ? Buffer.from(this.sent) : (this.sent ?? Buffer.alloc(0));
  }
}

/** Answers that are told together, once this turn of the event loop is over. */
let leaving: (() => void)[] = [];

function together(tell: () => void): void {
  if (leaving.push(tell) === 1) setImmediate(tellLeaving);
}

function atOnce(tell: () => void): void {
  tell();
}

function tellLeaving(): void {
  const all = leaving;
  leaving = [];
  for (const tell of all) tell();
}

interface SinkReader {
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onBroken: () => void;
}

/** Where a streaming answer writes for a reader in the same process. */
class DirectSink implements Sink {
  readonly #to: SinkReader;
  #drained: (() => void)[] = [];
  #closed: (() => void)[] = [];
  #isPaused = false;
  #isOver = false;
  /** What the reader got since it asked for a pause. */
  #ahead = 0;

  constructor(to: SinkReader) {
    this.#to = to;
  }

  get buffered(): number {
    return this.#ahead;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isOver) return false;
    if (this.#isPaused) this.#ahead += chunk.length;
    this.#to.onBody(
      Buffer.isBuffer(chunk)
        ? chunk
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
    );
    return !this.#isPaused;
  }

  end(): void {
    if (this.#isOver) return;
    this.close();
    this.#to.onEnd();
  }

  destroy(): void {
    if (!this.#isOver) this.#to.onBroken();
  }

  onDrain(listener: () => void): void {
    if (this.#isPaused) this.#drained.push(listener);
    else queueMicrotask(listener);
  }

  onClose(listener: () => void): void {
    if (this.#isOver) queueMicrotask(listener);
    else this.#closed.push(listener);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#ahead = 0;
    const listeners = this.#drained;
    this.#drained = [];
    for (const listener of listeners) listener();
  }

  /** Nobody reads it any more, or it is complete. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const listeners = this.#closed;
    this.#closed = [];
    this.#drained = [];
    for (const listener of listeners) listener();
  }
}
