import {
  isAlreadyExists,
  isConflict,
  isForbidden,
  isJsonObject,
  isNotFound,
} from '@flotilla/machinery';
import {
  APPLIED_LABELS_ANNOTATION,
  OWNER_ANNOTATION,
  OWNER_UID_ANNOTATION,
} from '../../cluster-secret/names.ts';
import { isServed } from '../served-kinds.ts';
import { type ManagedCluster, ManagedClusters } from './kinds.ts';
import { ACCEPTED_ANNOTATION, FIELD_MANAGER } from './names.ts';
import { OcmProblem, PROGRAM_MS } from './ocm-problem.ts';
import type { OcmClient, OcmWanted } from './types.ts';

/** Makes the ManagedCluster exist, ours, accepted and labelled; throws OcmProblem where that cannot be. */
export async function ensureManagedCluster(
  hub: OcmClient,
  wanted: OcmWanted,
  signal: AbortSignal,
): Promise<ManagedCluster> {
  try {
    const found = await read(hub, wanted.name, signal);
    if (found === undefined) return await create(hub, wanted, signal);
    if (found.metadata.deletionTimestamp !== undefined) {
      const message = `ManagedCluster "${wanted.name}" is being deleted; the cluster joins again once it is gone`;
      throw new OcmProblem('HubNotReady', message, PROGRAM_MS);
    }
    claim(found, wanted);
    return await update(hub, { found, wanted }, signal);
  } catch (error) {
    if (error instanceof OcmProblem || signal.aborted) throw error;
    const message = `Cannot write ManagedCluster "${wanted.name}": ${(error as Error).message}`;
    // Somebody else was faster; the next look sees what they wrote.
    if (isConflict(error) || isAlreadyExists(error)) {
      throw new OcmProblem('WriteFailed', message, PROGRAM_MS);
    }
    throw new OcmProblem('WriteFailed', message);
  }
}

async function read(
  hub: OcmClient,
  name: string,
  signal: AbortSignal,
): Promise<ManagedCluster | undefined> {
  try {
    return await hub.get(ManagedClusters, { name }, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    if (await isServed(hub, ManagedClusters, signal)) return undefined;
    throw new OcmProblem(
      'EngineNotSupported',
      'The hub has no ManagedClusters (cluster.open-cluster-management.io/v1): install Open Cluster Management, such as with "clusteradm init", or use the engine cluster-gateway',
    );
  }
}

async function create(
  hub: OcmClient,
  wanted: OcmWanted,
  signal: AbortSignal,
): Promise<ManagedCluster> {
  const cluster = (hubAcceptsClient: boolean): ManagedCluster => ({
    apiVersion: 'cluster.open-cluster-management.io/v1',
    kind: 'ManagedCluster',
    metadata: {
      name: wanted.name,
      labels: { ...wanted.labels },
      annotations: {
        ...marks(wanted),
        ...(hubAcceptsClient ? { [ACCEPTED_ANNOTATION]: 'true' } : {}),
      },
    },
    spec: { hubAcceptsClient, leaseDurationSeconds: 60 },
  });
  const options = { fieldManager: FIELD_MANAGER, signal };
  try {
    return await hub.create(ManagedClusters, cluster(true), options);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // Creating may be allowed where accepting is not: it is there then for somebody who may.
    await hub.create(ManagedClusters, cluster(false), options);
    throw mayNotAccept(wanted.name);
  }
}

async function update(
  hub: OcmClient,
  { found, wanted }: { found: ManagedCluster; wanted: OcmWanted },
  signal: AbortSignal,
): Promise<ManagedCluster> {
  const { uid, resourceVersion, labels = {}, annotations = {} } = found.metadata;
  const isAccepted = found.spec?.hubAcceptsClient === true;
  if (!isAccepted && annotations[ACCEPTED_ANNOTATION] === 'true') {
    throw new OcmProblem(
      'AwaitingAcceptance',
      `ManagedCluster "${wanted.name}" was denied on the hub: set its spec.hubAcceptsClient to true to let it join again`,
    );
  }
  const dropped = appliedLabels(annotations).filter((key) => !Object.hasOwn(wanted.labels, key));
  const wantedMarks = { ...marks(wanted), [ACCEPTED_ANNOTATION]: 'true' };
  const isSame =
    isAccepted &&
    holds(labels, wanted.labels) &&
    holds(annotations, wantedMarks) &&
    !dropped.some((key) => Object.hasOwn(labels, key));
  if (isSame) return found;
  const gone = Object.fromEntries(dropped.map((key) => [key, null]));
  try {
    return await hub.patch(
      ManagedClusters,
      { name: wanted.name },
      {
        type: 'merge',
        body: {
          metadata: {
            uid,
            resourceVersion,
            labels: { ...gone, ...wanted.labels },
            annotations: wantedMarks,
          },
          spec: { hubAcceptsClient: true },
        },
        fieldManager: FIELD_MANAGER,
        signal,
      },
    );
  } catch (error) {
    if (isForbidden(error) && !isAccepted) throw mayNotAccept(wanted.name);
    throw error;
  }
}

/** Throws unless the ManagedCluster is this registration's, or may become it. */
function claim(
  { metadata, spec }: ManagedCluster,
  { name, owner, adopts = false }: OcmWanted,
): void {
  const { annotations = {} } = metadata;
  const current = annotations[OWNER_ANNOTATION];
  if (current === undefined) {
    // One that nobody accepted is an agent's wish, or left over; it gives nobody anything.
    if (adopts || spec?.hubAcceptsClient !== true) return;
    throw new OcmProblem(
      'NotAdoptable',
      `ManagedCluster "${name}" is there already and accepted: spec.adoptionPolicy IfUnmanaged takes it over`,
    );
  }
  // The same name with another uid was deleted: there is only one of a name at a time.
  if (current === `${owner.namespace}/${owner.name}`) return;
  throw new OcmProblem(
    'NameConflict',
    `ManagedCluster "${name}" belongs to registration ${current}`,
  );
}

function mayNotAccept(name: string): OcmProblem {
  return new OcmProblem(
    'AwaitingAcceptance',
    `ManagedCluster "${name}" is not accepted: this controller may not, as that takes the verb update on managedclusters/accept in register.open-cluster-management.io; grant it, or set spec.hubAcceptsClient to true`,
  );
}

function marks({ owner, labels }: OcmWanted): Record<string, string> {
  return {
    [OWNER_ANNOTATION]: `${owner.namespace}/${owner.name}`,
    [OWNER_UID_ANNOTATION]: owner.uid,
    [APPLIED_LABELS_ANNOTATION]: JSON.stringify(Object.keys(labels).toSorted()),
  };
}

function appliedLabels(annotations: Readonly<Record<string, string>>): string[] {
  try {
    const read: unknown = JSON.parse(annotations[APPLIED_LABELS_ANNOTATION] ?? '[]');
    return Array.isArray(read) ? read.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

function holds(all: unknown, some: Readonly<Record<string, string>>): boolean {
  return isJsonObject(all) && Object.entries(some).every(([key, value]) => all[key] === value);
}
