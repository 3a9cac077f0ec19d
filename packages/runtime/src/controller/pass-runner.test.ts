import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Informer, Informers } from '@flotilla/client';
import { defineKind, type KubeObject, StatusError, tooManyRequests } from '@flotilla/machinery';
import { ManualClock } from '@flotilla/machinery/testing';
import { silentLogger, silentObserver } from '../observer.ts';
import { createWorkQueue } from '../queue/work-queue.ts';
import { createOverlay } from './overlay.ts';
import { createPassRunner } from './pass-runner.ts';

const Things = defineKind<KubeObject>({
  group: 'test.flotilla.dev',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
});

describe('a pass that fails', () => {
  test('is repeated soon', async () => {
    assert.equal(await delayAfter(new Error('broken')), 5);
  });

  test('is repeated no earlier than the server asks that refused', async () => {
    const busy = tooManyRequests('slow down', 30);
    const down = new StatusError(503, 'ServiceUnavailable', 'down', { retryAfterSeconds: 7 });

    assert.equal(await delayAfter(busy), 30_000);
    assert.equal(await delayAfter(down), 7_000);
    assert.equal(await delayAfter(new Error('Cannot publish', { cause: busy })), 30_000);
  });
});

/** After how long a key is ready again whose pass threw this. */
async function delayAfter(error: Error): Promise<number> {
  const clock = new ManualClock();
  const queue = createWorkQueue({ clock });
  const thing: KubeObject = {
    apiVersion: 'test.flotilla.dev/v1',
    kind: 'Thing',
    metadata: { name: 'a', namespace: 'n' },
  };
  const begin = createPassRunner(
    {
      name: 'thing',
      for: Things,
      reconcile: () => {
        throw error;
      },
    },
    {
      client: {} as never,
      informers: {} as Informers,
      clock,
      random: () => 0.5,
      logger: silentLogger,
      observer: silentObserver,
      recorder: {} as never,
      meter: silentObserver.controller({} as never),
      overlay: createOverlay({ get: () => thing } as unknown as Informer<KubeObject>),
      queue,
      bounds: {
        stop: new AbortController().signal,
        abort: new AbortController().signal,
        mayWrite: () => true,
      },
    },
  );
  queue.add('n/a');
  await queue.take();
  await begin('n/a').ended;
  queue.done('n/a');
  const begun = clock.elapsed();
  let readyAt: number | undefined;
  void queue.take().then(() => {
    readyAt = clock.elapsed();
  });
  for (let step = 0; readyAt === undefined && step < 10_000; step++) await clock.advance(5);
  queue.shutDown();
  return (readyAt ?? Number.NaN) - begun;
}
