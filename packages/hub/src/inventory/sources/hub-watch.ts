import type { Client } from '@flotilla/client';
import { type Clock, deepEqual } from '@flotilla/machinery';
import type { ClusterFacts } from './cluster-facts.ts';
import { type HubRoute, hubFacts } from './hub-facts.ts';

/** Keeps what the hub says of itself. */
export interface HubWatch {
  /** Undefined before its first answer. */
  readonly facts: ClusterFacts | undefined;
  /** Resolves when the signal is aborted; never rejects. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** Hubs are upgraded now and then, and nothing tells us. */
const REFRESH_MS = 300_000;
const RETRY_MS = 10_000;

/** Asks the hub what it is, again and again. */
export function createHubWatch(options: {
  readonly client: Pick<Client, 'raw' | 'get' | 'pages'>;
  readonly clock: Pick<Clock, 'wait'>;
  readonly route: HubRoute | undefined;
  readonly changed: () => void;
  readonly report: (error: unknown) => void;
}): HubWatch {
  let facts: ClusterFacts | undefined;

  async function look(signal: AbortSignal): Promise<number> {
    try {
      const answer = await hubFacts(options.client, options.route, signal);
      const isSame = deepEqual(facts, answer);
      facts = answer;
      if (!isSame) options.changed();
      return REFRESH_MS;
    } catch (error) {
      if (!signal.aborted) options.report(error);
      return RETRY_MS;
    }
  }

  return {
    get facts() {
      return facts;
    },
    run: async (signal) => {
      while (!signal.aborted) {
        const pauseMs = await look(signal);
        await options.clock.wait(pauseMs, signal).catch(() => {});
      }
    },
  };
}
