import {
  type Client,
  createClient,
  createTransport,
  type Kubeconfig,
  loadKubeconfig,
  resolveAccess,
} from '@flotilla/client';
import { DEFAULT_GATEWAY_NAMESPACE, findGateway } from '@flotilla/hub';
import { systemClock } from '@flotilla/machinery';
import type { Io } from '../io.ts';

/** The hub as a command sees it: who asks comes from the user's own kubeconfig. */
export interface HubSession extends AsyncDisposable {
  readonly client: Client;
  readonly kubeconfig: Kubeconfig;
  /** Where cluster Secrets are. */
  readonly gatewayNamespace: string;
  /** Whether requests to members can go through the gateway. */
  readonly hasGateway: boolean;
  /** Where registrations are made; others are found wherever they are. */
  readonly namespace: string;
  /** Who asks, and where answers go. */
  readonly io: Io;
}

/** The flags every command of the group has. */
export interface HubFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
}

/** Opens the hub that kubectl would talk to. */
export async function openHub(
  flags: HubFlags,
  io: Io,
  random: () => number = () => 0.5,
): Promise<HubSession> {
  const kubeconfig = await loadKubeconfig({
    env: io.env,
    home: io.homeFolder,
    path: flags.kubeconfig,
  });
  const access = await resolveAccess(kubeconfig, { env: io.env, context: flags.context });
  const client = createClient(createTransport({ access, clock: systemClock, random, env: io.env }));
  try {
    const gateway = await findGateway(client.get, DEFAULT_GATEWAY_NAMESPACE);
    return {
      client,
      kubeconfig,
      gatewayNamespace: gateway.namespace,
      hasGateway: gateway.state === 'available',
      namespace: flags.namespace ?? gateway.namespace,
      io,
      [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    };
  } catch (error) {
    await client[Symbol.asyncDispose]();
    throw error;
  }
}
