import {
  type ClusterProfile,
  ClusterProfiles,
  type ClusterRegistration,
  type ClusterRegistrationStatus,
  ClusterRegistrations,
} from '@flotilla/api';
import { type Client, Events, type KubeEvent, type Secret, Secrets } from '@flotilla/client';
import { isNotFound, type ObjectKey } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';
import { DEFAULT_INVENTORY_NAMESPACE } from '../names.ts';

/** Where registrations and cluster Secrets of cases are. */
export const GATEWAY = 'vela-system';

/** Where profiles are. */
export const SPACE = DEFAULT_INVENTORY_NAMESPACE;

/** What must be in no profile, event or condition. */
export const TOKEN = 'token-of-the-member-that-nobody-may-see';

/** A registration in the gateway namespace, as its controller leaves it. */
export async function register(
  client: Client,
  name: string,
  {
    spec = {},
    status,
    metadata = {},
  }: { spec?: object; status?: ClusterRegistrationStatus; metadata?: object } = {},
): Promise<ClusterRegistration> {
  const created = await client.create(ClusterRegistrations, {
    apiVersion: 'multicluster.oam.dev/v1alpha1',
    kind: 'ClusterRegistration',
    metadata: { name, namespace: GATEWAY, ...metadata },
    spec: { credentialSource: { secretRef: { name: `${name}-kubeconfig` } }, ...spec },
  } as unknown as ClusterRegistration);
  return status === undefined ? created : setStatus(client, name, status);
}

/** Writes into a registration's status what its controller would. */
export function setStatus(
  client: Client,
  name: string,
  status: ClusterRegistrationStatus,
): Promise<ClusterRegistration> {
  return client.patch(
    ClusterRegistrations,
    { namespace: GATEWAY, name },
    { type: 'merge', body: { status }, subresource: 'status', fieldManager: 'registration' },
  );
}

/** The status of a cluster that works. */
export function readyStatus(
  registeredName: string,
  endpoint = `https://${registeredName}.example.com:6443`,
): ClusterRegistrationStatus {
  return {
    phase: 'Ready',
    registeredName,
    conditions: [condition('Ready', 'True/Registered', 'The member is registered')],
    clusterInfo: {
      endpoint,
      credentialType: 'ServiceAccountToken',
      clusterID: `uid-of-${registeredName}`,
      version: { major: '1', minor: '34', gitVersion: 'v1.34.4', platform: 'linux/amd64' },
    },
  };
}

/** One condition of a registration, its state as `status/reason`. */
export function condition(type: string, state: `${Status}/${string}`, message: string) {
  const [status, reason] = state.split('/') as [Status, string];
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

type Status = 'True' | 'False' | 'Unknown';

/** A cluster Secret. */
export function clusterSecret(
  name: string,
  {
    data = {},
    labels = {},
    annotations = {},
  }: {
    data?: Readonly<Record<string, string>>;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  } = {},
): Secret {
  const values = { endpoint: `https://${name}.example.com:6443`, token: TOKEN, ...data };
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name,
      namespace: GATEWAY,
      labels: { 'cluster.core.oam.dev/cluster-credential-type': 'ServiceAccountToken', ...labels },
      annotations,
    },
    data: Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, Buffer.from(value).toString('base64')]),
    ),
  };
}

/** Writes one. */
export function putSecret(
  client: Client,
  name: string,
  parts: Parameters<typeof clusterSecret>[1] = {},
): Promise<Secret> {
  return client.create(Secrets, clusterSecret(name, parts));
}

/** The profile of a name, once it is as it should be. */
export function profileOf(
  client: Client,
  where: string | ObjectKey,
  holds: (profile: ClusterProfile) => boolean = ({ status }) => status?.conditions !== undefined,
): Promise<ClusterProfile> {
  const key = typeof where === 'string' ? { namespace: SPACE, name: where } : where;
  return eventually(() => client.get(ClusterProfiles, key), holds, { tolerates: isNotFound });
}

/** Ends when there is no such profile any more. */
export async function untilGone(client: Client, name: string, namespace = SPACE): Promise<void> {
  await eventually(() =>
    client.get(ClusterProfiles, { namespace, name }).then(
      () => false,
      (error: unknown) => {
        if (!isNotFound(error)) throw error;
        return true;
      },
    ),
  );
}

/** A condition of a profile as `status/reason`. */
export function stateOf({ status }: ClusterProfile, type = 'ControlPlaneHealthy'): string {
  const found = status?.conditions?.find((each) => each.type === type);
  return `${found?.status ?? ''}/${found?.reason ?? ''}`;
}

/** The properties of a profile by name. */
export function propertiesOf({ status }: ClusterProfile): Record<string, string> {
  return Object.fromEntries((status?.properties ?? []).map(({ name, value }) => [name, value]));
}

/** What a registration says about its place in the inventory, as `status/reason`. */
export async function published(client: Client, name: string): Promise<string> {
  const { status } = await client.get(ClusterRegistrations, { namespace: GATEWAY, name });
  const found = status?.conditions?.find(({ type }) => type === 'InventoryPublished');
  return `${found?.status ?? ''}/${found?.reason ?? ''}`;
}

/** Events of a reason. */
export async function eventsOf(client: Client, reason: string): Promise<KubeEvent[]> {
  const { items } = await client.list(Events);
  return items.filter((event) => event.reason === reason);
}

/** A profile that somebody else keeps. */
export function foreignProfile(name: string, namespace: string, manager: string): ClusterProfile {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { name, namespace, labels: { 'x-k8s.io/cluster-manager': manager } },
    spec: { displayName: 'Theirs', clusterManager: { name: manager } },
  };
}

/** Notes what happens to profiles, as `TYPE name`, until it is stopped. */
export function watchNames(client: Client, seen: string[]): { readonly stop: () => Promise<void> } {
  const ending = new AbortController();
  const follow = async () => {
    const { metadata } = await client.list(ClusterProfiles);
    const { resourceVersion = '' } = metadata;
    const from = { namespace: SPACE, resourceVersion, signal: ending.signal };
    for await (const { type, object } of client.watch(ClusterProfiles, from)) {
      seen.push(`${type} ${object.metadata.name ?? ''}`);
    }
  };
  const watching = follow().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  return {
    stop: async () => {
      ending.abort();
      await watching;
    },
  };
}
