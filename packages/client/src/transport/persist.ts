import type { Clock } from '@flotilla/machinery';
import type { Credential, Presented } from '../access.ts';
import type { WireHead } from '../transport.ts';
import { TransportError } from '../transport-error.ts';
import type { Attempt, Errand } from './attempt.ts';
import type { Deadline } from './deadline.ts';
import { parsed, printable } from './endpoint.ts';
import type { Identity } from './identity.ts';
import type { TransportLimits } from './limits.ts';
import { retryAfterMs } from './retry-after.ts';
import { CertificateRefused } from './tls-fault.ts';

/** What trying again depends on. */
export interface Persistence {
  readonly credential: Credential;
  readonly clock: Clock;
  readonly random: () => number;
  readonly limits: TransportLimits;
  /** Aborted at the transport's end. A signal for each request would cost more than the request's headers. */
  readonly closing: () => AbortSignal;
  /** Of the server, for texts. */
  readonly url: string;
  readonly identityFor: (presented: Presented) => Identity;
}

/** One way of doing an errand. */
export interface Way<T extends WireHead> {
  readonly tryOnce: (attempt: Attempt) => Promise<T>;
  /** Gets the answers that are not given to the caller. */
  readonly discard: (answer: T) => void;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REPEATS = 3;
/** Those who are told to come back in a second do not all come at once. */
const SPREAD_MS = 250;

/**
 * Tries until there is an answer worth giving. Another try is made, each within its own bound, when
 * a connection ended before the server can have acted; once with a renewed credential; and when the
 * server says when to come back.
 */
export async function persist<T extends WireHead>(
  deps: Persistence,
  errand: Errand,
  { tryOnce, discard }: Way<T>,
): Promise<T> {
  const { deadline, what } = errand;
  let isFresh = false;
  let repeats = 0;
  let waits = 0;
  let hasRenewed = false;
  for (;;) {
    let presented: Presented;
    try {
      presented = await present(deps, errand);
    } catch (error) {
      throw credentialFault(deps.url, error);
    }
    const identity = deps.identityFor(presented);
    const attempt: Attempt = { errand, presented, identity, isFresh, mayRepeat: false };
    let answer: T;
    try {
      answer = await tryOnce(attempt);
    } catch (error) {
      if (error instanceof CertificateRefused && !hasRenewed) {
        hasRenewed = true;
        if (await isRenewed(deps, presented, deadline)) continue;
      }
      repeats += 1;
      if (!attempt.mayRepeat || repeats > MOST_REPEATS) throw error;
      isFresh = true;
      continue;
    }
    if (answer.status < 300) return answer;
    if (answer.status === 401 && !hasRenewed) {
      hasRenewed = true;
      if (!(await isRenewed(deps, presented, deadline).catch(afterwards(() => discard(answer))))) {
        return answer;
      }
      discard(answer);
      continue;
    }
    if (REDIRECTS.has(answer.status)) {
      discard(answer);
      throw redirected(what, answer);
    }
    // Writes, too: a server that says when to come back has not done what it was asked for.
    const waitMs = patienceMs(deps, answer, { waits, deadline });
    if (waitMs === undefined) return answer;
    waits += 1;
    discard(answer);
    await deps.clock.wait(waitMs, deadline.signal);
  }
}

/** Lets an error pass once `run` has run. */
function afterwards(run: () => void): (error: unknown) => never {
  return (error) => {
    run();
    throw error;
  };
}

/** Whoever's time is up stops waiting; the renewal itself goes on, since others may wait for it, too. */
function present(deps: Persistence, { deadline, request }: Errand): Promise<Presented> {
  if (deadline.ending !== undefined) throw deadline.error(deadline.ending, true);
  return deadline.race(deps.credential.present(request.signal ?? deps.closing()));
}

async function isRenewed(
  deps: Persistence,
  presented: Presented,
  deadline: Deadline,
): Promise<boolean> {
  try {
    return await deadline.race(deps.credential.refused(presented, deadline.signal));
  } catch (error) {
    throw credentialFault(deps.url, error);
  }
}

function credentialFault(url: string, error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const state = error instanceof Error ? printable(error.message, 500) : 'it failed';
  return new TransportError('credential', `Cannot get a credential for "${url}": ${state}`, {
    cause: error,
    wasNotSent: true,
  });
}

/** How long to wait for a server that asks for it; undefined when that is for the caller to decide. */
function patienceMs(
  { limits, clock, random }: Persistence,
  answer: WireHead,
  { waits, deadline }: { waits: number; deadline: Deadline },
): number | undefined {
  const afterMs = retryAfterMs(answer, clock.now());
  if (afterMs === undefined || waits >= limits.retries) return undefined;
  if (afterMs > limits.retryAfterSeconds * 1000) return undefined;
  const waitMs = afterMs + random() * SPREAD_MS;
  return waitMs < deadline.remainingMs ? waitMs : undefined;
}

/** An API server does not redirect; what does may be after our credentials. */
function redirected(what: string, { status, headers }: WireHead): TransportError {
  const location = headers['location'] ?? '';
  const url = parsed(location);
  const named =
    url === undefined
      ? (location.split(/[?#]/)[0] ?? '')
      : `${url.protocol}//${url.host}${url.pathname}`;
  return new TransportError(
    'redirect',
    `Cannot ${what}: the server answered ${status} and points to "${printable(named)}", which is not followed; give that address if it is the right one`,
  );
}
