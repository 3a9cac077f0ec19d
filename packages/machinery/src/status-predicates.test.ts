import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StatusError } from './status-error.ts';
import { tooManyRequests } from './status-errors.ts';
import * as predicates from './status-predicates.ts';
import { type StatusReason, statusReasons } from './status-reasons.ts';

/** By reason: who knows it, and the code that stands for it where no reason that we know does. */
const BY_REASON = {
  NotFound: [predicates.isNotFound, 404],
  Conflict: [predicates.isConflict, 409],
  Invalid: [predicates.isInvalid, 422],
  Gone: [predicates.isGone, 410],
  NotAcceptable: [predicates.isNotAcceptable, 406],
  UnsupportedMediaType: [predicates.isUnsupportedMediaType, 415],
  MethodNotAllowed: [predicates.isMethodNotSupported, 405],
  ServiceUnavailable: [predicates.isServiceUnavailable, 503],
  BadRequest: [predicates.isBadRequest, 400],
  Unauthorized: [predicates.isUnauthorized, 401],
  Forbidden: [predicates.isForbidden, 403],
  Timeout: [predicates.isTimeout, 504],
  InternalError: [predicates.isInternalError, 500],
  TooManyRequests: [predicates.isTooManyRequests, 429],
  RequestEntityTooLarge: [predicates.isTooLarge, 413],
  AlreadyExists: [predicates.isAlreadyExists, undefined],
  Expired: [predicates.isExpired, undefined],
  ServerTimeout: [predicates.isServerTimeout, undefined],
} as const satisfies Partial<
  Record<StatusReason, readonly [(error: unknown) => boolean, number | undefined]>
>;

/** Older than the others upstream: here the code counts whatever the reason. */
const BY_CODE_ALONE = new Set(['TooManyRequests', 'RequestEntityTooLarge']);

describe('predicates of refusals', () => {
  for (const [reason, [predicate, code]] of Object.entries(BY_REASON)) {
    test(`know ${reason} by its reason, whatever the code`, () => {
      assert.ok(predicate(refusal(418, reason)));
      for (const other of Object.keys(statusReasons)) {
        if (other !== reason) assert.ok(!predicate(refusal(418, other)), other);
      }
    });

    test(`know ${reason} by its code ${code === undefined ? 'never' : 'where the reason says nothing to us'}`, () => {
      const codeOf = code ?? statusReasons[reason as StatusReason];
      for (const unknown of ['', 'SomethingNewer', 'constructor', 'toString']) {
        assert.equal(predicate(refusal(codeOf, unknown)), code !== undefined, unknown);
      }
      for (const known of Object.keys(statusReasons)) {
        if (known === '' || known === reason) continue;
        assert.equal(predicate(refusal(codeOf, known)), BY_CODE_ALONE.has(reason), known);
      }
    });
  }

  test('are false for what is no refusal', () => {
    for (const [predicate] of Object.values(BY_REASON)) {
      for (const other of [undefined, null, 'NotFound', { reason: 'NotFound' }, new Error('404')]) {
        assert.equal(predicate(other), false);
      }
    }
  });
});

describe('suggestedDelayMs', () => {
  test('is what the refusal says, also behind causes', () => {
    const refused = tooManyRequests('slow down', 3);

    assert.equal(predicates.suggestedDelayMs(refused), 3_000);
    assert.equal(predicates.suggestedDelayMs(new Error('Cannot', { cause: refused })), 3_000);
  });

  test('is nothing where a server does not ask, or asks for nonsense', () => {
    const asking = (retryAfterSeconds: unknown) =>
      new StatusError(429, 'TooManyRequests', '', { retryAfterSeconds } as object);

    for (const error of [undefined, new Error('x'), refusal(429, '')]) {
      assert.equal(predicates.suggestedDelayMs(error), 0);
    }
    for (const seconds of [-1, 0, '5', null, Number.NaN]) {
      assert.equal(predicates.suggestedDelayMs(asking(seconds)), 0);
    }
  });
});

function refusal(code: number, reason: string): StatusError {
  return new StatusError(code, reason as StatusReason, '');
}
