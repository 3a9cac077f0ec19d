import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stuckDefinitions } from './unstick.ts';

const reasons = (...all: string[]) => ({ conditions: all.map((reason) => ({ reason })) });
const deletionTimestamp = '2026-01-01T00:00:00Z';

test('only definitions that are being deleted, and whose objects could not be, are stuck', () => {
  assert.deepEqual(
    stuckDefinitions([
      { metadata: { name: 'new' } },
      {
        metadata: { name: 'served' },
        status: reasons('NoConflicts', 'InitialNamesAccepted', 'InstanceDeletionFailed'),
      },
      {
        metadata: { name: 'going', deletionTimestamp },
        status: reasons('NoConflicts', 'InstanceDeletionInProgress'),
      },
      {
        metadata: { name: 'stuck', deletionTimestamp },
        status: reasons('NoConflicts', 'InstanceDeletionFailed'),
      },
    ]),
    ['stuck'],
  );
});
