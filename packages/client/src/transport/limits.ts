/** Bounds of a transport, whoever asks. */
export interface TransportLimits {
  /** Whole answers under way at once; more wait their turn. */
  readonly requests: number;
  /** Streams and upgraded connections open at once; more wait their turn. */
  readonly streams: number;
  /** Until a connection stands, where the request does not say. */
  readonly connectMs: number;
  /** Until the whole answer is there, where the request does not say. */
  readonly totalMs: number;
  /** Longest whole answer, also after decompression, where the request does not say. */
  readonly answerBytes: number;
  /** Longest status line with headers. */
  readonly headBytes: number;
  /** An unused connection is closed after this: before the server does it in the middle of a request. */
  readonly idleConnectionMs: number;
  /** Silence on a shared connection after which the server is asked whether it is there. */
  readonly pingAfterMs: number;
  /** How long it may take to say so. */
  readonly pingWithinMs: number;
  /** Longest Retry-After that is waited for; a longer one is the caller's to honour. */
  readonly retryAfterSeconds: number;
  /** How often one request waits for a Retry-After. */
  readonly retries: number;
}

/** What holds unless `createTransport` is told otherwise. */
export const DEFAULT_LIMITS: TransportLimits = {
  requests: 32,
  streams: 1000,
  connectMs: 10_000,
  totalMs: 60_000,
  answerBytes: 512 * 1024 * 1024,
  headBytes: 256 * 1024,
  idleConnectionMs: 55_000,
  pingAfterMs: 30_000,
  pingWithinMs: 15_000,
  retryAfterSeconds: 30,
  retries: 4,
};
