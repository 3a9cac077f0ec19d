import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { createBackoff } from './backoff.ts';

describe('backoff', () => {
  test('begins with short waits again after two minutes without a failure, and not before', async () => {
    const clock = new ManualClock();
    const backoff = createBackoff(clock, () => 0);
    const signal = new AbortController().signal;
    const waited = async (): Promise<number> => {
      const begun = clock.elapsed();
      let end: number | undefined;
      void backoff.wait(signal).then(() => {
        end = clock.elapsed();
      });
      for (let step = 0; end === undefined && step < 1_000; step++) await clock.advance(100);
      return (end ?? Number.NaN) - begun;
    };

    assert.equal(await waited(), 800);
    await clock.advance(120_000);
    assert.equal(await waited(), 1_600);
    await clock.advance(120_001);
    assert.equal(await waited(), 800);
  });

  test('waits for as long as a server asks, but not for days', async () => {
    const clock = new ManualClock();
    const backoff = createBackoff(clock, () => 0);
    const signal = new AbortController().signal;

    for (const [askedMs, ms] of [
      [60_000, 60_000],
      [1e10, 300_000],
    ] as const) {
      let isOver = false;
      void backoff.wait(signal, askedMs).then(() => {
        isOver = true;
      });
      await clock.advance(ms - 1);
      assert.equal(isOver, false);
      await clock.advance(1);
      assert.equal(isOver, true);
    }
  });

  test('is over at once when the signal is aborted', async () => {
    const clock = new ManualClock();
    const ending = new AbortController();
    const waiting = createBackoff(clock, () => 0).wait(ending.signal);

    ending.abort(new Error('over'));

    await assert.rejects(waiting, /over/);
    assert.equal(clock.waiting, 0);
  });
});
