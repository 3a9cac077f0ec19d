import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Clock, systemClock } from '../clock.ts';
import { Call, type CallContext, type CallPeer, release } from './call.ts';
import { Deadlines } from './deadlines.ts';
import type { ApiResponse, Handle, Peer, Sink, StreamBody } from './exchange.ts';
import { defaultLimits } from './limits.ts';
import { isLongRunning } from './long-running.ts';
import { splitTarget } from './request-path.ts';
import { isStream, joined } from './response-body.ts';
import { bodyTooLarge } from './status-answer.ts';

/** A request made up by a test. */
export interface InjectedRequest {
  /** @default 'GET' */
  readonly method?: string;
  /** Path and query. */
  readonly path: string;
  /** Names in any case; an array stands for repeated header lines. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Objects are sent as JSON. */
  readonly body?: Buffer | string | object;
  readonly peer?: Peer;
  /** Aborting it is the client going away. */
  readonly signal?: AbortSignal;
  readonly report?: (error: unknown) => void;
  readonly clock?: Clock;
}

/** What came back. */
export interface InjectedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Empty when the answer is a stream. */
  readonly body: Buffer;
  readonly text: () => string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: () => any;
  /** Present when the answer is produced as it is sent. */
  readonly stream: InjectedStream | undefined;
  /** The whole body, streamed or not; waits for a stream's end. */
  readonly whole: () => Promise<Buffer>;
}

/** The reading end of a streamed answer. */
export interface InjectedStream extends AsyncIterable<Buffer> {
  /** The next chunk as it was written; undefined after the end. */
  readonly next: () => Promise<Buffer | undefined>;
  /** The client goes away. */
  readonly cancel: () => void;
  /** Whether the server broke the stream off. */
  readonly broken: () => boolean;
}

/** Sends one request through a handler without a socket, with the checks a real connection makes. */
export function inject(handle: Handle, request: InjectedRequest): Promise<InjectedResponse> {
  return new Promise((resolve) => {
    const { clock, report } = request;
    const context = callContext(handle, {
      ...(clock === undefined ? {} : { deadlines: new Deadlines(clock) }),
      ...(report === undefined ? {} : { report }),
    });
    new InjectedCall(context, request, resolve).begin();
  });
}

/** What a listener would give its requests, but for what is said. */
export function callContext(handle: Handle, differences: Partial<CallContext> = {}): CallContext {
  return {
    handle,
    limits: defaultLimits,
    deadlines: new Deadlines(systemClock),
    counts: { requests: 0, longRunning: 0 },
    isLongRunning,
    newAuditId: randomUUID,
    // Without a reporter of its own a test should fail loudly on our bugs.
    report: (error) => queueMicrotask(() => raise(error)),
    isDraining: () => false,
    onQuiet: () => {},
    ...differences,
  };
}

function raise(error: unknown): never {
  throw error;
}

class InjectedCall extends Call {
  readonly rawHeaders: readonly string[];
  private readonly sent: Buffer;
  private readonly resolve: (response: InjectedResponse) => void;

  constructor(
    context: CallContext,
    request: InjectedRequest,
    resolve: (response: InjectedResponse) => void,
  ) {
    const lines = Object.entries(request.headers ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    );
    const headers: Record<string, string | undefined> = {};
    for (const [name, value] of lines) {
      const key = name.toLowerCase();
      headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`;
    }
    const peer = request.peer ?? { address: '127.0.0.1' };
    const connection: CallPeer = { peer, enter: () => {}, leave: () => {} };
    super(context, connection, {
      method: request.method ?? 'GET',
      target: splitTarget(request.path),
      headers,
    });
    this.rawHeaders = lines.flat();
    this.sent = bytesOf(request.body);
    this.resolve = resolve;
    request.signal?.addEventListener('abort', () => this.finish(false), { once: true });
  }

  protected send(response: ApiResponse): void {
    const headers = {
      'audit-id': this.auditId,
      'cache-control': 'no-cache, private',
      ...response.headers,
    };
    const { body, status } = response;
    const headOnly = this.method === 'HEAD';
    if (!isStream(body)) {
      this.finish(true);
      this.resolve(answer({ status, headers, body: headOnly ? Buffer.alloc(0) : joined(body) }));
      return;
    }
    if (headOnly) {
      release(body);
      this.finish(true);
      this.resolve(answer({ status, headers, body: Buffer.alloc(0) }));
      return;
    }
    const queue = new ChunkQueue((complete) => this.finish(complete));
    this.signal.addEventListener('abort', () => queue.cancel(), { once: true });
    queue.begin(body);
    this.resolve(answer({ status, headers, body: Buffer.alloc(0) }, queue));
  }

  incoming(): Readable | undefined {
    return this.sent.length === 0 ? undefined : Readable.from([this.sent], { objectMode: false });
  }

  protected read(limit: number): Promise<Buffer> {
    if (this.sent.length > limit) return Promise.reject(bodyTooLarge(limit));
    return Promise.resolve(this.sent);
  }

  protected cut(): void {
    this.finish(false);
  }
}

function bytesOf(body: InjectedRequest['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function answer(
  parts: Pick<InjectedResponse, 'status' | 'headers' | 'body'>,
  queue?: ChunkQueue,
): InjectedResponse {
  return {
    ...parts,
    text: () => parts.body.toString(),
    json: () => JSON.parse(parts.body.toString()),
    stream: queue,
    whole: async () => {
      if (queue === undefined) return parts.body;
      const chunks: Buffer[] = [];
      for await (const chunk of queue) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** As much as a socket takes before it says that it is full. */
const HIGH_WATER_BYTES = 16 * 1024;

/** A sink whose other end is an async iterator. */
class ChunkQueue implements Sink, InjectedStream {
  readonly #onOver: (complete: boolean) => void;
  readonly #chunks: Buffer[] = [];
  #drained: (() => void)[] = [];
  #closed: (() => void)[] = [];
  #wake: (() => void) | undefined;
  #size = 0;
  #over = false;
  #broken = false;

  constructor(onOver: (complete: boolean) => void) {
    this.#onOver = onOver;
  }

  get buffered(): number {
    return this.#size;
  }

  begin(body: StreamBody): void {
    body.start(this);
  }

  write(chunk: Uint8Array): boolean {
    if (this.#over) return false;
    this.#chunks.push(Buffer.from(chunk));
    this.#size += chunk.length;
    this.#wake?.();
    return this.#size < HIGH_WATER_BYTES;
  }

  end(): void {
    this.#finish(true);
  }

  destroy(): void {
    this.#broken = true;
    this.#finish(false);
  }

  onDrain(listener: () => void): void {
    this.#drained.push(listener);
    // Nobody may be reading yet, and nothing may be left to read.
    if (this.#chunks.length === 0) queueMicrotask(() => this.#drain());
  }

  onClose(listener: () => void): void {
    if (this.#over) queueMicrotask(listener);
    else this.#closed.push(listener);
  }

  broken = (): boolean => this.#broken;

  cancel = (): void => this.#finish(false);

  next = async (): Promise<Buffer | undefined> => {
    while (this.#chunks.length === 0 && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const chunk = this.#chunks.shift();
    this.#size -= chunk?.length ?? 0;
    if (this.#chunks.length === 0) this.#drain();
    return chunk;
  };

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for (let chunk = await this.next(); chunk !== undefined; chunk = await this.next()) {
        yield chunk;
      }
    } finally {
      this.cancel();
    }
  }

  #drain(): void {
    const listeners = this.#drained;
    this.#drained = [];
    for (const listener of listeners) listener();
  }

  #finish(complete: boolean): void {
    if (this.#over) return;
    this.#over = true;
    const listeners = this.#closed;
    this.#closed = [];
    this.#onOver(complete);
    for (const listener of listeners) listener();
    this.#wake?.();
  }
}
