import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClusterRegistration } from '@flotilla/api';
import { isInvalid } from '@flotilla/machinery';
import type { Review } from '@flotilla/runtime';
import { registration } from '../testing/builders.ts';
import { wantedName } from '../types.ts';
import { reviewRegistration } from './review-registration.ts';

const winner = registration('winner', { clusterName: 'shared' }, 'other');
const known = [winner];
const findByName = (name: string) => known.filter((each) => wantedName(each) === name);

function review(object: ClusterRegistration, oldObject?: ClusterRegistration): string[] {
  const warnings: string[] = [];
  const asked = { object, oldObject, warn: (text: string) => void warnings.push(text) };
  reviewRegistration(asked as unknown as Review<ClusterRegistration>, findByName);
  return warnings;
}

describe('a review of a registration', () => {
  test('refuses a new one whose name another has, and names that other', () => {
    const shared = registration('loser', { clusterName: 'shared' });
    assert.throws(() => review(shared), isInvalid);
    assert.throws(() => review(shared), /other\/winner/);
    assert.deepEqual(review(registration('free')), []);
    assert.deepEqual(review(winner), []);
  });

  test('lets whoever lost a name before be changed, but not take another that is taken', () => {
    const before = registration('loser', { clusterName: 'shared' });
    const after = registration('loser', { clusterName: 'shared', alias: 'x' });
    assert.deepEqual(review(after, before), []);
    assert.throws(() => review(before, registration('loser')), isInvalid);
  });

  test('says nothing of one that is being deleted', () => {
    const leaving = registration('loser', { clusterName: 'shared' });
    leaving.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    assert.deepEqual(review(leaving), []);
  });

  test('warns of suspension that does not protect from deletion', () => {
    assert.equal(review(registration('a', { suspend: true })).length, 1);
    assert.equal(review(registration('a', { suspend: true, deletionPolicy: 'Orphan' })).length, 0);
  });
});
