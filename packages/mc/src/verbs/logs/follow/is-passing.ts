import { TransportError, type TransportFault } from '@flotilla/client';
import { statusErrorOf } from '@flotilla/machinery';

const PASSING: ReadonlySet<TransportFault> = new Set([
  'unreachable',
  'closed',
  'timeout',
  'proxy',
  'malformed',
]);

/** Whether what went wrong may be over in a moment: the network, a server that starts, a kubelet that is not there. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransportError) return PASSING.has(error.fault);
  const code = statusErrorOf(error)?.code ?? 0;
  return code === 429 || code >= 500;
}
