import type { Duplex } from 'node:stream';

/** One request to an API server, on the wire's own terms. */
export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';
  /** Path with query, from the server's root on: `/api/v1/pods?limit=5`. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeouts?: Timeouts;
  /** Refuses longer answers. @default 512 MiB for a whole answer, none for a stream */
  readonly maxBytes?: number;
}

/** Bounds on waiting; each is the transport's default unless said. */
export interface Timeouts {
  /** Until a connection stands, TLS included. @default 10,000 */
  readonly connectMs?: number;
  /** Until the whole answer is there; of a stream, until its headers are. 0 waits for ever. @default 60,000 */
  readonly totalMs?: number;
  /** Of a stream: longest silence. 0 waits for ever. @default 0 */
  readonly idleMs?: number;
}

/** An answer as it begins: the same for whole answers and streams. */
export interface WireHead {
  readonly status: number;
  /** Lower-case names; repeated ones joined by `, `, except warnings. */
  readonly headers: Readonly<Record<string, string>>;
  /** Each Warning header by itself. */
  readonly warnings: readonly string[];
}

/** A whole answer. */
export interface WireResponse extends WireHead {
  readonly body: Buffer;
}

/** An answer whose body arrives over time; leaving the loop early ends it. */
export interface WireStream extends WireHead, AsyncIterable<Buffer> {
  readonly close: () => void;
}

/** Carries requests to one API server as one user: connections, credentials, time limits, retries of the safe kind. */
export interface Transport extends AsyncDisposable {
  /** Any status is an answer; only what kept the server from answering is thrown, as TransportError. */
  readonly send: (request: WireRequest) => Promise<WireResponse>;
  /** A body that is read as it arrives: watches and logs. Errors of the server come as a status, too. */
  readonly stream: (request: WireRequest) => Promise<WireStream>;
  /**
   * Switches protocols over HTTP/1.1 (WebSocket for exec, attach and port-forward). `head` is what came after
   * the headers: the first bytes of the new protocol, or, with any status but 101, the whole body of the refusal.
   */
  readonly upgrade: (
    request: WireRequest,
  ) => Promise<WireHead & { readonly socket: Duplex; readonly head: Buffer }>;
  /**
   * Gets the credential and makes a connection that the next whole answer or stream will find, where the transport can.
   * For those who know that they will ask, and not yet when. Throws what the request would.
   */
  readonly prepare?: (options?: Pick<WireRequest, 'signal' | 'timeouts'>) => Promise<void>;
}
