import { deepCopy, deepEqual, formatTime, isAlreadyExists } from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import { type CronJob, CronJobs, type Job, Jobs } from '../kinds.ts';
import { findCondition } from '../pod-facts.ts';
import type { Recheck, Workloads } from './context.ts';
import { type CronSchedule, nextRun, parseSchedule, zoneOffset } from './cron-schedule.ts';
import { isOver } from './job.ts';

const COMPONENT = 'cronjob-controller';
/** Older runs that were missed are of no interest. */
const LOOK_BACK_MS = 7 * 24 * 3_600_000;

/** Makes the Job of a CronJob when its time has come, and keeps only so many that are over. */
export async function reconcileCronJob(work: Workloads, cron: CronJob): Promise<Recheck> {
  const { world, tell } = work;
  const jobs = world.of(Jobs).ownedBy(cron.metadata.uid);
  await trim(work, cron, jobs);
  let status = statusOf(cron, jobs);
  const schedule = parseSchedule(cron.spec.schedule);
  const offset = zoneOffset(cron.spec.timeZone ?? 'UTC');
  const isIdle = cron.metadata.deletionTimestamp !== undefined || cron.spec.suspend === true;
  if (schedule === undefined || offset === undefined || isIdle) {
    await write(work, cron, status);
    if (!isIdle) {
      const note = `unparseable schedule: "${cron.spec.schedule}"`;
      tell(COMPONENT, cron, {
        type: 'Warning',
        reason: 'UnParseableCronJobSchedule',
        action: 'Schedule',
        note,
      });
    }
    return undefined;
  }
  const now = world.now();
  const due = lastDue(cron, { schedule, offset, now });
  if (due !== undefined) {
    const running = jobs.filter((job) => !isOver(job));
    const { concurrencyPolicy = 'Allow', startingDeadlineSeconds } = cron.spec;
    const isLate =
      startingDeadlineSeconds !== undefined && now - due > startingDeadlineSeconds * 1000;
    const isHeld = concurrencyPolicy === 'Forbid' && running.length > 0;
    if (isHeld) {
      const note =
        'Not starting job because prior execution is running and concurrency policy is Forbid';
      tell(COMPONENT, cron, { reason: 'JobAlreadyActive', action: 'Schedule', note });
    } else if (!isLate) {
      if (concurrencyPolicy === 'Replace') {
        for (const job of running)
          await world.delete(Jobs, job, { propagationPolicy: 'Background' });
      }
      await begin(work, cron, due);
      status = {
        ...statusOf(cron, world.of(Jobs).ownedBy(cron.metadata.uid)),
        lastScheduleTime: formatTime(new Date(due)),
      };
    }
  }
  await write(work, cron, status);
  const next = nextRun(schedule, now, offset);
  return next === undefined ? undefined : next - now;
}

/** The latest time that has come and was not answered. */
function lastDue(
  cron: CronJob,
  {
    schedule,
    offset,
    now,
  }: { schedule: CronSchedule; offset: (ms: number) => number; now: number },
): number | undefined {
  const since = cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp ?? '';
  let due: number | undefined;
  let at = Math.max(Date.parse(since) || now, now - LOOK_BACK_MS);
  for (;;) {
    const next = nextRun(schedule, at, offset);
    if (next === undefined || next > now) return due;
    due = next;
    at = next;
  }
}

async function begin({ world, tell }: Workloads, cron: CronJob, due: number): Promise<void> {
  const { metadata = {}, spec } = cron.spec.jobTemplate;
  const name = `${cron.metadata.name ?? ''}-${Math.floor(due / 60_000)}`;
  const job: Job = {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace: cron.metadata.namespace,
      labels: { ...metadata.labels },
      annotations: {
        ...metadata.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(new Date(due)),
      },
      ownerReferences: [controllerReference(CronJobs, cron)],
    },
    spec: deepCopy(spec),
  };
  try {
    await world.create(Jobs, job);
    tell(COMPONENT, cron, {
      reason: 'SuccessfulCreate',
      action: 'Create',
      note: `Created job ${name}`,
    });
  } catch (error) {
    // A pass before this one made it and got no further.
    if (!isAlreadyExists(error)) throw error;
  }
}

function statusOf(cron: CronJob, jobs: readonly Job[]): NonNullable<CronJob['status']> {
  const active = jobs
    .filter((job) => !isOver(job))
    .map(({ apiVersion, kind, metadata: { name, namespace, uid } }) => ({
      apiVersion,
      kind,
      name,
      namespace,
      uid,
    }));
  const { lastScheduleTime, lastSuccessfulTime: before = '' } = cron.status ?? {};
  const ends = jobs.flatMap((job) => job.status?.completionTime ?? []);
  const lastSuccessfulTime = [...ends, before].sort().at(-1) ?? '';
  return {
    ...(active.length === 0 ? {} : { active }),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === '' ? {} : { lastSuccessfulTime }),
  };
}

async function trim({ world }: Workloads, cron: CronJob, jobs: readonly Job[]): Promise<void> {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cron.spec;
  const ended = (type: string): Job[] =>
    jobs
      .filter((job) => findCondition(job, type)?.status === 'True')
      .sort((a, b) => ((a.status?.startTime ?? '') < (b.status?.startTime ?? '') ? -1 : 1));
  const surplus = [
    ...beyond(ended('Complete'), successfulJobsHistoryLimit),
    ...beyond(ended('Failed'), failedJobsHistoryLimit),
  ];
  for (const job of surplus) await world.delete(Jobs, job, { propagationPolicy: 'Background' });
}

/** The oldest of some jobs, but for as many as are kept. */
function beyond(jobs: readonly Job[], kept: number): readonly Job[] {
  return jobs.slice(0, Math.max(0, jobs.length - kept));
}

async function write(
  { world }: Workloads,
  cron: CronJob,
  status: NonNullable<CronJob['status']>,
): Promise<void> {
  if (!deepEqual(status, cron.status ?? {}))
    await world.updateStatus(CronJobs, { ...cron, status });
}
