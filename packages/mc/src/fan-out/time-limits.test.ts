import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from './testing/test-fleet.ts';
import { limitsOf } from './time-limits.ts';

const { execution } = settingsOf();

test('a run may take a minute, or five seconds a cluster, or what its turns need', () => {
  assert.deepEqual(limitsOf(execution, {}, 3), {
    concurrency: 10,
    clusterMs: 30_000,
    runMs: 60_000,
  });
  assert.equal(limitsOf(execution, {}, 100).runMs, 500_000);
  assert.equal(limitsOf({ ...execution, maxConcurrency: 1 }, {}, 100).runMs, 3_000_000);
  assert.equal(limitsOf({ ...execution, deadlineMs: 7 }, {}, 100).runMs, 7);
});

test("a verb's own limits come before the settings'", () => {
  assert.deepEqual(limitsOf(execution, { timeoutMs: 120_000, concurrency: 2 }, 4), {
    concurrency: 2,
    clusterMs: 120_000,
    runMs: 240_000,
  });
  assert.deepEqual(limitsOf(execution, { timeoutMs: 'none', concurrency: 'all' }, 300), {
    concurrency: 300,
    clusterMs: 0,
    runMs: 0,
  });
  assert.deepEqual(limitsOf({ ...execution, timeoutMs: 0 }, {}, 3).runMs, 0);
});
