import { deepCopy } from '@flotilla/machinery';
import { type Job, type JobStatus, Jobs, type Pod, Pods } from '../kinds.ts';
import type { World } from '../world/world.ts';
import { formatIndexes, indexOf, parseIndexes, TRACKING } from './job-pods.ts';

/**
 * Counts pods that ended, each exactly once whatever crashes in between: first their uids are written into the status, then
 * they lose their finalizer, and when they are gone or have lost it, the uids turn into a count.
 */
export function countFinished(job: Job, pods: readonly Pod[]): JobStatus {
  const status: JobStatus = deepCopy(job.status ?? {});
  const { succeeded: counting = [], failed: counted = [] } = status.uncountedTerminatedPods ?? {};
  const tracked = new Map(pods.filter(isTracked).map((pod) => [pod.metadata.uid ?? '', pod]));
  const isIndexed = job.spec.completionMode === 'Indexed';
  const done = parseIndexes(status.completedIndexes ?? '');

  const succeeded = counting.filter((uid) => tracked.has(uid));
  const failed = counted.filter((uid) => tracked.has(uid));
  if (!isIndexed) {
    status.succeeded = (status.succeeded ?? 0) + counting.length - succeeded.length;
  }
  status.failed = (status.failed ?? 0) + counted.length - failed.length;

  for (const [uid, pod] of tracked) {
    if (succeeded.includes(uid) || failed.includes(uid)) continue;
    const outcome = outcomeOf(pod);
    if (outcome === 'failed') failed.push(uid);
    if (outcome !== 'succeeded') continue;
    const index = indexOf(pod);
    if (isIndexed && index !== undefined) done.add(index);
    succeeded.push(uid);
  }
  if (isIndexed) {
    status.completedIndexes = formatIndexes(done);
    if (status.completedIndexes === '') delete status.completedIndexes;
    status.succeeded = done.size;
  }
  if (status.succeeded === 0) delete status.succeeded;
  if (status.failed === 0) delete status.failed;
  status.uncountedTerminatedPods = {
    // An indexed success is in completedIndexes already.
    ...(succeeded.length === 0 || isIndexed ? {} : { succeeded }),
    ...(failed.length === 0 ? {} : { failed }),
  };
  return status;
}

/** Lets go of pods that ended and whose count is written down. */
export async function releaseCounted(world: World, job: Job, pods: readonly Pod[]): Promise<void> {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const indexes = parseIndexes(job.status?.completedIndexes ?? '');
  for (const pod of pods.filter(isTracked)) {
    const { uid = '' } = pod.metadata;
    const isIndexed = indexes.has(indexOf(pod) ?? -1) && outcomeOf(pod) === 'succeeded';
    if (!succeeded.includes(uid) && !failed.includes(uid) && !isIndexed) continue;
    await release(world, pod);
  }
}

/** Takes the finalizer off a pod. */
export async function release(world: World, pod: Pod): Promise<void> {
  const finalizers = (pod.metadata.finalizers ?? []).filter((each) => each !== TRACKING);
  await world.update(Pods, { ...pod, metadata: { ...pod.metadata, finalizers } });
}

/** Lets go of a pod that no Job will count any more, because it is gone or has given the pod up; true when it did. */
export async function releaseOrphan(world: World, pod: Pod): Promise<boolean> {
  if (!isTracked(pod)) return false;
  const { namespace, ownerReferences = [] } = pod.metadata;
  const owner = ownerReferences.find(({ controller }) => controller === true);
  if (owner !== undefined && owner.kind !== Jobs.kind) return false;
  const job = owner && world.of(Jobs).get({ namespace, name: owner.name });
  if (job !== undefined && job.metadata.uid === owner?.uid) return false;
  await release(world, pod);
  return true;
}

/** Whether a pod has still to be counted. */
export function isTracked({ metadata }: Pod): boolean {
  return metadata.finalizers?.includes(TRACKING) === true;
}

function outcomeOf({ status, metadata }: Pod): 'succeeded' | 'failed' | undefined {
  if (status?.phase === 'Succeeded') return 'succeeded';
  if (status?.phase === 'Failed') return 'failed';
  // Deleted before it ever ran: nobody else will say how it ended.
  const isGone =
    metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
  return isGone ? 'failed' : undefined;
}
