import { createClient, createTransport } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { createHub, defaultHubConfig } from '../../../hub.ts';
import { LeapClock } from '../../testing/leap-clock.ts';
import { gatedTransport } from './gated-transport.ts';
import type { StartLife } from './life.ts';

/** How fast time goes by for who is dead, so that nobody waits for its last attempts. */
const LEAP_MS = 1_000;
const LEAP_EVERY_MS = 2;

/**
 * Runs the controllers in this process, with connections, a clock and a memory of their own. A kill needs a gate that
 * lets nothing through any more: then all that is left to do is to wait until they have given up.
 */
export const startInProcess: StartLife = ({ access, gate }) => {
  const clock = new LeapClock();
  const random = Math.random;
  const transport = createTransport({ access, clock, random });
  const client = createClient(gatedTransport(transport, { gate, name: 'hub' }), { clock });
  const hub = createHub({
    client,
    clock,
    random,
    config: {
      ...defaultHubConfig,
      publishesInventory: false,
      endpoints: { allow: [], deny: [], allowsLoopback: true },
    },
  });
  const stop = new AbortController();
  let isGone = false;
  const run = async (): Promise<void> => {
    try {
      await hub.run(stop.signal);
    } finally {
      await client[Symbol.asyncDispose]();
      isGone = true;
    }
  };
  const gone = run();
  // Whoever waits for it hears of it.
  gone.catch(() => {});
  const hurry = async (): Promise<void> => {
    while (!isGone) {
      await systemClock.wait(LEAP_EVERY_MS);
      clock.leap(LEAP_MS);
    }
  };
  return {
    end: async () => {
      stop.abort(new Error('The test ends the controllers'));
      await gone;
    },
    kill: () => {
      stop.abort(new Error('The test kills the controllers'));
      void hurry();
    },
    gone,
  };
};
