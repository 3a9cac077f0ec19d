import { type Client, createClient, createTransport, Namespaces, Secrets } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { SecretValue } from '@flotilla/runtime';
import { startServer, type TestApiServer } from '@flotilla/testkit';
import { clusterSecretData } from '../../cluster-secret/cluster-secret-data.ts';
import type { MemberAccess } from '../../cluster-secret/member-access.ts';
import { CREDENTIAL_TYPE_LABEL } from '../../cluster-secret/names.ts';
import { type GatewayOptions, mountGateway } from '../mount-gateway.ts';

/** Where the tests keep cluster Secrets. */
export const NAMESPACE = 'vela-system';
/** Where the group is served. */
export const GATEWAYS = '/apis/cluster.core.oam.dev/v1alpha1/clustergateways';
export const VIRTUAL = '/apis/cluster.core.oam.dev/v1alpha1/virtualclusters';

/** A hub with a gateway. */
export interface GatewayHub extends AsyncDisposable {
  readonly server: TestApiServer;
  readonly client: Client;
  /** The same hub as somebody else. */
  readonly as: (user: string, groups?: readonly string[]) => Client;
  /** Writes a cluster Secret, new or anew. */
  readonly join: (name: string, access: MemberAccess, metadata?: Metadata) => Promise<void>;
}

interface Metadata {
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
}

/** Starts a hub whose gateway is as the options say. */
export async function startHub(options: Partial<GatewayOptions> = {}): Promise<GatewayHub> {
  const mount = mountGateway({ namespace: NAMESPACE, clock: systemClock, ...options });
  const server = await startServer({ mounts: [mount] });
  const clients: Client[] = [];
  const connect = (access: TestApiServer['access']): Client => {
    const client = createClient(createTransport({ access, clock: systemClock, random: () => 0.5 }));
    clients.push(client);
    return client;
  };
  const client = connect(server.access);
  await client.create(Namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: NAMESPACE },
  });
  return {
    server,
    client,
    as: (user, groups) => connect(server.accessAs(user, groups)),
    join: async (name, access, { labels = {}, annotations = {} } = {}) => {
      await client.apply(
        Secrets,
        {
          apiVersion: 'v1',
          kind: 'Secret',
          metadata: {
            name,
            namespace: NAMESPACE,
            labels: { [CREDENTIAL_TYPE_LABEL]: access.credential.type, ...labels },
            annotations,
          },
          data: clusterSecretData(access),
        },
        { fieldManager: 'test', force: true },
      );
    },
    [Symbol.asyncDispose]: async () => {
      for (const each of clients) await each[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What leads to an embedded server as its administrator. */
export async function accessTo(member: TestApiServer): Promise<MemberAccess> {
  const { authorization = '' } = await member.access.credential.present();
  return tokenAccess(member.url, member.access.tls.ca, authorization.replace('Bearer ', ''));
}

/** What leads to any server with a token. */
export function tokenAccess(endpoint: string, ca: string | undefined, token: string): MemberAccess {
  return {
    endpoint,
    ca,
    credential: { type: 'ServiceAccountToken', token: new SecretValue(token) },
  };
}
