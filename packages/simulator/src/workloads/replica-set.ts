import { deepEqual, isForbidden, isInvalid, statusErrorOf } from '@flotilla/machinery';
import { type Condition, type Pod, Pods, type ReplicaSet, ReplicaSets } from '../kinds.ts';
import { byWorth, findCondition, isActive, isReady, untilAvailableMs } from '../pod-facts.ts';
import { claim } from './claim.ts';
import { withCondition, withoutCondition } from './conditions.ts';
import { type Recheck, sooner, type Workloads } from './context.ts';
import { podOfTemplate, podPrefix } from './pod-of-template.ts';

const COMPONENT = 'replicaset-controller';
/** As many as upstream makes in one pass. */
const BURST = 500;

/** Keeps as many pods of a ReplicaSet as it asks for. */
export async function reconcileReplicaSet(work: Workloads, set: ReplicaSet): Promise<Recheck> {
  const { world } = work;
  const owned = (await claim(world, { ownerKind: ReplicaSets, owner: set, kind: Pods })).filter(
    isActive,
  );
  let failure: Condition | undefined;
  let pods = owned;
  if (set.metadata.deletionTimestamp === undefined) {
    try {
      pods = await changeCount(work, set, owned);
    } catch (error) {
      const refusal = statusErrorOf(error);
      if (refusal === undefined || (!isForbidden(error) && !isInvalid(error))) throw error;
      failure = {
        type: 'ReplicaFailure',
        status: 'True',
        reason: owned.length < (set.spec.replicas ?? 1) ? 'FailedCreate' : 'FailedDelete',
        message: refusal.message,
        lastTransitionTime: world.timestamp(),
      };
      work.tell(COMPONENT, set, {
        type: 'Warning',
        reason: failure.reason ?? '',
        action: 'Create',
        note: `Error creating: ${refusal.message}`,
      });
    }
  }
  const again = await writeStatus(work, set, { pods, failure });
  // Quotas and policies may change without a change of anything we watch.
  return failure === undefined ? again : sooner(again, 10_000);
}

async function changeCount(work: Workloads, set: ReplicaSet, pods: Pod[]): Promise<Pod[]> {
  const { world, tell } = work;
  const missing = (set.spec.replicas ?? 1) - pods.length;
  if (missing > 0) {
    const made: Pod[] = [];
    const name = { generateName: podPrefix(set.metadata.name ?? '') };
    for (let count = 0; count < Math.min(missing, BURST); count++) {
      const owner = { kind: ReplicaSets, object: set };
      const pod = await world.create(Pods, podOfTemplate(set.spec.template, owner, name));
      made.push(pod);
      tell(COMPONENT, set, {
        reason: 'SuccessfulCreate',
        action: 'Create',
        note: `Created pod: ${pod.metadata.name ?? ''}`,
      });
    }
    return [...pods, ...made];
  }
  const surplus = [...pods].sort(byWorth).slice(0, Math.max(0, -missing));
  for (const pod of surplus) {
    await world.delete(Pods, pod);
    tell(COMPONENT, set, {
      reason: 'SuccessfulDelete',
      action: 'Delete',
      note: `Deleted pod: ${pod.metadata.name ?? ''}`,
    });
  }
  return pods.filter((pod) => !surplus.includes(pod));
}

async function writeStatus(
  { world }: Workloads,
  set: ReplicaSet,
  { pods, failure }: { pods: readonly Pod[]; failure: Condition | undefined },
): Promise<Recheck> {
  const templateLabels = Object.entries(set.spec.template.metadata?.labels ?? {});
  const isFullyLabeled = ({ metadata }: Pod): boolean =>
    templateLabels.every(([name, value]) => metadata.labels?.[name] === value);
  let again: Recheck;
  let available = 0;
  for (const pod of pods) {
    const ms = untilAvailableMs(pod, {
      minReadySeconds: set.spec.minReadySeconds,
      now: world.now(),
    });
    if (ms === 0) available += 1;
    else again = sooner(again, ms);
  }
  const before = set.status?.conditions ?? [];
  const conditions =
    failure === undefined
      ? withoutCondition(before, 'ReplicaFailure')
      : withCondition(before, failure);
  const status: NonNullable<ReplicaSet['status']> = {
    replicas: pods.length,
    ...nonZero('fullyLabeledReplicas', pods.filter(isFullyLabeled).length),
    ...nonZero('readyReplicas', pods.filter(isReady).length),
    ...nonZero('availableReplicas', available),
    observedGeneration: set.metadata.generation ?? 0,
    ...(conditions.length === 0 ? {} : { conditions }),
  };
  if (!deepEqual(status, set.status)) {
    await world.updateStatus(ReplicaSets, { ...set, status });
  }
  return again;
}

/** Go leaves a count of zero out. */
export function nonZero<K extends string>(name: K, count: number): { [key in K]?: number } {
  return count === 0 ? {} : ({ [name]: count } as { [key in K]?: number });
}

/** Why a ReplicaSet cannot make its pods. */
export function replicaFailure(set: ReplicaSet): Condition | undefined {
  return findCondition(set, 'ReplicaFailure');
}
