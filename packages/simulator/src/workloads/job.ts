import { deepEqual } from '@flotilla/machinery';
import { type Condition, type Job, type JobStatus, Jobs, type Pod, Pods } from '../kinds.ts';
import { findCondition, isActive, isReady, restartsOf } from '../pod-facts.ts';
import { claim } from './claim.ts';
import { type Recheck, sooner, type Workloads } from './context.ts';
import { countFinished, isTracked, release, releaseCounted } from './job-count.ts';
import { indexOf, jobPod, parseIndexes } from './job-pods.ts';

const COMPONENT = 'job-controller';
const BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 600_000;

interface Ending {
  /** SuccessCriteriaMet or FailureTarget, which are followed by Complete or Failed. */
  readonly type: 'SuccessCriteriaMet' | 'FailureTarget';
  readonly reason: string;
  readonly message: string;
}

/** Runs a Job to its end: pods up to its parallelism, counted once each, until it is complete or has failed. */
export async function reconcileJob(work: Workloads, given: Job): Promise<Recheck> {
  const { world } = work;
  let job = given;
  if ((job.spec.managedBy ?? 'kubernetes.io/job-controller') !== 'kubernetes.io/job-controller') {
    return undefined;
  }
  const pods = await claim(world, { ownerKind: Jobs, owner: job, kind: Pods });
  if (isOver(job)) {
    for (const pod of pods.filter(isTracked)) await release(world, pod);
    return expire(work, job);
  }
  if (job.metadata.deletionTimestamp !== undefined) {
    for (const pod of pods.filter(isTracked)) await release(world, pod);
    return undefined;
  }
  const counted = countFinished(job, pods);
  const active = pods.filter(isActive);
  const ending = endingOf(work, job, { counted, active });
  let again: Recheck;
  if (ending !== undefined || job.spec.suspend === true) {
    for (const pod of active) await drop(work, job, pod);
  } else {
    again = await fill(work, job, { counted, pods });
  }
  job = await writeStatus(work, job, { counted, ending });
  await releaseCounted(world, job, world.of(Pods).ownedBy(job.metadata.uid));
  const { activeDeadlineSeconds } = job.spec;
  if (isOver(job) || activeDeadlineSeconds === undefined || job.status?.startTime === undefined) {
    return again;
  }
  const deadline = Date.parse(job.status.startTime) + activeDeadlineSeconds * 1000;
  return sooner(again, Math.max(0, deadline - world.now()));
}

/** Whether a Job is complete or has failed. */
export function isOver(job: Job): boolean {
  return ['Complete', 'Failed'].some((type) => findCondition(job, type)?.status === 'True');
}

interface Seen {
  readonly counted: JobStatus;
  readonly active: readonly Pod[];
}

function endingOf({ world }: Workloads, job: Job, { counted, active }: Seen): Ending | undefined {
  for (const type of ['SuccessCriteriaMet', 'FailureTarget'] as const) {
    const { status, reason = '', message = '' } = findCondition(job, type) ?? {};
    if (status === 'True') return { type, reason, message };
  }
  const { uncountedTerminatedPods: uncounted = {} } = counted;
  const failed = (counted.failed ?? 0) + (uncounted.failed?.length ?? 0);
  const succeeded = (counted.succeeded ?? 0) + (uncounted.succeeded?.length ?? 0);
  const { completions, backoffLimit = 6, activeDeadlineSeconds } = job.spec;
  const restarts =
    job.spec.template.spec.restartPolicy === 'OnFailure'
      ? active.reduce((sum, pod) => sum + restartsOf(pod), 0)
      : 0;
  if (failed > backoffLimit || (restarts > 0 && restarts >= backoffLimit)) {
    return {
      type: 'FailureTarget',
      reason: 'BackoffLimitExceeded',
      message: 'Job has reached the specified backoff limit',
    };
  }
  const startedAt = Date.parse(counted.startTime ?? '');
  if (
    activeDeadlineSeconds !== undefined &&
    job.spec.suspend !== true &&
    world.now() - startedAt >= activeDeadlineSeconds * 1000
  ) {
    return {
      type: 'FailureTarget',
      reason: 'DeadlineExceeded',
      message: 'Job was active longer than specified deadline',
    };
  }
  // Without a number of completions, one success and the end of the others is the end.
  const isDone =
    completions === undefined ? succeeded > 0 && active.length === 0 : succeeded >= completions;
  if (!isDone) return undefined;
  return {
    type: 'SuccessCriteriaMet',
    reason: 'CompletionsReached',
    message: 'Reached expected number of succeeded pods',
  };
}

/** Makes the pods that are missing, later after failures; returns when. */
async function fill(
  work: Workloads,
  job: Job,
  { counted, pods }: { counted: JobStatus; pods: readonly Pod[] },
): Promise<Recheck> {
  const { world, tell } = work;
  const active = pods.filter(isActive);
  const { parallelism = 1, completions } = job.spec;
  const uncounted = counted.uncountedTerminatedPods?.succeeded?.length ?? 0;
  const succeeded = (counted.succeeded ?? 0) + uncounted;
  let wanted = parallelism;
  if (completions !== undefined) wanted = Math.min(parallelism, completions - succeeded);
  // Once one has succeeded, no new ones are begun.
  else if (succeeded > 0) wanted = Math.min(parallelism, active.length);
  for (const pod of active.slice(Math.max(0, wanted))) await drop(work, job, pod);
  const missing = wanted - active.length;
  if (missing <= 0) return undefined;
  const waitMs = backoffMs(world.now(), { counted, pods });
  if (waitMs > 0) return waitMs;

  const indexes = job.spec.completionMode === 'Indexed' ? freeIndexes(job, counted, active) : [];
  for (let count = 0; count < missing; count++) {
    const index = job.spec.completionMode === 'Indexed' ? indexes[count] : undefined;
    if (job.spec.completionMode === 'Indexed' && index === undefined) break;
    const pod = await world.create(Pods, jobPod(job, index));
    tell(COMPONENT, job, {
      reason: 'SuccessfulCreate',
      action: 'Create',
      note: `Created pod: ${pod.metadata.name ?? ''}`,
    });
  }
  return undefined;
}

function freeIndexes(job: Job, counted: JobStatus, active: readonly Pod[]): number[] {
  const taken = parseIndexes(counted.completedIndexes ?? '');
  for (const pod of active) taken.add(indexOf(pod) ?? -1);
  const all = Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index);
  return all.filter((index) => !taken.has(index));
}

/** 10 s after the first failure in a row, doubled with each of the next. */
function backoffMs(
  now: number,
  { counted, pods }: { counted: JobStatus; pods: readonly Pod[] },
): number {
  const failures = pods.filter(({ status }) => status?.phase === 'Failed');
  const inARow = Math.max(failures.length, counted.uncountedTerminatedPods?.failed?.length ?? 0);
  if (inARow === 0) return 0;
  const last = Math.max(...failures.map(finishedAt), 0);
  const lastSuccess = Math.max(
    ...pods.filter(({ status }) => status?.phase === 'Succeeded').map(finishedAt),
    0,
  );
  if (last === 0 || lastSuccess > last) return 0;
  return Math.max(0, last + Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (inARow - 1)) - now);
}

function finishedAt({ status }: Pod): number {
  const times = (status?.containerStatuses ?? []).map(({ state }) =>
    Date.parse(state?.terminated?.finishedAt ?? ''),
  );
  return Math.max(0, ...times.filter((time) => !Number.isNaN(time)));
}

async function drop({ world, tell }: Workloads, job: Job, pod: Pod): Promise<void> {
  await world.delete(Pods, pod);
  tell(COMPONENT, job, {
    reason: 'SuccessfulDelete',
    action: 'Delete',
    note: `Deleted pod: ${pod.metadata.name ?? ''}`,
  });
}

async function writeStatus(
  { world, tell }: Workloads,
  job: Job,
  { counted, ending }: { counted: JobStatus; ending: Ending | undefined },
): Promise<Job> {
  const pods = world.of(Pods).ownedBy(job.metadata.uid);
  const active = pods.filter(isActive);
  const now = world.timestamp();
  const status: JobStatus = { ...counted };
  const isSuspended = job.spec.suspend === true;
  status.conditions = suspension(status.conditions ?? [], isSuspended, now);
  if (isSuspended) delete status.startTime;
  else status.startTime ??= now;
  const isTerminating = ({ metadata, status: { phase = '' } = {} }: Pod): boolean =>
    metadata.deletionTimestamp !== undefined && !['Succeeded', 'Failed'].includes(phase);
  if (active.length > 0) status.active = active.length;
  else delete status.active;
  status.ready = active.filter(isReady).length;
  status.terminating = pods.filter(isTerminating).length;
  if (ending !== undefined) {
    const { type, reason, message } = ending;
    const say = (of: string): Condition => ({
      type: of,
      status: 'True',
      lastProbeTime: now,
      lastTransitionTime: now,
      reason,
      message,
    });
    if (!status.conditions.some((each) => each.type === type)) status.conditions.push(say(type));
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
    const isCounted = succeeded.length + failed.length + status.terminating + active.length === 0;
    const isSuccess = type === 'SuccessCriteriaMet';
    if (isCounted) {
      status.conditions.push(say(isSuccess ? 'Complete' : 'Failed'));
      if (isSuccess) status.completionTime = now;
      tell(COMPONENT, job, {
        type: isSuccess ? 'Normal' : 'Warning',
        reason: isSuccess ? 'Completed' : reason,
        action: 'Finish',
        note: isSuccess ? 'Job completed' : message,
      });
    }
  }
  if (status.conditions.length === 0) delete status.conditions;
  if (deepEqual(status, job.status)) return job;
  return world.updateStatus(Jobs, { ...job, status });
}

function suspension(conditions: Condition[], isSuspended: boolean, now: string): Condition[] {
  const before = conditions.find(({ type }) => type === 'Suspended');
  const wanted = isSuspended ? 'True' : 'False';
  if (before === undefined ? !isSuspended : before.status === wanted) return [...conditions];
  const said: Condition = {
    type: 'Suspended',
    status: wanted,
    lastProbeTime: now,
    lastTransitionTime: now,
    reason: isSuspended ? 'JobSuspended' : 'JobResumed',
    message: isSuspended ? 'Job suspended' : 'Job resumed',
  };
  return [...conditions.filter((each) => each !== before), said];
}

/** Deletes a Job that is over when its time to live is. */
async function expire({ world }: Workloads, job: Job): Promise<Recheck> {
  const { ttlSecondsAfterFinished: ttl } = job.spec;
  if (ttl === undefined || job.metadata.deletionTimestamp !== undefined) return undefined;
  const end = job.status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const left = Date.parse(end?.lastTransitionTime ?? '') + ttl * 1000 - world.now();
  if (left > 0) return left;
  await world.delete(Jobs, job, { propagationPolicy: 'Foreground' });
  return undefined;
}
