/** Numbers that keep one client from spoiling the server for the others. */
export interface Limits {
  /** Largest header block, in bytes. */
  readonly headerBytes: number;
  /** From the first byte of a request to the end of its headers (HTTP/1.1), and for a TLS handshake. */
  readonly headerTimeoutMs: number;
  /** From the end of the headers to the end of the answer; requests that are long-running by nature are exempt. */
  readonly requestTimeoutMs: number;
  /** A connection without a request for this long is closed. */
  readonly idleTimeoutMs: number;
  /** Over this many connections the one that has been idle longest makes room; if none is idle, newcomers are refused. */
  readonly connections: number;
  /** Requests at once on one HTTP/2 connection. */
  readonly streamsPerSession: number;
  /** Stream resets a client may send at once, and per second after that, before its connection is dropped. */
  readonly resetBurst: number;
  readonly resetsPerSecond: number;
  /** Memory of one HTTP/2 connection, in megabytes, before further streams are refused. */
  readonly sessionMegabytes: number;
  /** Bytes of an oversized request body that are read and dropped so that the client sees the refusal. */
  readonly discardBytes: number;
}

/** Upstream's numbers where it has one, else what a fleet of controllers needs with room to spare. */
export const defaultLimits: Limits = {
  headerBytes: 128 * 1024,
  headerTimeoutMs: 32_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 90_000,
  connections: 20_000,
  streamsPerSession: 1000,
  // nghttp2's own numbers, which Node before 24 cannot change. A client that stops its informers resets
  // one stream per watch, so hundreds are honest.
  resetBurst: 1000,
  resetsPerSecond: 33,
  sessionMegabytes: 64,
  discardBytes: 64 * 1024 * 1024,
};

/** The largest request body upstream reads; handlers pass it to `ApiRequest.body`. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024;
