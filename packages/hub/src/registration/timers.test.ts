import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { heartbeatDelay, isDue, spread, transientDelay } from './timers.ts';

const MINUTE = 60_000;
const plan = (failures: number, intervalMs = 5 * MINUTE) => ({
  intervalMs,
  failureThreshold: 3,
  failures,
});

describe('timers', () => {
  test('double from five seconds to five minutes while something fails for the moment', () => {
    assert.deepEqual([1, 2, 3, 4].map(transientDelay), [5_000, 10_000, 20_000, 40_000]);
    assert.equal(transientDelay(100), 5 * MINUTE);
  });

  test('double from fifteen seconds to the interval once a member is Degraded', () => {
    const delays = [0, 1, 2, 3, 4, 5].map((failures) => heartbeatDelay(plan(failures)));
    assert.deepEqual(delays, [5 * MINUTE, 5_000, 10_000, 15_000, 30_000, 60_000]);
    assert.equal(heartbeatDelay(plan(50)), 5 * MINUTE);
    assert.equal(heartbeatDelay(plan(3, 10_000)), 10_000);
  });

  test('REG-66 spread heartbeats over a tenth below and, with the runtime, above', () => {
    assert.equal(
      spread(1000, () => 0),
      900,
    );
    assert.equal(
      spread(1000, () => 1),
      1000,
    );
  });

  test('find a heartbeat due when its time has come, also a little early', () => {
    assert.equal(isDue(plan(0), undefined), true);
    assert.equal(isDue(plan(0), 4 * MINUTE), false);
    assert.equal(isDue(plan(0), 4.6 * MINUTE), true);
    assert.equal(isDue(plan(0, 0), undefined), false);
    assert.equal(isDue(plan(1), 5_000), true);
  });
});
