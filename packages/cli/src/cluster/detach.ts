import { type ClusterRegistration, ClusterRegistrations } from '@flotilla/api';
import {
  createClient,
  createTransport,
  loadKubeconfig,
  resolveAccess,
  Secrets,
} from '@flotilla/client';
import { readClusterSecret, releaseSecret, scrubResourceTrackers } from '@flotilla/hub';
import { defineKind, isConflict, isNotFound, systemClock } from '@flotilla/machinery';
import type { Io } from '../io.ts';
import { UsageError } from '../usage-error.ts';
import { keyOf } from './change-cluster.ts';
import { type FleetCluster, ManagedClusters } from './fleet.ts';
import type { HubSession } from './hub-session.ts';
import { requireCluster } from './require-cluster.ts';
import { waitFor } from './wait-for.ts';

const FINALIZER = 'multicluster.oam.dev/cluster-registration';
const FORCE = 'multicluster.oam.dev/force-detach';
/** How long the controller is given before `--force` does its work. */
const CONTROLLER_MS = 10_000;

const Klusterlets = defineKind({
  group: 'operator.open-cluster-management.io',
  version: 'v1',
  kind: 'Klusterlet',
  plural: 'klusterlets',
  namespaced: false,
});

/** What `detach` is told. */
export interface DetachOptions {
  readonly name: string;
  /** Leaves the cluster Secret to others. */
  readonly orphan?: boolean;
  /** Does not wait for a controller that does not answer. */
  readonly force?: boolean;
  /** The member's kubeconfig, for ManagedClusters. */
  readonly kubeconfigPath?: string;
  readonly timeoutMs: number;
}

/** Takes a cluster out of the fleet. The cluster itself is not asked, and what runs there stays. */
export async function detach(hub: HubSession, options: DetachOptions): Promise<number> {
  const { io } = hub;
  const { name } = options;
  const cluster = await requireCluster(hub, name);
  if (cluster.source === 'hub')
    throw new Error('Cannot detach cluster "local": it is the hub itself');
  if (options.orphan === true && cluster.registration === undefined) {
    throw new UsageError(`Cannot orphan cluster "${name}": it has no registration`);
  }
  if (cluster.registration !== undefined) {
    await detachRegistered(hub, cluster.registration, options);
  } else if (cluster.secret !== undefined) {
    await tell(scrubResourceTrackers(hub.client, name, io.signal), name, io);
    await deleteExactly(hub, cluster);
  } else {
    await detachManaged(hub, cluster, options);
  }
  io.out(`Detach cluster ${name} successfully.\n`);
  return 0;
}

async function detachRegistered(
  hub: HubSession,
  registration: ClusterRegistration,
  { orphan = false, force = false, timeoutMs }: DetachOptions,
): Promise<void> {
  const { io } = hub;
  const key = keyOf(registration);
  const { client } = hub;
  const { signal } = io;
  if (orphan || force) {
    await client.patch(ClusterRegistrations, key, {
      type: 'merge',
      fieldManager: 'flotilla-cli',
      signal,
      body: {
        ...(force ? { metadata: { annotations: { [FORCE]: 'true' } } } : {}),
        ...(orphan ? { spec: { deletionPolicy: 'Orphan' } } : {}),
      },
    });
  }
  const { uid } = registration.metadata;
  await client.delete(ClusterRegistrations, key, {
    ...(uid === undefined ? {} : { preconditions: { uid } }),
    signal,
  });
  const isGone = (each: ClusterRegistration | undefined) => each?.metadata.uid !== uid;
  try {
    await waitFor(client, key, {
      isDone: isGone,
      timeoutMs: force ? Math.min(CONTROLLER_MS, timeoutMs) : timeoutMs,
      signal,
    });
  } catch (error) {
    if (!force || signal.aborted) throw error;
    io.err('Note: no controller answers; detaching from here\n');
    await detachOurselves(hub, key, orphan);
  }
}

/** What the controller would do, for a hub that has none. */
async function detachOurselves(
  hub: HubSession,
  key: { namespace?: string; name: string },
  orphan: boolean,
): Promise<void> {
  const { io } = hub;
  const { client } = hub;
  const current = await client.get(ClusterRegistrations, key, { signal: io.signal });
  const registered = current.status?.registeredName;
  if (registered !== undefined) {
    if (!orphan) await tell(scrubResourceTrackers(client, registered, io.signal), registered, io);
    const place = { namespace: hub.gatewayNamespace, name: registered };
    const secret = await absentIsUndefined(client.get(Secrets, place, { signal: io.signal }));
    const owner = secret === undefined ? undefined : readClusterSecret(secret)?.owner;
    const isOurs = secret !== undefined && owner?.uid === current.metadata.uid;
    if (isOurs && orphan) {
      // Before the registration goes: what it owns is collected with it.
      await releaseSecret(client, secret, {
        ownerUid: current.metadata.uid,
        signal: io.signal,
      });
    } else if (isOurs) {
      await client.delete(Secrets, place, {
        ...(secret.metadata.uid === undefined
          ? {}
          : { preconditions: { uid: secret.metadata.uid } }),
        signal: io.signal,
      });
    }
  }
  await client.patch(ClusterRegistrations, key, {
    type: 'merge',
    fieldManager: 'flotilla-cli',
    signal: io.signal,
    body: {
      metadata: {
        resourceVersion: current.metadata.resourceVersion,
        finalizers: (current.metadata.finalizers ?? []).filter((each) => each !== FINALIZER),
      },
    },
  });
}

async function deleteExactly(hub: HubSession, { secret, name }: FleetCluster): Promise<void> {
  const { io } = hub;
  if (secret === undefined) return;
  const { uid } = secret.metadata;
  try {
    await hub.client.delete(Secrets, keyOf(secret), {
      ...(uid === undefined ? {} : { preconditions: { uid } }),
      signal: io.signal,
    });
  } catch (error) {
    if (isNotFound(error)) return;
    if (!isConflict(error)) throw error;
    throw new Error(`Cannot detach cluster "${name}": it was joined anew just now; look again`, {
      cause: error,
    });
  }
}

async function detachManaged(
  hub: HubSession,
  { managedCluster, name }: FleetCluster,
  { kubeconfigPath }: DetachOptions,
): Promise<void> {
  const { io } = hub;
  if (managedCluster === undefined) return;
  if (kubeconfigPath === undefined) {
    throw new UsageError(
      `Cannot detach cluster "${name}": it is Open Cluster Management's, and its agent must be removed as well; give the member's kubeconfig with --kubeconfig-path`,
    );
  }
  const kubeconfig = await loadKubeconfig({
    env: io.env,
    home: io.homeFolder,
    path: kubeconfigPath,
  });
  const access = await resolveAccess(kubeconfig, { env: io.env });
  await using member = createClient(
    createTransport({ access, clock: systemClock, random: () => 0.5, env: io.env }),
  );
  // The agent first: it would register the cluster again.
  await absentIsUndefined(
    member.delete(Klusterlets, { name: 'klusterlet' }, { signal: io.signal }),
  );
  await absentIsUndefined(
    hub.client.delete(ManagedClusters, keyOf(managedCluster), { signal: io.signal }),
  );
}

async function tell(
  scrub: ReturnType<typeof scrubResourceTrackers>,
  name: string,
  io: Io,
): Promise<void> {
  const { failed } = await scrub;
  if (failed > 0) {
    io.err(
      `Warning: ${failed} ResourceTrackers still name cluster ${name}; detach again to try once more\n`,
    );
  }
}

async function absentIsUndefined<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
