import { createClient, createTransport, type Transport, type WireResponse } from '@flotilla/client';
import { LOCAL_CLUSTER, memberAccess, readClusterSecret } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import type { Io } from '../io.ts';
import type { FleetCluster } from './fleet.ts';
import { gatewayPath } from './gateway-path.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';

/** Longest wait for one answer. */
const TIMEOUT_MS = 30_000;

/** Asks a cluster whether it is healthy, the way consumers reach it. */
export async function probe(hub: HubSession, name: string): Promise<number> {
  const { io } = hub;
  const cluster = await requireCluster(hub, name);
  let failure: string;
  try {
    const answer = await ask(hub, cluster);
    const body = answer.body.toString().trim();
    if (answer.status === 200) {
      io.out(`${body}\n`);
      return 0;
    }
    failure = `HTTP ${answer.status}: ${body.slice(0, 1024)}`;
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  io.err(`failed connect cluster ${name}: ${failure}\n`);
  return 1;
}

async function ask(hub: HubSession, cluster: FleetCluster): Promise<WireResponse> {
  const { io } = hub;
  if (cluster.name === LOCAL_CLUSTER) return await healthz(hub.client.transport, '', io);
  if (hub.hasGateway && cluster.secret !== undefined) {
    return await healthz(hub.client.transport, gatewayPath(cluster.name), io);
  }
  const access =
    cluster.secret === undefined ? undefined : readClusterSecret(cluster.secret)?.access;
  if (access === undefined) {
    throw new Error(
      cluster.source === 'registration'
        ? 'it is not registered yet; flotilla cluster show tells why'
        : `clusters of type ${cluster.type} are reached through the gateway, and there is none`,
    );
  }
  io.err('Note: there is no gateway on the hub; asking from here\n');
  await using client = createClient(
    createTransport({
      access: memberAccess(access),
      clock: systemClock,
      random: () => 0.5,
      env: io.env,
    }),
  );
  return await healthz(client.transport, '', io);
}

function healthz(transport: Transport, prefix: string, io: Io): Promise<WireResponse> {
  return transport.send({
    method: 'GET',
    path: `${prefix}/healthz`,
    headers: { accept: '*/*' },
    timeouts: { totalMs: TIMEOUT_MS },
    signal: io.signal,
    maxBytes: 64 * 1024,
  });
}
