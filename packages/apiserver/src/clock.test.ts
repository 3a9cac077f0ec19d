import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { systemClock } from './clock.ts';

test('the clock waits as long as it is asked to, even for longer than a timer can', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const month = 31 * 86_400_000;
    let calls = 0;
    systemClock.after(month, () => {
      calls += 1;
    });
    const cancel = systemClock.after(month, () => {
      calls += 10;
    });

    const longest = 2 ** 31 - 1;
    mock.timers.tick(longest);
    mock.timers.tick(month - longest);
    assert.equal(calls, 0);
    cancel();
    // One more than asked for: Node's timers may be a millisecond early, never the clock.
    mock.timers.tick(1);
    assert.equal(calls, 1);
  } finally {
    mock.timers.reset();
  }
});
