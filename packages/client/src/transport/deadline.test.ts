import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { AbortListeners } from './abort-listeners.ts';
import { Deadline, type Ending } from './deadline.ts';

describe('the end of a request', () => {
  test('is heard once, by the stage that is under way', async () => {
    const { clock, deadline } = started({ totalMs: 1_000 });
    const heard: string[] = [];
    deadline.enter(() => heard.push('first'));
    deadline.leave();
    deadline.enter(({ fault }: Ending) => heard.push(fault));

    await clock.advance(1_000);
    deadline.end({ fault: 'closed', text: 'too late' });

    assert.deepEqual(heard, ['timeout']);
    assert.equal(deadline.ending?.text, 'no answer within 1 s');
  });

  test('is heard by nobody between two stages, and known to the next one', async () => {
    const { clock, deadline } = started({ totalMs: 1_000 });
    deadline.enter(() => assert.fail('it was left'));
    deadline.leave();

    await clock.advance(1_000);

    await assert.rejects(deadline.race(Promise.resolve('late')), { fault: 'timeout' });
  });

  test('comes with the signal of the caller, who is not listened to afterwards', async () => {
    const controller = new AbortController();
    const { deadline } = started({ totalMs: 0, signal: controller.signal });
    const racing = deadline.race(new Promise(() => {}));
    controller.abort(new Error('enough'));
    await assert.rejects(racing, { fault: 'aborted', wasNotSent: true });

    const other = new AbortController();
    const { deadline: done } = started({ totalMs: 0, signal: other.signal });
    done[Symbol.dispose]();
    other.abort();
    assert.equal(done.ending, undefined);
  });

  test('came before it began where the signal was aborted already', () => {
    const { deadline } = started({ totalMs: 0, signal: AbortSignal.abort() });

    assert.equal(deadline.ending?.fault, 'aborted');
  });

  test('leaves a race that is over alone', async () => {
    const { clock, deadline } = started({ totalMs: 1_000 });

    assert.equal(await deadline.race(Promise.resolve('soon')), 'soon');
    await assert.rejects(deadline.race(Promise.reject(new Error('no'))), /no/);
    await clock.advance(1_000);

    assert.equal(deadline.ending?.fault, 'timeout');
  });
});

function started(options: { totalMs: number; signal?: AbortSignal }) {
  const clock = new ManualClock();
  const listeners = new AbortListeners();
  const deadline = new Deadline({ clock, what: 'GET "https://a/api"', listeners, ...options });
  return { clock, deadline };
}
