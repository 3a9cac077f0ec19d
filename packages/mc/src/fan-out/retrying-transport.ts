import { type Transport, TransportError, type WireRequest } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';

/** How often, and between which ends. */
export interface RetryOptions {
  readonly retries: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Of the cluster: waiting ends with it. */
  readonly signal: AbortSignal;
}

/** A server that is just starting is there after this, and one that is not holds its slot little longer. */
const PAUSE_MS = 100;

/**
 * Repeats reads that a server did not answer because it could not be reached or hung up. Renewed credentials,
 * Retry-After and connections that were closed while idle are the inner transport's.
 */
export function retryingTransport(inner: Transport, options: RetryOptions): Transport {
  const { retries, clock, random, signal } = options;
  if (retries <= 0) return inner;
  const again = async <T>(first: unknown, go: () => Promise<T>): Promise<T> => {
    let error = first;
    for (let left = retries; left > 0; left -= 1) {
      if (signal.aborted || !isPassing(error)) throw error;
      await clock.wait(PAUSE_MS * (1 + random()), signal);
      try {
        return await go();
      } catch (next) {
        error = next;
      }
    }
    throw error;
  };
  const { prepare } = inner;
  return {
    send: (request) =>
      isRead(request)
        ? inner.send(request).catch((error: unknown) => again(error, () => inner.send(request)))
        : inner.send(request),
    stream: (request) =>
      isRead(request)
        ? inner.stream(request).catch((error: unknown) => again(error, () => inner.stream(request)))
        : inner.stream(request),
    upgrade: inner.upgrade,
    ...(prepare === undefined
      ? {}
      : {
          prepare: (request) =>
            prepare(request).catch((error: unknown) => again(error, () => prepare(request))),
        }),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  };
}

function isRead({ method }: WireRequest): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

/** May be gone in a moment; a name that nobody knows will still not be known then. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof TransportError)) return false;
  if (error.fault === 'closed') return true;
  return error.fault === 'unreachable' && codeOf(error.cause) !== 'ENOTFOUND';
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code;
}
