import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@flotilla/machinery/testing';
import { BrokenPipe, Interrupted } from '../io.ts';
import { Absent, PartialAnswer } from './answer-errors.ts';
import { createFanOut } from './create-fan-out.ts';
import { fleetNowhere, forever, settingsOf, statuses, testDeps } from './testing/test-fleet.ts';

test('MC-41 a cluster that stays silent is over at its limit, others are not', async () => {
  const clock = new ManualClock();
  const running = createFanOut(testDeps({ clock }))(fleetNowhere('fine', 'silent'), (member) =>
    member.cluster.name === 'fine' ? Promise.resolve(1) : forever(member),
  );
  await clock.advance(29_999);
  assert.equal(clock.waiting > 0, true);
  await clock.advance(1);
  const outcomes = await running;
  assert.deepEqual(statuses(outcomes), { fine: 'ok', silent: 'timeout' });
  assert.deepEqual(
    [outcomes[1]?.failure?.message, outcomes[1]?.elapsedMs],
    ['timeout after 30s (https://127.0.0.1:1)', 30_000],
  );
  assert.equal(clock.waiting, 0);
});

test('MC-41 --cluster-timeout 2s ends it after two seconds, also where the verb does not listen', async () => {
  const clock = new ManualClock();
  const settings = settingsOf({ timeoutMs: 2_000 });
  const running = createFanOut(testDeps({ clock, settings }))(
    fleetNowhere('deaf'),
    () => new Promise<never>(() => {}),
  );
  await clock.advance(2_000);
  const [outcome] = await running;
  assert.equal(outcome?.failure?.message, 'timeout after 2s (https://127.0.0.1:1)');
});

test('a cluster whose turn has not come loses no time, and a deaf one holds its slot no longer than its limit', async () => {
  const clock = new ManualClock();
  const settings = settingsOf({ maxConcurrency: 1, failFast: true, timeoutMs: 1_000 });
  const started: [string, number][] = [];
  const running = createFanOut(testDeps({ clock, settings }))(
    fleetNowhere('a', 'b', 'c'),
    async ({ cluster }) => {
      started.push([cluster.name, clock.elapsed()]);
      await clock.wait(900);
    },
  );
  await clock.advance(10_000);
  assert.deepEqual(statuses(await running), { a: 'ok', b: 'ok', c: 'ok' });
  assert.deepEqual(started, [
    ['a', 0],
    ['b', 900],
    ['c', 1_800],
  ]);
});

test('the deadline ends everything: what is under way and what was never started', async () => {
  const clock = new ManualClock();
  const settings = settingsOf({
    maxConcurrency: 1,
    timeoutMs: 100_000,
    deadlineMs: 5_000,
    failFast: true,
  });
  const running = createFanOut(testDeps({ clock, settings }))(fleetNowhere('a', 'b'), forever);
  await clock.advance(5_000);
  const outcomes = await running;
  assert.deepEqual(
    outcomes.map(({ status, failure }) => [status, failure?.message]),
    [
      ['timeout', 'timeout: the deadline of 5s has passed (https://127.0.0.1:1)'],
      ['timeout', 'timeout: not started within the deadline of 5s'],
    ],
  );
});

test('MC-49 with --fail-fast nothing is started after a failure, and what is under way is given up', async () => {
  const clock = new ManualClock();
  const settings = settingsOf({ maxConcurrency: 2, failFast: true });
  const asked: string[] = [];
  const outcomes = await createFanOut(testDeps({ clock, settings }))(
    fleetNowhere('bad', 'slow', 'c', 'd'),
    async (member) => {
      asked.push(member.cluster.name);
      if (member.cluster.name === 'slow') return await forever(member);
      throw new Error('no');
    },
  );
  assert.deepEqual(asked, ['bad', 'slow']);
  assert.deepEqual(
    outcomes.map(({ status, failure }) => [status, failure?.reason]),
    [
      ['error', 'Error'],
      ['cancelled', 'Cancelled'],
      ['cancelled', 'NotStarted'],
      ['cancelled', 'NotStarted'],
    ],
  );
  assert.equal(clock.waiting, 0);
});

test('with --fail-fast a write that is under way is let finish', async () => {
  const settings = settingsOf({ failFast: true });
  let finish = (_value: string): void => {};
  const slow = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const outcomes = await createFanOut(testDeps({ settings }))(
    fleetNowhere('slow', 'bad'),
    ({ cluster }) => (cluster.name === 'slow' ? slow : Promise.reject(new Error('no'))),
    { isWrite: true, onOutcome: ({ cluster }) => cluster.name === 'bad' && finish('written') },
  );
  assert.deepEqual(statuses(outcomes), { slow: 'ok', bad: 'error' });
});

test('what a cluster does not have stops nobody, unless all must have it', async () => {
  const ask = async () => {
    throw new Absent('pods "x" not found');
  };
  for (const [requireAll, second] of [
    [false, 'absent'],
    [true, 'cancelled'],
  ] as const) {
    const settings = settingsOf({ failFast: true, maxConcurrency: 1, requireAll });
    const outcomes = await createFanOut(testDeps({ settings }))(fleetNowhere('a', 'b'), ask);
    assert.deepEqual(statuses(outcomes), { a: 'absent', b: second });
  }
});

test('MC-51 Ctrl-C keeps what is there, cancels the rest at once and leaves nothing waiting', async () => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const settings = settingsOf({ maxConcurrency: 3, failFast: true });
  const running = createFanOut(testDeps({ clock, settings, signal: stop.signal }))(
    fleetNowhere('fine', 'slow', 'deaf', 'next'),
    async (member): Promise<string> => {
      switch (member.cluster.name) {
        case 'slow':
          return await forever(member);
        case 'deaf':
          return await new Promise(() => {});
        case 'next':
          return await forever(member);
        default:
          return 'rows';
      }
    },
  );
  await clock.advance(10);
  stop.abort(new Interrupted(130));
  const outcomes = await running;
  assert.deepEqual(statuses(outcomes), {
    fine: 'ok',
    slow: 'cancelled',
    deaf: 'cancelled',
    next: 'cancelled',
  });
  assert.equal(outcomes[0]?.value, 'rows');
  assert.equal(clock.waiting, 0);
});

test('a run whose user is gone before it begins asks nobody', async () => {
  const stop = new AbortController();
  stop.abort(new BrokenPipe());
  const told: string[] = [];
  const outcomes = await createFanOut(testDeps({ signal: stop.signal }))(
    fleetNowhere('a', 'b'),
    async () => assert.fail('asked'),
    { onOutcome: ({ cluster }) => told.push(cluster.name) },
  );
  assert.deepEqual(statuses(outcomes), { a: 'cancelled', b: 'cancelled' });
  assert.deepEqual(told, ['a', 'b']);
});

test('part of an answer is kept beside what went wrong, also by those who are told to end', async () => {
  const clock = new ManualClock();
  const running = createFanOut(testDeps({ clock }))(
    fleetNowhere('broke', 'ended'),
    async (member) => {
      if (member.cluster.name === 'broke') throw new PartialAnswer(['row'], new Error('cut'));
      return await forever(member).catch(() => ['half']);
    },
  );
  await clock.advance(30_000);
  const outcomes = await running;
  assert.deepEqual(
    outcomes.map(({ status, value, failure }) => [status, value, failure?.message]),
    [
      ['error', ['row'], 'cut'],
      ['timeout', ['half'], 'timeout after 30s (https://127.0.0.1:1)'],
    ],
  );
});
