import type { Clock } from '@flotilla/machinery';
import type { Logger } from '../observer.ts';
import type { WorkQueue } from '../queue/work-queue.ts';

/** One pass that has begun. */
export interface StartedPass {
  /** Resolves when it is over, however it ended. */
  readonly ended: Promise<void>;
  /** Resolves when it was told to end and did not. */
  readonly givenUp: Promise<void>;
}

/** Takes keys out of a queue and has passes made over them, several at a time. */
export interface Workers {
  /** Resolves when the queue is shut down and the last pass has ended or been given up. */
  readonly run: (queue: WorkQueue, begin: (key: string) => StartedPass) => Promise<void>;
  /** Passes that were given up and still hold their keys. */
  readonly abandoned: number;
}

/** Work that never waits for anything would keep timers and sockets from their turn. */
const SLICE_MS = 5;

/** Hires workers. */
export function createWorkers(options: {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly logger: Logger;
  readonly concurrency: number;
}): Workers {
  const { clock, logger, concurrency } = options;
  let abandoned = 0;
  let sliceBegan = clock.elapsed();

  async function work(queue: WorkQueue, begin: (key: string) => StartedPass): Promise<void> {
    for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
      const { key } = taken;
      const { ended, givenUp } = begin(key);
      let isOver = false;
      const over = ended.then(() => {
        isOver = true;
        queue.done(key);
      });
      await Promise.race([over, givenUp]);
      // The key stays taken, so that no second pass meets the first; the worker goes on to others.
      if (!isOver) giveUp(key, over);
      if (clock.elapsed() - sliceBegan > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        sliceBegan = clock.elapsed();
      }
    }
  }

  function giveUp(key: string, over: Promise<void>): void {
    abandoned++;
    logger.error('Cannot end a pass: it takes no notice of its signal', { key });
    void over.then(() => {
      abandoned--;
    });
  }

  return {
    run: async (queue, begin) => {
      await Promise.all(Array.from({ length: concurrency }, () => work(queue, begin)));
    },
    get abandoned() {
      return abandoned;
    },
  };
}
