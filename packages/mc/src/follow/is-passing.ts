import { TransportError } from '@flotilla/client';
import { statusErrorOf } from '@flotilla/machinery';

/** Whether a failure may be over in a while: a server that is down or busy, not one that refuses us. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) {
    const { fault } = error;
    return fault === 'unreachable' || fault === 'closed' || fault === 'timeout';
  }
  const code = statusErrorOf(error)?.code ?? 0;
  return code === 429 || code >= 500;
}
