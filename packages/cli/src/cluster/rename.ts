import { ClusterRegistrations } from '@flotilla/api';
import { type Secret, Secrets } from '@flotilla/client';
import { clusterReferences, LOCAL_CLUSTER } from '@flotilla/hub';
import { isDNS1123Label } from '@flotilla/machinery';
import { findCondition } from '@flotilla/runtime';
import { UsageError } from '../usage-error.ts';
import { keyOf } from './change-cluster.ts';
import { type FleetCluster, findCluster } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';
import { stateOf, waitFor } from './wait-for.ts';

const FORCE = 'multicluster.oam.dev/force-rename';

/** What `rename` is told. */
export interface RenameOptions {
  readonly from: string;
  readonly to: string;
  /** Renames although Applications or ResourceTrackers name the cluster. */
  readonly force?: boolean;
  readonly timeoutMs: number;
}

/** Gives a cluster another name in the fleet. */
export async function rename(hub: HubSession, options: RenameOptions): Promise<number> {
  const { from, to } = options;
  if (to === LOCAL_CLUSTER || isDNS1123Label(to).length > 0) {
    throw new UsageError(
      `Cannot use cluster name "${to}": it must be lower-case letters, digits and "-", at most 63, and not "local"`,
    );
  }
  const cluster = await requireCluster(hub, from);
  if ((await findCluster(hub, to)) !== undefined) {
    throw new Error(`Cannot rename cluster "${from}": there is a cluster "${to}" already`);
  }
  if (cluster.registration !== undefined) return await renameRegistered(hub, cluster, options);
  if (cluster.secret === undefined) {
    throw new Error(
      `Cannot rename cluster "${from}": clusters of type ${cluster.type} keep their name`,
    );
  }
  return await renameSecret(hub, cluster.secret, options);
}

async function renameRegistered(
  hub: HubSession,
  { registration }: FleetCluster,
  { from, to, force = false, timeoutMs }: RenameOptions,
): Promise<number> {
  const { io } = hub;
  if (registration === undefined) return 1;
  const key = keyOf(registration);
  const changed = await hub.client.patch(ClusterRegistrations, key, {
    type: 'merge',
    fieldManager: 'flotilla-cli',
    signal: io.signal,
    body: {
      ...(force ? { metadata: { annotations: { [FORCE]: 'true' } } } : {}),
      spec: { clusterName: to },
    },
  });
  const generation = changed.metadata.generation ?? 0;
  const settled = await waitFor(hub.client, key, {
    isDone: (each) =>
      each === undefined ||
      each.status?.registeredName === to ||
      ((each.status?.observedGeneration ?? 0) >= generation && blockage(each) !== undefined),
    timeoutMs,
    signal: io.signal,
  });
  if (settled?.status?.registeredName === to) {
    io.out(`Rename cluster ${from} to ${to} successfully.\n`);
    return 0;
  }
  io.err(
    `Cannot rename cluster "${from}": ${(settled && blockage(settled)) ?? stateOf(settled)}\nIt keeps its name until the obstacle is gone; --force renames it all the same\n`,
  );
  return 1;
}

function blockage(registration: NonNullable<FleetCluster['registration']>): string | undefined {
  const registered = findCondition(
    (registration.status?.conditions ?? []) as Parameters<typeof findCondition>[0],
    'ClusterRegistered',
  );
  return registered?.status === 'False' ? registered.message : undefined;
}

/** The new Secret first: at no moment the cluster has no name. */
async function renameSecret(
  hub: HubSession,
  secret: Secret,
  { from, to, force = false }: RenameOptions,
): Promise<number> {
  const { io } = hub;
  const references = await clusterReferences(hub.client, from, io.signal);
  if (references.length > 0 && !force) {
    throw new Error(
      `Cannot rename cluster "${from}": it is named by ${references.join(', ')}; --force renames it all the same`,
    );
  }
  const { labels, annotations, namespace = '' } = secret.metadata;
  await hub.client.create(
    Secrets,
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        namespace,
        name: to,
        ...(labels === undefined ? {} : { labels }),
        ...(annotations === undefined ? {} : { annotations }),
      },
      ...(secret.type === undefined ? {} : { type: secret.type }),
      ...(secret.data === undefined ? {} : { data: secret.data }),
    },
    { fieldManager: 'flotilla-cli', signal: io.signal },
  );
  await hub.client.delete(Secrets, keyOf(secret), {
    preconditions: { ...(secret.metadata.uid === undefined ? {} : { uid: secret.metadata.uid }) },
    signal: io.signal,
  });
  io.out(`Rename cluster ${from} to ${to} successfully.\n`);
  return 0;
}
