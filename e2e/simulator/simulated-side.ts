import { createClient, createTransport, staticCredential } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startSimulator } from '@flotilla/simulator';
import { type Api, apiOf } from '../api.ts';
import { NODES } from '../cluster.ts';
import { BUILT_IN, type Side, type SideName, startSide } from '../sides.ts';

/** A server with simulated nodes and controllers instead of Kubernetes' programs. */
export interface SimulatedSide extends AsyncDisposable {
  readonly side: Side;
  readonly api: Api;
}

const random = (): number => 0.5;

/** Starts it; its nodes are ready. A real server gets the controllers that are part of ours. */
export async function startSimulatedSide(name: SideName): Promise<SimulatedSide> {
  const side = await startSide(name, { controllers: BUILT_IN });
  const access = {
    server: side.url,
    tls: { ca: side.ca },
    credential: staticCredential({ authorization: `Bearer ${side.token}` }),
    namespace: 'default',
  };
  const client = createClient(createTransport({ access, clock: systemClock, random }));
  const simulator = await startSimulator({ client, clock: systemClock, random, nodes: NODES });
  const api = apiOf(side);
  return {
    side,
    api,
    [Symbol.asyncDispose]: async () => {
      api[Symbol.dispose]();
      await simulator[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await side.stop();
    },
  };
}
