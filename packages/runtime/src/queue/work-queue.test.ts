import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock, seeded } from '@flotilla/machinery/testing';
import type { WorkPriority } from '../observer.ts';
import { createWorkQueue, type WorkQueue } from './work-queue.ts';

describe('a work queue', () => {
  test('has a key once, however often it is added', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    queue.add('a');

    assert.deepEqual(await takeAll(queue), ['a', 'b']);
  });

  test('gives a key that is added while a worker has it again when that worker is done', async () => {
    const { queue } = setUp();
    queue.add('a');
    assert.equal((await queue.take())?.key, 'a');
    queue.add('a');
    queue.add('a');
    const next = queue.take();
    assert.equal(await stateOf(next), 'waiting');

    queue.done('a');

    assert.equal((await next)?.key, 'a');
    queue.done('a');
    assert.equal(await stateOf(queue.take()), 'waiting');
  });

  test('takes of two delays the shorter, and no delay over any', async () => {
    const { queue, clock } = setUp();
    queue.add('a', { afterMs: 1000 });
    queue.add('a', { afterMs: 100 });
    queue.add('a', { afterMs: 500 });
    queue.add('b', { afterMs: 1000 });
    queue.add('b');
    assert.deepEqual(await takeAll(queue), ['b']);

    await clock.advance(99);
    assert.deepEqual(await takeAll(queue), []);
    await clock.advance(1);
    assert.deepEqual(await takeAll(queue), ['a']);
    await clock.advance(2000);
    assert.deepEqual(await takeAll(queue), []);
    assert.equal(clock.waiting, 0);
  });

  test('is not delayed by a wall clock that is set back', async () => {
    const { queue, clock } = setUp();
    queue.add('a', { afterMs: 100 });
    clock.jump(-3_600_000);

    await clock.advance(100);

    assert.deepEqual(await takeAll(queue), ['a']);
  });

  test('puts what users change before other work, and that before resyncs', async () => {
    const { queue } = setUp();
    queue.add('resync', { priority: 'resync' });
    queue.add('other', { priority: 'other' });
    queue.add('change', { priority: 'change' });
    queue.add('promoted', { priority: 'resync' });
    queue.add('promoted', { priority: 'change' });
    queue.add('change', { priority: 'resync' });

    assert.deepEqual(await takeAll(queue), ['change', 'promoted', 'other', 'resync']);
  });

  test('does not starve resyncs while users change things without pause', async () => {
    const { queue } = setUp();
    queue.add('resync', { priority: 'resync' });
    let taken = 0;
    for (let key: string | undefined; key !== 'resync'; taken++) {
      queue.add(`change-${taken}`);
      queue.add(`change-${taken}-b`);
      key = (await queue.take())?.key;
    }

    assert.equal(taken, 21);
  });

  test('delays failures from 5 ms to 1,000 s, doubling, until the key is forgotten', async () => {
    const { queue, clock } = setUp();
    const delays: number[] = [];
    for (let failures = 0; failures < 20; failures++) {
      delays.push(await delayOf(queue, clock, () => queue.addFailed('a')));
    }

    assert.deepEqual(delays.slice(0, 5), [5, 10, 20, 40, 80]);
    assert.deepEqual(delays.slice(-2), [1_000_000, 1_000_000]);
    assert.equal(queue.failures('a'), 20);

    queue.forget('a');
    assert.equal(await delayOf(queue, clock, () => queue.addFailed('a')), 5);
  });

  test('repeats a failure no earlier than a server asked for, nor later than it would of itself', async () => {
    const { queue, clock } = setUp();
    const failing = (askedMs: number) => () => queue.addFailed('a', 'other', askedMs);

    assert.equal(await delayOf(queue, clock, failing(7_000)), 7_000);
    assert.equal(await delayOf(queue, clock, failing(1)), 10);
    assert.equal(await delayOf(queue, clock, failing(1e12)), 1_000_000);
    queue.addFailed('a', 'other', 60_000);
    queue.add('a');
    assert.deepEqual((await takeAll(queue)).length, 1);
  });

  test('lets all keys together fail a hundred times at once and then ten times a second', async () => {
    const { queue, clock } = setUp();
    for (let key = 0; key < 120; key++) queue.addFailed(`k${key}`);

    await clock.advance(5);
    assert.equal((await takeAll(queue)).length, 100);
    await clock.advance(995);
    assert.equal((await takeAll(queue)).length, 10);
    await clock.advance(1000);
    assert.equal((await takeAll(queue)).length, 10);
  });

  test('does not count repeats without a failure against the rest', async () => {
    const { queue, clock } = setUp();
    for (let key = 0; key < 1000; key++) queue.addAgain(`k${key}`);

    await clock.advance(5);

    assert.equal((await takeAll(queue)).length, 1000);
  });

  test('drops what waits when it is shut down, and lets its workers go', async () => {
    const { queue, clock } = setUp();
    queue.add('running');
    await queue.take();
    const idler = queue.take();
    queue.add('later', { afterMs: 10 });
    queue.shutDown();
    queue.add('too-late');

    assert.equal(await idler, undefined);
    assert.equal(await queue.take(), undefined);
    assert.equal(clock.waiting, 0);
    assert.equal(await stateOf(queue.idle()), 'waiting');
    queue.done('running');
    await queue.idle();
  });

  test('hands out what is ready before it ends when it is to drain, also what comes again', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.add('b');
    await queue.take();
    queue.add('a');
    queue.shutDown({ drain: true });

    assert.equal((await queue.take())?.key, 'b');
    const again = queue.take();
    queue.done('a');
    assert.equal((await again)?.key, 'a');
    queue.done('b');
    const end = queue.take();
    queue.done('a');
    assert.equal(await end, undefined);
    await queue.idle();
  });

  test('tells what it has', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    queue.add('b', { priority: 'resync' });
    queue.add('c', { afterMs: 1000 });
    await queue.take();
    await clock.advance(30);

    assert.deepEqual(queue.reading(), {
      ready: { change: 0, other: 0, resync: 1 },
      delayed: 1,
      running: 1,
      unfinishedMs: 30,
      longestRunningMs: 30,
    });
    assert.equal((await queue.take())?.waitedMs, 30);
  });

  for (const seed of [1, 2, 3, 4, 5]) {
    test(`keeps its promises over 20,000 random steps (seed ${seed})`, async () => {
      await tryAtRandom(seed);
    });
  }

  test('stays fast with 40,000 keys', async () => {
    const { queue, clock } = setUp();
    const began = process.cpuUsage();
    for (let key = 0; key < 20_000; key++) {
      queue.add(`r${key}`);
      queue.add(`d${key}`, { afterMs: 1 + ((key * 7919) % 10_000) });
    }
    assert.equal((await takeAll(queue)).length, 20_000);
    await clock.advance(10_001);
    assert.equal((await takeAll(queue)).length, 20_000);

    // A fraction of a second; anything quadratic would take much longer.
    assert.ok(process.cpuUsage(began).user < 5_000_000);
  });
});

/** A model of what a queue owes, checked at every step. */
async function tryAtRandom(seed: number): Promise<void> {
  const random = seeded(seed);
  const { queue, clock } = setUp();
  const running = new Set<string>();
  /** The earliest time at which each key must be handed out. */
  const owed = new Map<string, number>();
  const keys = Array.from({ length: 30 }, (_, index) => `k${index}`);
  const priorities: WorkPriority[] = ['change', 'other', 'resync'];
  const owe = (key: string, at: number) => {
    owed.set(key, Math.min(at, owed.get(key) ?? Number.POSITIVE_INFINITY));
  };
  for (let step = 0; step < 20_000; step++) {
    const key = random.pick(keys);
    const priority = random.pick(priorities);
    switch (random.below(6)) {
      case 0:
        queue.add(key, { priority });
        owe(key, clock.elapsed());
        break;
      case 1: {
        const afterMs = 1 + random.below(50);
        queue.add(key, { priority, afterMs });
        owe(key, clock.elapsed() + afterMs);
        break;
      }
      case 2:
        if (step % 20 === 0) await clock.advance(random.below(20));
        break;
      case 3:
        if (running.size > 0) {
          const done = random.pick([...running]);
          running.delete(done);
          queue.done(done);
        }
        break;
      default: {
        const due = [...owed].filter(([each, at]) => at <= clock.elapsed() && !running.has(each));
        const { ready } = queue.reading();
        const count = ready.change + ready.other + ready.resync;
        assert.equal(count, due.length, `step ${step}`);
        if (count === 0) break;
        const taken = await queue.take();
        assert.ok(taken !== undefined);
        assert.ok(!running.has(taken.key), 'two workers have one key');
        assert.ok((owed.get(taken.key) ?? Number.POSITIVE_INFINITY) <= clock.elapsed());
        owed.delete(taken.key);
        running.add(taken.key);
      }
    }
  }
  for (const key of running) queue.done(key);
  await clock.advance(100);
  assert.deepEqual(new Set(await takeAll(queue)), new Set(owed.keys()));
}

function setUp(): { queue: WorkQueue; clock: ManualClock } {
  const clock = new ManualClock();
  return { clock, queue: createWorkQueue({ clock }) };
}

/** Takes what is ready, and is done with it. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = [];
  for (;;) {
    const { ready } = queue.reading();
    if (ready.change + ready.other + ready.resync === 0) break;
    const key = (await queue.take())?.key ?? '';
    taken.push(key);
    queue.done(key);
  }
  return taken;
}

async function delayOf(queue: WorkQueue, clock: ManualClock, add: () => void): Promise<number> {
  add();
  const began = clock.elapsed();
  const taking = queue.take().then(({ key } = { key: '', priority: 'other', waitedMs: 0 }) => {
    queue.done(key);
    return clock.elapsed() - began;
  });
  await clock.advance(1_100_000);
  return taking;
}

async function stateOf(promise: Promise<unknown>): Promise<'waiting' | 'settled'> {
  const settled = promise.then(() => 'settled' as const);
  const turn = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')));
  return Promise.race([settled, turn]);
}
