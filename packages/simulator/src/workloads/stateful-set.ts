import { deepEqual, isAlreadyExists } from '@flotilla/machinery';
import {
  type ControllerRevision,
  PersistentVolumeClaims,
  type Pod,
  Pods,
  type StatefulSet,
  type StatefulSetStatus,
  StatefulSets,
} from '../kinds.ts';
import { isFinished, isReady, untilAvailableMs } from '../pod-facts.ts';
import { claim } from './claim.ts';
import { type Recheck, sooner, type Workloads } from './context.ts';
import { type History, keepHistory, trimHistory } from './controller-revisions.ts';
import { nonZero } from './replica-set.ts';
import { claimsOf, ordinalOf, podOf, REVISION_LABEL } from './stateful-pods.ts';

const COMPONENT = 'statefulset-controller';
const KEEPING = { kind: StatefulSets, hashLabel: 'controller.kubernetes.io/hash' };

interface State {
  readonly set: StatefulSet;
  readonly history: History;
  /** The revision that pods below the partition are of. */
  readonly current: ControllerRevision;
}

/**
 * Moves a StatefulSet one step on: pods come and go one after the other, by their ordinals, unless its policy is Parallel;
 * pods of an old template are replaced from the highest ordinal down.
 */
export async function reconcileStatefulSet(work: Workloads, set: StatefulSet): Promise<Recheck> {
  const { world } = work;
  const history = await keepHistory(world, KEEPING, set);
  const current =
    history.all.find(({ metadata }) => metadata.name === set.status?.currentRevision) ??
    history.present;
  const state: State = { set, history, current };
  const claimed = await claim(world, { ownerKind: StatefulSets, owner: set, kind: Pods });
  if (set.metadata.deletionTimestamp === undefined) await step(work, state, claimed);
  const pods = world.of(Pods).ownedBy(set.metadata.uid);
  const again = await writeStatus(work, state, pods);
  await trimHistory(world, {
    owner: set,
    history,
    inUse: new Set([
      current.metadata.name ?? '',
      ...pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''),
    ]),
  });
  return again;
}

async function step(work: Workloads, state: State, pods: readonly Pod[]): Promise<void> {
  const { set } = state;
  const isParallel = set.spec.podManagementPolicy === 'Parallel';
  const first = set.spec.ordinals?.start ?? 0;
  const end = first + (set.spec.replicas ?? 1);
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]));

  for (let ordinal = first; ordinal < end; ordinal++) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined) {
      await makePod(work, state, ordinal);
      if (!isParallel) return;
    } else if (pod.metadata.deletionTimestamp !== undefined) {
      // Its name is taken until it is gone.
      if (!isParallel) return;
    } else if (isFinished(pod)) {
      await dropPod(work, set, pod);
      if (!isParallel) return;
    } else if (!isParallel && !isAvailable(work, set, pod)) return;
  }

  const condemned = pods
    .filter((pod) => {
      const ordinal = ordinalOf(set, pod);
      return ordinal !== undefined && (ordinal < first || ordinal >= end);
    })
    .sort((a, b) => (ordinalOf(set, b) ?? 0) - (ordinalOf(set, a) ?? 0));
  for (const pod of condemned) {
    if (pod.metadata.deletionTimestamp === undefined) await dropPod(work, set, pod);
    if (!isParallel) return;
  }
  await replaceOutdated(work, state, byOrdinal);
}

/** One pod at a time, and none while another is away. */
async function replaceOutdated(
  work: Workloads,
  { set, history }: State,
  byOrdinal: ReadonlyMap<number | undefined, Pod>,
): Promise<void> {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return;
  const first = set.spec.ordinals?.start ?? 0;
  const last = first + (set.spec.replicas ?? 1) - 1;
  const partition = first + (rollingUpdate?.partition ?? 0);
  for (let ordinal = last; ordinal >= partition; ordinal--) {
    const pod = byOrdinal.get(ordinal);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return;
    if (pod.metadata.labels?.[REVISION_LABEL] !== history.present.metadata.name) {
      await dropPod(work, set, pod);
      return;
    }
    if (!isAvailable(work, set, pod)) return;
  }
}

async function makePod(work: Workloads, state: State, ordinal: number): Promise<void> {
  const { world, tell } = work;
  const { set, history, current } = state;
  const first = set.spec.ordinals?.start ?? 0;
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  const isOld = ordinal < first + partition && set.spec.updateStrategy?.type !== 'OnDelete';
  const pod = podOf(set, { ordinal, revision: isOld ? current : history.present });
  for (const volumeClaim of claimsOf(set, ordinal)) {
    try {
      await world.create(PersistentVolumeClaims, volumeClaim);
    } catch (error) {
      // Volumes outlive their pods.
      if (!isAlreadyExists(error)) throw error;
    }
  }
  await world.create(Pods, pod);
  const { name = '' } = pod.metadata;
  tell(COMPONENT, set, {
    reason: 'SuccessfulCreate',
    action: 'Create',
    note: `create Pod ${name} in StatefulSet ${set.metadata.name ?? ''} successful`,
  });
}

async function dropPod({ world, tell }: Workloads, set: StatefulSet, pod: Pod): Promise<void> {
  await world.delete(Pods, pod);
  const { name = '' } = pod.metadata;
  tell(COMPONENT, set, {
    reason: 'SuccessfulDelete',
    action: 'Delete',
    note: `delete Pod ${name} in StatefulSet ${set.metadata.name ?? ''} successful`,
  });
}

function isAvailable({ world }: Workloads, { spec }: StatefulSet, pod: Pod): boolean {
  const { minReadySeconds } = spec;
  return untilAvailableMs(pod, { minReadySeconds, now: world.now() }) === 0;
}

async function writeStatus(
  { world }: Workloads,
  { set, history, current }: State,
  pods: readonly Pod[],
): Promise<Recheck> {
  const updateRevision = history.present.metadata.name ?? '';
  const currentRevision = current.metadata.name ?? '';
  let again: Recheck;
  let available = 0;
  const alive = pods.filter((pod) => ordinalOf(set, pod) !== undefined);
  const running = alive.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  for (const pod of running) {
    const { minReadySeconds } = set.spec;
    const ms = untilAvailableMs(pod, { minReadySeconds, now: world.now() });
    if (ms === 0) available += 1;
    else again = sooner(again, ms);
  }
  const isOf = (revision: string) => (pod: Pod) =>
    pod.metadata.labels?.[REVISION_LABEL] === revision;
  const counts = {
    replicas: alive.length,
    ready: running.filter(isReady).length,
    current: running.filter(isOf(currentRevision)).length,
    updated: running.filter(isOf(updateRevision)).length,
  };
  const isRolledOut =
    (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate' &&
    counts.updated === counts.replicas &&
    counts.ready === counts.replicas;
  const status: StatefulSetStatus = {
    observedGeneration: set.metadata.generation ?? 0,
    replicas: counts.replicas,
    ...nonZero('readyReplicas', counts.ready),
    ...nonZero('currentReplicas', isRolledOut ? counts.updated : counts.current),
    ...nonZero('updatedReplicas', counts.updated),
    currentRevision: isRolledOut ? updateRevision : currentRevision,
    updateRevision,
    collisionCount: set.status?.collisionCount ?? 0,
    availableReplicas: available,
  };
  if (!deepEqual(status, set.status)) {
    await world.updateStatus(StatefulSets, { ...set, status });
  }
  return again;
}
