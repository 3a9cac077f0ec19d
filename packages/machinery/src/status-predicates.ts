import { StatusError } from './status-error.ts';
import { type StatusReason, statusReasons } from './status-reasons.ts';

/** The refusal behind an error, also where it was wrapped with `cause`. */
export function statusErrorOf(error: unknown): StatusError | undefined {
  let current = error;
  // Causes are chains a few links long; the bound only guards against one that bites its tail.
  for (let links = 0; current instanceof Error && links < 32; links++) {
    if (current instanceof StatusError) return current;
    current = current.cause;
  }
  return undefined;
}

/** No such object. */
export function isNotFound(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotFound', 404);
}

/** The name is taken. The code alone does not say so: conflicts share it. */
export function isAlreadyExists(error: unknown): boolean {
  return statusErrorOf(error)?.reason === 'AlreadyExists';
}

/** The object changed meanwhile. */
export function isConflict(error: unknown): boolean {
  return hasReasonOrCode(error, 'Conflict', 409);
}

/** Validation refused the object. */
export function isInvalid(error: unknown): boolean {
  return hasReasonOrCode(error, 'Invalid', 422);
}

/** Gone for good; not the same as expired, which also has code 410. */
export function isGone(error: unknown): boolean {
  return hasReasonOrCode(error, 'Gone', 410);
}

/** The revision asked for is too old. */
export function isExpired(error: unknown): boolean {
  return statusErrorOf(error)?.reason === 'Expired';
}

/** No form of answer suits the client. */
export function isNotAcceptable(error: unknown): boolean {
  return hasReasonOrCode(error, 'NotAcceptable', 406);
}

/** The body's form is not understood. */
export function isUnsupportedMediaType(error: unknown): boolean {
  return hasReasonOrCode(error, 'UnsupportedMediaType', 415);
}

/** The resource does not have this verb. */
export function isMethodNotSupported(error: unknown): boolean {
  return hasReasonOrCode(error, 'MethodNotAllowed', 405);
}

/** The server is not ready. */
export function isServiceUnavailable(error: unknown): boolean {
  return hasReasonOrCode(error, 'ServiceUnavailable', 503);
}

/** The request makes no sense. */
export function isBadRequest(error: unknown): boolean {
  return hasReasonOrCode(error, 'BadRequest', 400);
}

/** The caller is not identified. */
export function isUnauthorized(error: unknown): boolean {
  return hasReasonOrCode(error, 'Unauthorized', 401);
}

/** The caller may not do this. */
export function isForbidden(error: unknown): boolean {
  return hasReasonOrCode(error, 'Forbidden', 403);
}

/** Not done in time, perhaps done later. */
export function isTimeout(error: unknown): boolean {
  return hasReasonOrCode(error, 'Timeout', 504);
}

/** Could not be done for a passing reason; no HTTP code stands for this alone. */
export function isServerTimeout(error: unknown): boolean {
  return statusErrorOf(error)?.reason === 'ServerTimeout';
}

/** The server's own fault. */
export function isInternalError(error: unknown): boolean {
  return hasReasonOrCode(error, 'InternalError', 500);
}

/** The caller must slow down; the code decides whatever the reason. */
export function isTooManyRequests(error: unknown): boolean {
  const status = statusErrorOf(error);
  return status?.reason === 'TooManyRequests' || status?.code === 429;
}

/** The body is over the limit; the code decides whatever the reason. */
export function isTooLarge(error: unknown): boolean {
  const status = statusErrorOf(error);
  return status?.reason === 'RequestEntityTooLarge' || status?.code === 413;
}

/** How long the server asks to be left alone, in ms; 0 where it does not ask. */
export function suggestedDelayMs(error: unknown): number {
  const seconds: unknown = statusErrorOf(error)?.details?.retryAfterSeconds;
  return typeof seconds === 'number' && seconds > 0 ? seconds * 1000 : 0;
}

/** The code counts only beside a reason that says nothing to us: none at all, or one that is not Kubernetes' own. */
function hasReasonOrCode(error: unknown, reason: StatusReason, code: number): boolean {
  const status = statusErrorOf(error);
  if (status === undefined) return false;
  return status.reason === reason || (!isKnown(status.reason) && status.code === code);
}

function isKnown(reason: string): boolean {
  return reason !== '' && Object.hasOwn(statusReasons, reason);
}
