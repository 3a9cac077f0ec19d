import { CredentialError, TransportError } from '@flotilla/client';
import { StatusError } from '@flotilla/machinery';
import { noSuchType } from '../fan-out/answer-errors.ts';

/** What kubectl says it got from a server, by the code it was. */
const CODES: Readonly<Record<string, number>> = {
  AlreadyExists: 409,
  BadRequest: 400,
  Conflict: 409,
  Expired: 410,
  Forbidden: 403,
  Gone: 410,
  InternalError: 500,
  Invalid: 422,
  MethodNotAllowed: 405,
  NotFound: 404,
  ServerTimeout: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
  TooManyRequests: 429,
  Unauthorized: 401,
};

/** Lines of its log, which say the same once more, five times. */
const LOGGED = /^[IWEF]\d{4} \d\d:\d\d:\d\d/;
const WARNING = /^Warning: (.*)/;

/**
 * What went wrong, read from what kubectl said about it, as the error that our own client would have thrown: it is then
 * classified like any other.
 */
export function kubectlError(stderr: string, code: number): Error {
  const lines = saidLines(stderr).filter((line) => !WARNING.test(line));
  for (const line of lines) {
    const error = errorOf(line);
    if (error !== undefined) return error;
  }
  const last = lines.findLast((line) => line.startsWith('error: ')) ?? lines.at(-1);
  return new Error(last?.replace(/^error: /, '') ?? `kubectl ended with exit code ${code}`);
}

/** The warnings among what kubectl said, without their first word. */
export function warningsIn(stderr: string): string[] {
  return saidLines(stderr).flatMap((line) => WARNING.exec(line)?.[1] ?? []);
}

/** Whether it said anything that is neither a warning nor of its log. */
export function hasComplaint(stderr: string): boolean {
  return saidLines(stderr).some((line) => !WARNING.test(line));
}

function saidLines(stderr: string): string[] {
  return stderr
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !LOGGED.test(line));
}

function errorOf(line: string): Error | undefined {
  // Our own words, said where kubectl asked us for a credential.
  const credential = /^error: (Cannot get a credential for .*)/.exec(line)?.[1];
  if (credential !== undefined) return new CredentialError(credential);
  const [, reason, refusal] =
    /^(?:error: )?error from server(?: \((\w+)\))?: (.*)/i.exec(line) ?? [];
  if (refusal !== undefined) {
    return new StatusError(CODES[reason ?? ''] ?? 500, (reason ?? '') as never, refusal);
  }
  const login = /^error: You must be logged in to the server(?: \((.*)\))?/.exec(line);
  if (login !== null) return new StatusError(401, 'Unauthorized', login[1] ?? 'Unauthorized');
  const invalid = /^The \S+ ".*" is invalid:.*/.exec(line)?.[0];
  if (invalid !== undefined) return new StatusError(422, 'Invalid', invalid.replace(/:$/, ''));
  const type = /^error: the server doesn't have a resource type "(.*)"/.exec(line)?.[1];
  if (type !== undefined) return noSuchType(type);
  if (/^The connection to the server .* was refused/.test(line)) {
    return new TransportError('unreachable', line.replace(/ - did you specify.*/, ''));
  }
  const cause = /^(?:error: )?Unable to connect to the server: (.*)/i.exec(line)?.[1];
  return cause === undefined ? undefined : connectionError(cause);
}

function connectionError(cause: string): Error {
  if (/getting credentials: /.test(cause)) return new CredentialError(cause);
  if (/x509: |\btls: /.test(cause)) return new TransportError('tls', cause);
  const isSlow = /i\/o timeout|deadline exceeded|Client\.Timeout|handshake timeout|timed out/;
  return new TransportError(isSlow.test(cause) ? 'timeout' : 'unreachable', cause);
}
