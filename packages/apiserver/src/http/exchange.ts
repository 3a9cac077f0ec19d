/** Requests and responses as plain data, between the socket (or `inject`) and the handlers. */
import type { Readable } from 'node:stream';

/** What the transport knows of the caller before anyone has judged it. */
export interface Peer {
  readonly address: string;
  /** DER of the client certificate, when one was presented; not yet verified. */
  readonly certificate?: Buffer;
  /** The issuers the client sent along, DER, nearest first. */
  readonly certificateChain?: readonly Buffer[];
}

/**
 * One request, read up to its body.
 *
 * Query, signal and body are made when first asked for, so a request must not be copied by
 * spreading; `withPath` gives the same request under another path.
 */
export interface ApiRequest {
  readonly method: string;
  /** The path as sent, still percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names; repeated headers joined with a comma, as node:http does. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Every header line as sent, name and value by turns, for values that may hold a comma themselves. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly peer: Peer;
  /** Aborted when the client goes away or the server gives up on the request. */
  readonly signal: AbortSignal;
  /** Reads the body, refusing more than `limit` bytes with 413. Empty when there is none. */
  readonly body: (limit: number) => Promise<Buffer>;
  /** The body as it arrives, for whoever passes it on, instead of `body`. Undefined when there is none. */
  readonly incoming: () => Readable | undefined;
}

/** Where a streaming answer writes; the transport implements it. */
export interface Sink {
  /** Queues bytes; false means the client reads slower than we write: wait for `onDrain`. */
  write(chunk: Uint8Array): boolean;
  end(): void;
  /** Bytes queued but not yet handed to the socket. */
  readonly buffered: number;
  /** Breaks the connection off: the client lags too far behind. */
  destroy(): void;
  /** Calls back once, when the queue has emptied after `write` said false. */
  onDrain(listener: () => void): void;
  /** Called once when the client is gone or the stream has ended. */
  onClose(listener: () => void): void;
}

/** A body that is produced as it is sent: watches, long lists, logs. */
export interface StreamBody {
  readonly start: (sink: Sink) => void;
}

/** One answer. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer | readonly Buffer[] | StreamBody;
}

/** Anything that answers requests: the whole pipeline, or one stage of it. */
export type Handle = (request: ApiRequest) => Promise<ApiResponse>;

/** Answers a request itself or has `next` do it: for whoever counts requests, or wants them to go wrong. */
export type Around = (request: ApiRequest, next: Handle) => Promise<ApiResponse>;
