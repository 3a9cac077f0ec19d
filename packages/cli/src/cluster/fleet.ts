import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import { type Client, type Secret, Secrets } from '@flotilla/client';
import {
  type ClusterSecret,
  CREDENTIAL_TYPE_LABEL,
  LOCAL_CLUSTER,
  readClusterSecret,
} from '@flotilla/hub';
import { defineKind, isNotFound, type KubeObject } from '@flotilla/machinery';
import type { HubSession } from './hub-session.ts';

/** Open Cluster Management's word for a member. */
export interface ManagedCluster extends KubeObject {
  spec?: { hubAcceptsClient?: boolean };
}

/** Where ManagedClusters are served. */
export const ManagedClusters = defineKind<ManagedCluster>({
  group: 'cluster.open-cluster-management.io',
  version: 'v1',
  kind: 'ManagedCluster',
  plural: 'managedclusters',
  namespaced: false,
});

/** A cluster of the fleet, by whichever object makes it one. */
export interface FleetCluster {
  readonly name: string;
  readonly alias: string | undefined;
  /** Kind of credential, `Internal` for the hub, `ManagedCluster` for one of Open Cluster Management's. */
  readonly type: string;
  readonly endpoint: string | undefined;
  readonly isAccepted: boolean;
  /** Of registrations only. */
  readonly phase: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly source: 'hub' | 'registration' | 'secret' | 'managedcluster';
  readonly registration?: ClusterRegistration;
  readonly secret?: Secret;
  readonly managedCluster?: ManagedCluster;
}

/** The name under which a registration wants its member to be known. */
export function wantedName({ metadata, spec }: ClusterRegistration): string {
  return spec.clusterName ?? metadata.name ?? '';
}

/** Every cluster: the hub, registrations, cluster Secrets without one, ManagedClusters; newest first within each. */
export async function listFleet(hub: HubSession): Promise<FleetCluster[]> {
  const { signal } = hub.io;
  const [registrations, secrets, managed] = await Promise.all([
    listIfServed(hub.client, ClusterRegistrations, { signal }),
    hub.client.list(Secrets, {
      namespace: hub.gatewayNamespace,
      labelSelector: CREDENTIAL_TYPE_LABEL,
      signal,
    }),
    listIfServed(hub.client, ManagedClusters, { signal }),
  ]);
  return sortFleet(registrations, secrets.items, managed);
}

/** Puts the objects of a hub together; whatever is registered hides what its registration made. */
export function sortFleet(
  registrations: readonly ClusterRegistration[],
  secrets: readonly Secret[],
  managed: readonly ManagedCluster[],
): FleetCluster[] {
  const readSecrets = secrets.flatMap((secret) => {
    const read = readClusterSecret(secret);
    return read === undefined ? [] : [{ secret, read }];
  });
  const byName = new Map(readSecrets.map((each) => [each.read.name, each]));
  const registered = registrations.map((registration) =>
    fromRegistration(registration, byName.get(nameOf(registration))),
  );
  const taken = new Set(
    registered.filter(({ secret }) => secret !== undefined).map(({ name }) => name),
  );
  const known = new Set(registered.map(({ name }) => name));
  return [
    hubItself(),
    ...newestFirst(registered),
    ...newestFirst(
      readSecrets
        .filter(({ read }) => !taken.has(read.name))
        .map(({ secret, read }) => fromSecret(secret, read)),
    ),
    ...newestFirst(
      managed
        .filter(
          ({ metadata }) => !known.has(metadata.name ?? '') && !byName.has(metadata.name ?? ''),
        )
        .map(fromManagedCluster),
    ),
  ];
}

/** The one cluster of that name; undefined when there is none. */
export async function findCluster(
  hub: HubSession,
  name: string,
): Promise<FleetCluster | undefined> {
  const found = (await listFleet(hub)).filter((each) => each.name === name);
  // Of several registrations that want one name, the one that has it is meant.
  return found.find(({ secret }) => secret !== undefined) ?? found[0];
}

function nameOf(registration: ClusterRegistration): string {
  return registration.status?.registeredName ?? wantedName(registration);
}

function fromRegistration(
  registration: ClusterRegistration,
  known: { secret: Secret; read: ClusterSecret } | undefined,
): FleetCluster {
  const { metadata, spec, status } = registration;
  // Another's Secret of the same name is not what this registration made.
  const owned = known?.read.owner?.uid === metadata.uid ? known : undefined;
  const name = nameOf(registration);
  return {
    name,
    alias: spec.alias,
    type: owned?.read.credentialType ?? status?.clusterInfo?.credentialType ?? '',
    endpoint: owned?.read.endpoint ?? status?.clusterInfo?.endpoint,
    isAccepted: status?.registeredName !== undefined,
    phase: status?.phase,
    labels: { ...owned?.read.labels, ...spec.labels },
    createdAt: metadata.creationTimestamp ?? '',
    source: 'registration',
    registration,
    ...(owned === undefined ? {} : { secret: owned.secret }),
  };
}

function fromSecret(secret: Secret, read: ClusterSecret): FleetCluster {
  return {
    name: read.name,
    alias: read.alias,
    type: read.credentialType,
    // As `vela cluster list` shows it: where the endpoint's type is marked, the mark stands for the address.
    endpoint: read.endpointType === 'Const' ? read.endpoint : read.endpointType,
    isAccepted: true,
    phase: undefined,
    labels: read.labels,
    createdAt: secret.metadata.creationTimestamp ?? '',
    source: 'secret',
    secret,
  };
}

function fromManagedCluster(managedCluster: ManagedCluster): FleetCluster {
  const { metadata, spec } = managedCluster;
  return {
    name: metadata.name ?? '',
    alias: metadata.annotations?.['cluster.core.oam.dev/cluster-alias'],
    type: 'ManagedCluster',
    endpoint: undefined,
    isAccepted: spec?.hubAcceptsClient === true,
    phase: undefined,
    labels: metadata.labels ?? {},
    createdAt: metadata.creationTimestamp ?? '',
    source: 'managedcluster',
    managedCluster,
  };
}

function hubItself(): FleetCluster {
  return {
    name: LOCAL_CLUSTER,
    alias: undefined,
    type: 'Internal',
    endpoint: undefined,
    isAccepted: true,
    phase: undefined,
    labels: {},
    createdAt: '',
    source: 'hub',
  };
}

function newestFirst(clusters: FleetCluster[]): FleetCluster[] {
  return clusters.sort(
    (a, b) => b.createdAt.localeCompare(a.createdAt) || a.name.localeCompare(b.name),
  );
}

/** A kind that the hub does not have has no objects. */
async function listIfServed<T extends KubeObject>(
  client: Client,
  kind: Parameters<typeof client.list<T>>[0],
  options: { signal: AbortSignal },
): Promise<T[]> {
  try {
    return (await client.list(kind, options)).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
