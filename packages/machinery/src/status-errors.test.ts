import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalid, required } from './field-errors.ts';
import type { StatusError } from './status-error.ts';
import * as errors from './status-errors.ts';
import {
  isAlreadyExists,
  isConflict,
  isExpired,
  isGone,
  isNotFound,
  isTooManyRequests,
  statusErrorOf,
} from './status-predicates.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };

function parts(error: StatusError) {
  return [error.code, error.reason, error.message, error.details];
}

test('refusals have the code, reason, text and details of upstream', () => {
  assert.deepEqual(parts(errors.notFound(pods, 'a')), [
    404,
    'NotFound',
    'pods "a" not found',
    { name: 'a', kind: 'pods' },
  ]);
  assert.deepEqual(parts(errors.alreadyExists(deployments, 'a')), [
    409,
    'AlreadyExists',
    'deployments.apps "a" already exists',
    { name: 'a', group: 'apps', kind: 'deployments' },
  ]);
  assert.deepEqual(parts(errors.conflict(pods, 'a', errors.optimisticLockDetail)), [
    409,
    'Conflict',
    'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again',
    { name: 'a', kind: 'pods' },
  ]);
  assert.deepEqual(parts(errors.methodNotSupported(deployments, 'patch')), [
    405,
    'MethodNotAllowed',
    'patch is not supported on resources of kind "deployments.apps"',
    { group: 'apps', kind: 'deployments' },
  ]);
  assert.deepEqual(parts(errors.serverTimeout(pods, 'list', 2)), [
    500,
    'ServerTimeout',
    'The list operation against pods could not be completed at this time, please try again.',
    { name: 'list', kind: 'pods', retryAfterSeconds: 2 },
  ]);
  assert.deepEqual(parts(errors.tooManyRequests('slow down', 1)), [
    429,
    'TooManyRequests',
    'slow down',
    { retryAfterSeconds: 1 },
  ]);
  assert.deepEqual(parts(errors.internalError('boom')), [
    500,
    'InternalError',
    'Internal error occurred: boom',
    { causes: [{ message: 'boom' }] },
  ]);
  assert.deepEqual(parts(errors.tooLarge('limit is 3145728')), [
    413,
    'RequestEntityTooLarge',
    'Request entity too large: limit is 3145728',
    undefined,
  ]);
  assert.deepEqual(parts(errors.unauthorized()), [
    401,
    'Unauthorized',
    'not authorized',
    undefined,
  ]);
});

test('forbidden leaves out what is not known', () => {
  assert.equal(errors.forbiddenError(pods, 'a', 'no').message, 'pods "a" is forbidden: no');
  assert.equal(errors.forbiddenError(pods, '', 'no').message, 'pods is forbidden: no');
  assert.equal(
    errors.forbiddenError({ group: '', resource: '' }, '', 'no').message,
    'forbidden: no',
  );
});

test('an invalid object lists its field errors as causes', () => {
  const error = errors.invalidObject({ group: 'apps', kind: 'Deployment' }, 'd', [
    required('spec.selector'),
    invalid('', 'x', 'bad'),
  ]);
  assert.equal(
    error.message,
    'Deployment.apps "d" is invalid: [spec.selector: Required value, <nil>: Invalid value: "x": bad]',
  );
  assert.deepEqual(error.toStatus(), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error.message,
    reason: 'Invalid',
    details: {
      name: 'd',
      group: 'apps',
      kind: 'Deployment',
      causes: [
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.selector' },
        { reason: 'FieldValueInvalid', message: 'Invalid value: "x": bad', field: '<nil>' },
      ],
    },
    code: 422,
  });
});

test('predicates see through causes and tell refusals of one code apart', () => {
  const wrapped = new Error('Cannot read', { cause: errors.notFound(pods, 'a') });
  assert.equal(isNotFound(wrapped), true);
  assert.equal(statusErrorOf(wrapped)?.code, 404);
  assert.equal(isNotFound(new Error('404')), false);
  assert.equal(isConflict(errors.alreadyExists(pods, 'a')), false);
  assert.equal(isAlreadyExists(errors.alreadyExists(pods, 'a')), true);
  assert.equal(isGone(errors.expired('too old')), false);
  assert.equal(isExpired(errors.expired('too old')), true);
  assert.equal(isTooManyRequests(errors.tooManyRequests('x', 1)), true);
});
