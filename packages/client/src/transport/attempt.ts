import type { Presented } from '../access.ts';
import type { WireRequest } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import type { Deadline } from './deadline.ts';
import { printable } from './endpoint.ts';
import type { Identity } from './identity.ts';
import { isSafe } from './retry-after.ts';

/** One request on its way, over all its attempts. */
export interface Errand {
  readonly request: WireRequest;
  /** `GET "https://…/api"`, for texts. */
  readonly what: string;
  readonly deadline: Deadline;
}

/** One try of it. */
export interface Attempt {
  readonly errand: Errand;
  readonly presented: Presented;
  readonly identity: Identity;
  /** The last try failed on a connection that had been lying around: take a new one. */
  readonly isFresh: boolean;
  /** Set by whoever fails: another try does no harm and may succeed. */
  mayRepeat: boolean;
}

/**
 * A try is repeated when the server cannot have acted on it, or when asking twice is the same as
 * asking once and the connection was an old one that ended without a byte of an answer.
 */
export function isRepeatable(
  error: TransportError,
  request: WireRequest,
  connection: { readonly isReused: boolean; readonly hasAnswered: boolean },
): boolean {
  if (error.fault !== 'closed') return false;
  if (error.wasNotSent) return true;
  return connection.isReused && !connection.hasAnswered && isSafe(request.method);
}

/** An encoding that nobody asked for. */
export function unknownCoding(what: string, coding: string): TransportError {
  return new TransportError(
    'malformed',
    `Cannot ${what}: the answer is encoded as "${printable(coding, 50)}", which nobody asked for`,
  );
}
