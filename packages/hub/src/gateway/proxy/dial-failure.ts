import { dialProblem } from '@flotilla/apiserver';
import { TransportError } from '@flotilla/client';
import { StatusError } from '@flotilla/machinery';
import { EndpointRefused } from './members.ts';

/** Where a member was looked for. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * What a client is told when a member does not answer: the words of Go's reverse proxy, because KubeVela looks for
 * `dial tcp` in them to tell a cluster that is away from one that refuses.
 */
export function dialFailure(error: unknown, place: Place): StatusError {
  if (error instanceof StatusError) return error;
  if (error instanceof EndpointRefused) return new StatusError(403, 'Forbidden', error.message);
  return new StatusError(500, '', textOf(error, place));
}

function textOf(error: unknown, place: Place): string {
  if (!(error instanceof TransportError)) return dialProblem(firstOf(error), place);
  const { fault, cause, message } = error;
  if (fault === 'timeout') return dialProblem(coded('ETIMEDOUT'), place);
  // Where a proxy stands is not told apart from what kept it from being reached.
  if (fault === 'proxy') return `proxyconnect tcp: ${message}`;
  if (cause === undefined) return message;
  return dialProblem(firstOf(cause), place);
}

/** Several addresses of a name were tried: the first says the most. */
function firstOf(error: unknown): NodeJS.ErrnoException {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
  return first instanceof Error ? first : new Error(String(first));
}

function coded(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
