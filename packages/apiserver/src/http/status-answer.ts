import { badRequest, StatusError, timeoutError, tooLarge } from '@flotilla/machinery';
import type { ApiResponse } from './exchange.ts';
import { PlainError } from './plain-error.ts';

/** A refusal of the transport itself, as the Status object clients expect. */
export function statusAnswer(error: StatusError): ApiResponse {
  const retryAfter = error.details?.retryAfterSeconds;
  return {
    status: error.code,
    headers:
      retryAfter === undefined
        ? { 'content-type': 'application/json' }
        : { 'content-type': 'application/json', 'retry-after': String(retryAfter) },
    body: Buffer.from(`${JSON.stringify(error.toStatus())}\n`),
  };
}

/** What becomes of an error no handler turned into an answer; one of an unknown class is our bug. */
export function failureAnswer(error: unknown, report: (error: unknown) => void): ApiResponse {
  if (error instanceof StatusError) return statusAnswer(error);
  if (error instanceof PlainError) {
    return {
      status: error.status,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'x-content-type-options': 'nosniff',
      },
      body: Buffer.from(error.message),
    };
  }
  report(error);
  return statusAnswer(new StatusError(500, 'InternalError', 'Internal error occurred'));
}

/** 413, worded as upstream's body reader does. */
export function bodyTooLarge(limit: number): StatusError {
  return tooLarge(`limit is ${limit}`);
}

/** 404 for a path that nobody serves, worded as upstream's router does. */
export function nothingAtPath(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {});
}

/** 400 for a path that cannot be decoded. */
export function malformedPath(path: string): StatusError {
  return badRequest(`Cannot read path "${path}": it is not valid percent-encoded UTF-8`);
}

/** 504 after the request timeout, worded as upstream's. */
export function outOfTime(): StatusError {
  return timeoutError('request did not complete within the allotted timeout', 0);
}
