import type { Client } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import { findGateway, type Gateway } from '../cluster-secret/gateway-namespace.ts';

/** How long an answer is good for: a thousand heartbeats need not ask a thousand times. */
const FRESH_MS = 15_000;

/** Asks for the gateway now and then, however often it is called. */
export function rememberGateway(
  { client, clock }: { readonly client: Pick<Client, 'get'>; readonly clock: Clock },
  fallback: string,
): (signal: AbortSignal) => Promise<Gateway> {
  let known: { readonly at: number; readonly gateway: Gateway } | undefined;
  let asking: Promise<Gateway> | undefined;
  const ask = async (): Promise<Gateway> => {
    try {
      // No caller's signal: the answer is for all who wait for it.
      const gateway = await findGateway(client.get, fallback);
      known = { at: clock.elapsed(), gateway };
      return gateway;
    } finally {
      asking = undefined;
    }
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (known !== undefined && clock.elapsed() - known.at < FRESH_MS) return known.gateway;
    asking ??= ask();
    return asking;
  };
}
