import assert from 'node:assert/strict';
import { TransportError } from '../../transport-error.ts';

/** How a promise fails, which it must, as a TransportError. */
export async function failure(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof TransportError, String(error));
    return error;
  }
  return assert.fail('it did not fail');
}
