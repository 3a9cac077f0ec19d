import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock } from '@flotilla/machinery';
import type { WireHead } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import { addHeader } from './answer-head.ts';
import type { StreamSource } from './answer-stream.ts';
import { seconds } from './deadline.ts';
import type { Identity } from './identity.ts';
import type { TransportLimits } from './limits.ts';
import type { HeaderPair } from './request-head.ts';
import { stateOf } from './socket-fault.ts';
import { isTlsFault, tlsFault } from './tls-fault.ts';

/** One unread watch may hold this much; others go on. */
export const STREAM_WINDOW = 2 * 1024 * 1024;
/** The largest there is: streams are bounded one by one, their sum must never stall one of them. */
export const SESSION_WINDOW = 2 ** 31 - 1;
const MOST_STREAMS = 1000;
const REFUSED_STREAM = 7;
const CANCEL = 8;
/** For what is still to be sent, and for the peer to close. */
const CLOSE_MS = 500;

/** A request over HTTP/2. */
export interface H2Message {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | string | undefined;
  /** `get "https://…/api"`, for texts. */
  readonly what: string;
}

/** Hears how a stream goes; after onEnd or onFail it hears nothing. */
export interface H2Sink {
  readonly onHead: (head: WireHead, isEmpty: boolean) => void;
  readonly onBody: (chunk: Buffer) => void;
  readonly onEnd: () => void;
  readonly onFail: (error: TransportError) => void;
}

/** What a session knows of where it belongs. */
export interface H2Home {
  readonly url: string;
  readonly clock: Clock;
  readonly limits: TransportLimits;
  readonly onGone: (session: H2Session) => void;
}

/** A connection on which HTTP/2 was agreed on. */
export interface H2Connection {
  readonly session: ClientHttp2Session;
  readonly socket: Socket;
}

/** One HTTP/2 connection for many watches. */
export class H2Session {
  readonly identity: Identity;
  readonly #session: ClientHttp2Session;
  readonly #socket: Socket;
  readonly #home: H2Home;
  readonly #streams = new Set<ClientHttp2Stream>();
  #begun = 0;
  #reserved = 0;
  #heardAt: number;
  #isDraining = false;
  #lastProcessed = Number.POSITIVE_INFINITY;
  #death: TransportError | undefined;
  #error: unknown;
  #timer: Disposable | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';
  /** Told when nothing is left of it. */
  readonly #waiting: (() => void)[] = [];

  constructor({ session, socket }: H2Connection, identity: Identity, home: H2Home) {
    this.#session = session;
    this.#socket = socket;
    this.identity = identity;
    this.#home = home;
    this.#heardAt = home.clock.now();
    session.setLocalWindowSize(SESSION_WINDOW);
    session.on('error', (error) => {
      this.#error ??= error;
    });
    session.on('goaway', (_code: number, lastStreamId: number) => {
      this.#isDraining = true;
      this.#lastProcessed = Math.min(this.#lastProcessed, lastStreamId);
      if (this.#streams.size === 0) this.destroy();
    });
    session.once('close', this.#end);
    socket.once('close', this.#end);
    this.#becomeIdle();
  }

  /** Whether one more stream may begin here. */
  get hasRoom(): boolean {
    const told = this.#session.remoteSettings.maxConcurrentStreams ?? MOST_STREAMS;
    return this.isOpen && this.#streams.size + this.#reserved < Math.min(told, MOST_STREAMS);
  }

  get isOpen(): boolean {
    return !this.#isDraining && !this.#session.closed && !this.#session.destroyed;
  }

  /** It has carried a stream before, so that its server may have closed it since. */
  get isReused(): boolean {
    return this.#begun > 1;
  }

  /** Takes no more streams, and ends with its last. */
  drain(): void {
    this.#isDraining = true;
    if (this.#streams.size === 0) this.destroy();
  }

  /** Ends all of it now. */
  destroy(death?: TransportError): void {
    this.#death ??= death;
    if (this.#state !== 'open') return;
    this.#state = 'closing';
    this.#session.destroy();
    // A destroyed session waits for its peer to close, or for a write to end, and a dead peer lets neither happen.
    this.#restart(CLOSE_MS, () => this.#socket.destroy());
  }

  /** Ends all of it now, and then itself. */
  close(death: TransportError): Promise<void> {
    if (this.#state === 'closed') return Promise.resolve();
    // Whoever waits for the end needs a process that lives until then.
    this.#socket.ref();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.destroy(death);
    });
  }

  readonly #end = (): void => {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    this.#timer?.[Symbol.dispose]();
    // A session does not always notice that its socket is gone, and then its streams would have no end.
    this.#session.destroy();
    this.#home.onGone(this);
    for (const resolve of this.#waiting) resolve();
  };

  /** Keeps room for one stream until it begins or is given up. */
  reserve(): void {
    this.#reserved += 1;
  }

  /** Gives up what was reserved. */
  release(): void {
    this.#reserved -= 1;
  }

  /** Sends a request in the room that was reserved; the sink hears the answer. */
  begin(message: H2Message, sink: H2Sink): StreamSource {
    this.release();
    const stream = this.#request(message);
    if (message.body !== undefined) stream.end(message.body);
    this.#begun += 1;
    if (this.#streams.size === 0) this.#becomeBusy();
    this.#streams.add(stream);

    let isOver = false;
    stream.on('response', (_headers, flags, ...others: unknown[]) => {
      this.#heardAt = this.#home.clock.now();
      const head = readHead((others[0] ?? []) as string[]);
      if (!isOver) sink.onHead(head, (flags & 1) === 1);
    });
    stream.on('data', (chunk: Buffer) => {
      this.#heardAt = this.#home.clock.now();
      if (!isOver) sink.onBody(chunk);
    });
    stream.on('error', (error) => {
      this.#error ??= isSessionError(error) ? error : undefined;
    });
    // `end` comes for cut streams, too; the code they closed with tells them apart.
    stream.on('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#becomeIdle();
      if (isOver) return;
      isOver = true;
      if (stream.rstCode === 0 && this.#death === undefined) sink.onEnd();
      else sink.onFail(this.#failure(stream, message.what));
    });
    return {
      pause: () => void stream.pause(),
      resume: () => void stream.resume(),
      cancel: () => {
        isOver = true;
        stream.close(CANCEL);
        // A stream that nobody reads would never end.
        stream.resume();
      },
    };
  }

  #request({ headers, body, what }: H2Message): ClientHttp2Stream {
    try {
      return this.#session.request(headers as Record<string, string | string[]>, {
        endStream: body === undefined,
      });
    } catch (error) {
      // It was closed since there was room on it.
      throw new TransportError('closed', `Cannot ${what}: the connection was closed before`, {
        cause: error,
        wasNotSent: true,
      });
    }
  }

  #failure(stream: ClientHttp2Stream, what: string): TransportError {
    const id = stream.id;
    const wasNotSent =
      id === undefined || stream.rstCode === REFUSED_STREAM || id > this.#lastProcessed;
    if (this.#death !== undefined) {
      const { fault, message } = this.#death;
      return new TransportError(fault, message, { cause: this.#death.cause, wasNotSent });
    }
    if (this.#error !== undefined && isTlsFault(this.#error)) {
      return tlsFault(this.#error, {
        url: this.#home.url,
        name: '',
        hasClientCertificate: this.identity.certificate !== undefined,
        now: this.#home.clock.now(),
      });
    }
    const state =
      this.#error !== undefined
        ? `the connection broke (${stateOf(this.#error)})`
        : this.#session.destroyed
          ? 'the server closed the connection'
          : `the server ended the stream with HTTP/2 error ${stream.rstCode}`;
    return new TransportError('closed', `Cannot ${what}: ${state}`, {
      cause: this.#error,
      wasNotSent,
    });
  }

  #becomeBusy(): void {
    this.#session.ref();
    this.#restart(this.#home.limits.pingAfterMs, this.#checkSilence);
  }

  #becomeIdle(): void {
    if (this.#isDraining || this.#session.destroyed) {
      this.destroy();
      return;
    }
    // An idle connection keeps no process alive.
    this.#session.unref();
    this.#restart(this.#home.limits.idleConnectionMs, () => this.destroy());
  }

  /** Asks whether the server is there when it has been quiet: a connection may be dead without a sign. */
  readonly #checkSilence = (): void => {
    const { clock, limits, url } = this.#home;
    const quietMs = clock.now() - this.#heardAt;
    if (quietMs < limits.pingAfterMs) {
      this.#restart(limits.pingAfterMs - quietMs, this.#checkSilence);
      return;
    }
    this.#restart(limits.pingWithinMs, () =>
      this.destroy(
        new TransportError(
          'timeout',
          `Cannot hear from "${url}": no answer to a ping within ${seconds(limits.pingWithinMs)}, the connection is dead`,
        ),
      ),
    );
    if (this.#session.destroyed) return;
    this.#session.ping((error) => {
      if (error !== null || this.#session.destroyed || this.#streams.size === 0) return;
      this.#heardAt = clock.now();
      this.#restart(limits.pingAfterMs, this.#checkSilence);
    });
  };

  #restart(ms: number, run: () => void): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#home.clock.later(ms, run);
  }
}

/** From name and value by turns, as they came. */
function readHead(raw: readonly string[]): WireHead {
  const headers: Record<string, string> = {};
  const warnings: string[] = [];
  let status = 0;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = raw[at] ?? '';
    const value = raw[at + 1] ?? '';
    if (name === ':status') status = Number(value);
    else if (!name.startsWith(':')) addHeader({ headers, warnings }, name, utf8(value));
  }
  return { status, headers, warnings };
}

function utf8(value: string): string {
  return /[\x80-\xff]/.test(value) ? Buffer.from(value, 'latin1').toString('utf8') : value;
}

function isSessionError(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== 'ERR_HTTP2_STREAM_ERROR' && code !== 'ERR_HTTP2_STREAM_CANCEL';
}

/** Headers as node:http2 takes them; a repeated one becomes a list. */
export function h2Headers(pairs: readonly HeaderPair[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of pairs) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}
