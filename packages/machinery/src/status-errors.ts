import type { FieldError } from './field-error.ts';
import { fieldPathText, formatFieldErrors } from './field-errors.ts';
import { goQuote } from './go/quote.ts';
import type { GroupKind, GroupResource } from './object.ts';
import { type StatusCause, type StatusDetails, StatusError } from './status-error.ts';

/** The detail of a conflict when the object changed since it was read. */
export const optimisticLockDetail =
  'the object has been modified; please apply your changes to the latest version and try again';

/** A resource as messages name it: `pods`, `deployments.apps`. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === '' ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** A kind as messages name it: `Pod`, `Deployment.apps`. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === '' ? gk.kind : `${gk.kind}.${gk.group}`;
}

/** 404: there is no such object. */
export function notFound(gr: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(gr)} ${goQuote(name)} not found`;
  return new StatusError(404, 'NotFound', message, about(gr, name));
}

/** 409: an object of this name exists. */
export function alreadyExists(gr: GroupResource, name: string): StatusError {
  const message = `${formatGroupResource(gr)} ${goQuote(name)} already exists`;
  return new StatusError(409, 'AlreadyExists', message, about(gr, name));
}

/** 409: every name tried for a `generateName` was taken. */
export function generateNameConflict(
  gr: GroupResource,
  name: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `${formatGroupResource(gr)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return new StatusError(409, 'AlreadyExists', message, {
    ...about(gr, name),
    ...retryAfter(retryAfterSeconds),
  });
}

/** 409: the write rests on a state that is no longer current. */
export function conflict(gr: GroupResource, name: string, detail: string): StatusError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(gr)} ${goQuote(name)}: ${detail}`;
  return new StatusError(409, 'Conflict', message, about(gr, name));
}

/** 409: another manager owns fields that an apply would change. */
export function applyConflict(causes: readonly StatusCause[], message: string): StatusError {
  return new StatusError(409, 'Conflict', message, causes.length === 0 ? {} : { causes });
}

/** 422: the object breaks rules; every field error becomes one cause. */
export function invalidObject(
  gk: GroupKind,
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const subject = `${formatGroupKind(gk)} ${goQuote(name)} is invalid`;
  const message = errors.length === 0 ? subject : `${subject}: ${formatFieldErrors(errors)}`;
  const causes = errors.map((error) => ({
    reason: error.type,
    message: error.message,
    field: fieldPathText(error.field),
  }));
  return new StatusError(422, 'Invalid', message, {
    ...about({ group: gk.group, resource: gk.kind }, name),
    ...(causes.length === 0 ? {} : { causes }),
  });
}

/** 400: the request itself makes no sense. */
export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message);
}

/** 403: `detail` says who may not do what. An empty resource and name leave the subject out. */
export function forbiddenError(gr: GroupResource, name: string, detail: string): StatusError {
  const subject = formatGroupResource(gr);
  let message = `${subject} ${goQuote(name)} is forbidden: ${detail}`;
  if (subject === '') message = `forbidden: ${detail}`;
  else if (name === '') message = `${subject} is forbidden: ${detail}`;
  return new StatusError(403, 'Forbidden', message, about(gr, name));
}

/** 401: the caller could not be identified. */
export function unauthorized(message = ''): StatusError {
  return new StatusError(401, 'Unauthorized', message === '' ? 'not authorized' : message);
}

/** 405: the resource exists but not with this verb. */
export function methodNotSupported(gr: GroupResource, verb: string): StatusError {
  const message = `${verb} is not supported on resources of kind ${goQuote(formatGroupResource(gr))}`;
  return new StatusError(405, 'MethodNotAllowed', message, about(gr, ''));
}

/** 429: come back in `retryAfterSeconds`. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, 'TooManyRequests', message, retryAfter(retryAfterSeconds));
}

/** 410: the revision asked for is compacted; clients list again. */
export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message);
}

/** 410: what was asked for will not come back. */
export function gone(message: string): StatusError {
  return new StatusError(410, 'Gone', message);
}

/** 504: not done in time; it may still happen. */
export function timeoutError(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, retryAfter(retryAfterSeconds));
}

/** 500: the verb could not be carried out for a passing reason. Upstream sends 500 here, not 504. */
export function serverTimeout(
  gr: GroupResource,
  verb: string,
  retryAfterSeconds: number,
): StatusError {
  const message = `The ${verb} operation against ${formatGroupResource(gr)} could not be completed at this time, please try again.`;
  return new StatusError(500, 'ServerTimeout', message, {
    ...about(gr, verb),
    ...retryAfter(retryAfterSeconds),
  });
}

/** 415: the body is in a form we cannot read. */
export function unsupportedMediaType(message: string): StatusError {
  return new StatusError(415, 'UnsupportedMediaType', message);
}

/** 406: the answer cannot be given in any form the client accepts. */
export function notAcceptable(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message);
}

/** 413: the body is over the limit that `message` names. */
export function tooLarge(message: string): StatusError {
  const text = `Request entity too large: ${message}`;
  return new StatusError(413, 'RequestEntityTooLarge', text);
}

/** 500: our fault; `message` must hold nothing secret. */
export function internalError(message: string): StatusError {
  const text = `Internal error occurred: ${message}`;
  return new StatusError(500, 'InternalError', text, { causes: [{ message }] });
}

/** 503: the server is not ready, or stopping. */
export function serviceUnavailable(message: string): StatusError {
  return new StatusError(503, 'ServiceUnavailable', message);
}

/** Details in upstream's field order, without the empty ones. */
function about(gr: GroupResource, name: string): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(gr.group === '' ? {} : { group: gr.group }),
    ...(gr.resource === '' ? {} : { kind: gr.resource }),
  };
}

function retryAfter(seconds: number): StatusDetails {
  return seconds === 0 ? {} : { retryAfterSeconds: seconds };
}
