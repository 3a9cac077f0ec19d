import { CredentialError, KubeconfigError, TransportError } from '@flotilla/client';
import { formatDuration, StatusError } from '@flotilla/machinery';
import { AccessError } from '../access/access-error.ts';
import { PluginError } from '../access/credentials/plugin-error.ts';
import type { Route } from '../fleet/route.ts';
import { BrokenPipe, Interrupted } from '../io.ts';
import { printableLine } from '../text/printable.ts';
import { Absent, NO_SUCH_TYPE, PartialAnswer } from './answer-errors.ts';
import { FailedFast, TimeLimit } from './endings.ts';
import { isInClusterName } from './in-cluster-name.ts';
import { loginHint } from './login-hint.ts';
import type { Failure, OutcomeStatus } from './outcome.ts';

/** How a cluster failed, and why. */
export interface Classified {
  readonly status: OutcomeStatus;
  readonly failure: Failure;
}

/** Of the client's, for a name that no server has; it throws no class of its own for it. */
const NO_SUCH_TYPE_TEXT = /^the server doesn't have a resource type "/;

/** Says by its cause how a cluster failed, and what to do about it. */
export function classify(error: unknown, route: Route): Classified {
  if (error instanceof PartialAnswer) return classify(error.cause, route);
  for (const cause of causesOf(error)) {
    const found = recognised(cause, route);
    if (found !== undefined) return found;
  }
  const message = error instanceof Error ? error.message : String(error);
  return failed('error', 'Error', { message: message === '' ? 'it failed' : message });
}

/** Errors are wrapped in what was being done; the first that is known says the most. */
function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  for (let links = 0; current instanceof Error && links < 16; links += 1) {
    yield current;
    current = current.cause;
  }
}

function recognised(error: Error, route: Route): Classified | undefined {
  if (error instanceof StatusError) return ofStatus(error, route);
  if (error instanceof TransportError) return ofTransport(error, route);
  if (error instanceof AccessError) {
    const { status, message, hint } = error;
    return failed(status, status === 'untrusted' ? 'Untrusted' : 'NoAccess', { message, hint });
  }
  if (error instanceof CredentialError) return ofCredential(error, route);
  if (error instanceof KubeconfigError) {
    return failed('noaccess', 'Kubeconfig', { message: error.message });
  }
  if (error instanceof Absent) return failed('absent', error.reason, { message: error.message });
  if (NO_SUCH_TYPE_TEXT.test(error.message)) {
    return failed('absent', NO_SUCH_TYPE, { message: error.message });
  }
  // Its text quotes what was read, which may be anybody's secret.
  if (error instanceof SyntaxError) {
    return failed('error', 'Malformed', { message: 'Cannot read what the server sent as JSON' });
  }
  // Nobody's words: an answer that is not what its kind says, or a mistake of ours that only this cluster brings out.
  if (error instanceof TypeError || error instanceof RangeError) {
    const message = `Cannot make sense of what the server sent (${error.message})`;
    return failed('error', 'Malformed', { message });
  }
  return ofEnding(error, route);
}

function ofStatus(error: StatusError, route: Route): Classified {
  const { code, message } = error;
  const reason = error.reason === '' ? 'Error' : error.reason;
  const said = { code, message: message === '' ? `the server answered ${code}` : message };
  switch (code) {
    case 401:
      return failed('unauthorized', reason, {
        code,
        message: `You must be logged in to the server (${message})`,
        hint: loginHint(route),
      });
    case 403:
      return failed('forbidden', reason, said);
    case 404:
      return failed('absent', reason, said);
    default:
      return failed('error', reason, said);
  }
}

function ofTransport(error: TransportError, route: Route): Classified | undefined {
  const { message, fault } = error;
  switch (fault) {
    case 'unreachable':
      return failed('unreachable', 'Unreachable', { message, hint: addressHint(error, route) });
    case 'closed':
    case 'proxy':
      return failed('unreachable', fault === 'proxy' ? 'Proxy' : 'Closed', { message });
    case 'timeout':
      return failed('timeout', 'Timeout', { message });
    case 'tls':
      return failed('tls', 'TLS', {
        // First, since long causes are cut at their end.
        message: `with the certificate authority of ${route.caSource}: ${message}`,
      });
    case 'redirect':
      return failed('error', 'Redirect', { message });
    case 'malformed':
      return failed('error', 'Malformed', { message });
    case 'too-large':
      return failed('error', 'TooLarge', { message });
    // Their cause says more: a credential, or what ended the request.
    case 'credential':
      return error.cause instanceof CredentialError
        ? undefined
        : failed('noaccess', 'Credential', { message, hint: loginHint(route) });
    case 'aborted':
      return error.cause instanceof Error
        ? undefined
        : failed('cancelled', 'Cancelled', { message });
  }
}

/** The first paragraph says what is wrong; what follows is help, of which the last is the user's own install hint. */
function ofCredential(error: CredentialError, route: Route): Classified {
  const [first = '', ...help] = error.message.split(/\n\s*\n/);
  if (error instanceof PluginError && error.isMissing) {
    return failed('noaccess', 'PluginNotFound', { message: first, hint: error.hint });
  }
  const missing = /executable (.*) not found$/.exec(first)?.[1];
  if (missing === undefined) {
    return failed('noaccess', 'Credential', { message: first, hint: loginHint(route) });
  }
  const own = help.slice(2).join(' ').replace(/\s+/g, ' ').trim();
  return failed('noaccess', 'PluginNotFound', {
    message: first,
    hint: own === '' ? `install ${missing}, or map another context: kubectl mc setup` : own,
  });
}

/** What ended a cluster from outside; undefined for other errors. */
export function ofEnding(
  error: unknown,
  { server }: Pick<Route, 'server'>,
): Classified | undefined {
  if (error instanceof TimeLimit) {
    const limit = goDuration(error.limitMs);
    const message =
      error.whose === 'cluster'
        ? `timeout after ${limit} (${server})`
        : `timeout: the deadline of ${limit} has passed (${server})`;
    return failed('timeout', error.whose === 'cluster' ? 'Timeout' : 'Deadline', { message });
  }
  if (error instanceof FailedFast) {
    return failed('cancelled', 'Cancelled', { message: 'given up after another cluster failed' });
  }
  if (error instanceof Interrupted) {
    return failed('cancelled', 'Cancelled', { message: error.message });
  }
  if (error instanceof BrokenPipe) {
    return failed('cancelled', 'Cancelled', { message: 'nobody reads the output any more' });
  }
  return undefined;
}

/** A cluster whose turn never came; it counts as failed when time was up, and as cancelled otherwise. */
export function notStarted(ending: unknown): Classified {
  if (ending instanceof TimeLimit) {
    const message = `timeout: not started within the deadline of ${goDuration(ending.limitMs)}`;
    return failed('timeout', 'Deadline', { message });
  }
  return failed('cancelled', 'NotStarted', { message: 'not started' });
}

/** `30s`, `1m30s`: as it was typed. */
function goDuration(ms: number): string {
  return formatDuration(BigInt(Math.round(ms)) * 1_000_000n).replace(/m0s$/, 'm');
}

/** Services of the hub's own cluster are often in profiles; nobody outside knows their names. */
function addressHint({ cause }: TransportError, { kind, server }: Route): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (code !== 'ENOTFOUND' && code !== 'EAI_AGAIN') return undefined;
  if (kind !== 'provider' && kind !== 'properties') return undefined;
  if (!isInClusterName(server)) return undefined;
  return 'the name is known inside the hub only: map a context (kubectl mc setup) or go through the hub (access.hubProxy)';
}

function failed(
  status: OutcomeStatus,
  reason: string,
  { message, hint, code }: Omit<Failure, 'reason'>,
): Classified {
  const failure: Failure = {
    reason: printableLine(reason),
    ...(code === undefined ? {} : { code }),
    message: printableLine(message),
    ...(hint === undefined ? {} : { hint: printableLine(hint) }),
  };
  return { status, failure };
}
