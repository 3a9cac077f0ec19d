import { type ClusterProfile, ClusterProfiles, clusterProfile, crdOf } from '@flotilla/api';
import {
  type Client,
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  Namespaces,
} from '@flotilla/client';
import { isAlreadyExists, isNotFound } from '@flotilla/machinery';
import { eventually } from '@flotilla/testkit';

/** Where profiles of tests are unless they say otherwise. */
export const PROFILE_NAMESPACE = 'fleet';

/** What tests say of a profile; the rest is as an inventory would have it. */
export interface ProfileDraft {
  readonly name: string;
  /** @default PROFILE_NAMESPACE */
  readonly namespace?: string;
  /** @default 'flotilla' */
  readonly manager?: string;
  readonly displayName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** What stands in its status; healthy and v1.34.4 when undefined. */
  readonly status?: ClusterProfile['status'] | undefined;
}

/** A profile as its manager would write it. */
export function profileOf(draft: ProfileDraft): ClusterProfile {
  const manager = draft.manager ?? 'flotilla';
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: {
      name: draft.name,
      namespace: draft.namespace ?? PROFILE_NAMESPACE,
      labels: { 'x-k8s.io/cluster-manager': manager, ...draft.labels },
    },
    spec: {
      ...(draft.displayName === undefined ? {} : { displayName: draft.displayName }),
      clusterManager: { name: manager },
    },
    status: draft.status ?? healthyStatus(),
  };
}

/** Of a cluster that answers. */
export function healthyStatus(
  more: Partial<NonNullable<ClusterProfile['status']>> = {},
): NonNullable<ClusterProfile['status']> {
  return {
    conditions: [
      {
        type: 'ControlPlaneHealthy',
        status: 'True',
        reason: 'Healthy',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
    version: { kubernetes: 'v1.34.4' },
    ...more,
  };
}

/** A way to a server, as profiles offer it. */
export function offerOf(
  name: string,
  access: { server: string; tls: { ca?: string | undefined } },
) {
  const { ca } = access.tls;
  return {
    name,
    cluster: {
      server: access.server,
      ...(ca === undefined
        ? {}
        : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    },
  };
}

/** Has the hub serve ClusterProfiles. */
export async function installProfiles(client: Client): Promise<void> {
  await installCrd(client, crdOf(clusterProfile));
  await eventually(
    () => client.list(ClusterProfiles),
    () => true,
    { tolerates: isNotFound },
  );
}

/** Creates a CRD; lists of its kind work soon after. */
export async function installCrd(client: Client, crd: object): Promise<void> {
  await client.create(CustomResourceDefinitions, crd as CustomResourceDefinition);
}

/** Stores profiles with their status, and the namespaces they are in. */
export async function storeProfiles(
  client: Client,
  profiles: readonly ClusterProfile[],
): Promise<void> {
  const namespaces = new Set(profiles.map(({ metadata }) => metadata.namespace ?? 'default'));
  await Promise.all([...namespaces].map((name) => ensureNamespace(client, name)));
  await Promise.all(
    profiles.map(async (profile) => {
      const { metadata } = await client.create(ClusterProfiles, profile);
      if (profile.status === undefined) return;
      await client.replace(ClusterProfiles, { ...profile, metadata }, { subresource: 'status' });
    }),
  );
}

/** Creates a namespace where there is none. */
export async function ensureNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create(Namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name },
    });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}
