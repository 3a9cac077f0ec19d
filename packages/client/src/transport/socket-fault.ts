import { TransportError } from '../transport-error.ts';
import { printable } from './endpoint.ts';

const STATES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused; is the server running, and is the port right?',
  ENOTFOUND: 'its name is not known; check the address, or the DNS of this machine',
  EAI_AGAIN: 'its name could not be looked up; check the DNS of this machine',
  EHOSTUNREACH: 'no route to it; check the network, VPN or proxy',
  ENETUNREACH: 'the network is unreachable; check the network, VPN or proxy',
  ETIMEDOUT: 'the connection timed out; check the network, VPN or proxy',
  ECONNRESET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  ECONNABORTED: 'the connection was aborted',
  EADDRNOTAVAIL: 'this machine has no free port or address for the connection',
  EMFILE: 'this process has too many open files; raise its limit (ulimit -n)',
  ENFILE: 'this machine has too many open files',
  EACCES: 'this machine does not allow the connection',
  EPERM: 'this machine does not allow the connection',
};

/** What kept a connection from standing. */
export function unreachable(url: string, error: unknown): TransportError {
  return new TransportError('unreachable', `Cannot reach "${url}": ${stateOf(error)}`, {
    cause: error,
    wasNotSent: true,
  });
}

/** An error of a socket, as the state it stands for. */
export function stateOf(error: unknown): string {
  // Several addresses were tried: the first says the most.
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  const code = (first as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && STATES[code] !== undefined) return STATES[code];
  if (typeof code === 'string' && code !== '') return printable(code);
  return first instanceof Error ? printable(first.message) : 'unknown error';
}
