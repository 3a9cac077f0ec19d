import { createHash } from 'node:crypto';
import type { Behaviour } from '../annotations.ts';
import type { Container, ContainerState, ContainerStatus, Pod } from '../kinds.ts';

/** What time it is, and how the containers behave. */
export interface Moment {
  readonly nowMs: number;
  /** The same time as objects write it. */
  readonly nowText: string;
  readonly behaviour: Behaviour;
}

/** A container after a step, and when it takes the next one by itself. */
export interface Stepped {
  readonly status: ContainerStatus;
  readonly nextMs: number | undefined;
}

const BACKOFF_MS = 10_000;
const LONGEST_BACKOFF_MS = 300_000;
/** Whoever ran this long begins with the first back-off again. */
const RESET_MS = 600_000;

/** A container that has yet to start. */
export function waiting({ name, image = '' }: Container, reason: string): ContainerStatus {
  return {
    name,
    state: { waiting: { reason } },
    lastState: {},
    ready: false,
    restartCount: 0,
    image,
    imageID: '',
    started: false,
  };
}

/** A container that begins to run now. */
export function started(
  pod: Pod,
  before: ContainerStatus,
  { nowText, behaviour }: Moment,
): ContainerStatus {
  const restartCount = before.restartCount;
  return {
    ...before,
    state: { running: { startedAt: nowText } },
    ready: !behaviour.isUnready && behaviour.readySeconds === 0,
    started: true,
    imageID: imageId(before.image),
    containerID: containerId(pod, before.name, restartCount),
  };
}

/** An init container that has done its work. */
export function completed(pod: Pod, before: ContainerStatus, { nowText }: Moment): ContainerStatus {
  const containerID = containerId(pod, before.name, 0);
  return {
    ...before,
    state: {
      terminated: {
        exitCode: 0,
        reason: 'Completed',
        startedAt: nowText,
        finishedAt: nowText,
        containerID,
      },
    },
    ready: true,
    started: false,
    imageID: imageId(before.image),
    containerID,
  };
}

/** Where a container that was started is by now: running on, ended, waiting for its next start, or started again. */
export function stepContainer(pod: Pod, before: ContainerStatus, moment: Moment): Stepped {
  const { running, waiting: waits } = before.state ?? {};
  if (running !== undefined) return stepRunning(pod, before, moment);
  if (waits !== undefined) return stepBackoff(pod, before, moment);
  return { status: before, nextMs: undefined };
}

function stepRunning(pod: Pod, before: ContainerStatus, moment: Moment): Stepped {
  const { behaviour, nowMs } = moment;
  const { crashAfterSeconds, runSeconds, readySeconds, isUnready } = behaviour;
  const startedAt = Date.parse(before.state?.running?.startedAt ?? '') || 0;
  const crashAt = at(startedAt, crashAfterSeconds);
  const endAt = at(startedAt, runSeconds);
  const readyAt = startedAt + readySeconds * 1000;
  if (crashAt <= nowMs) return end(pod, before, { ...moment, code: behaviour.exitCode ?? 1 });
  if (endAt <= nowMs) return end(pod, before, { ...moment, code: behaviour.exitCode ?? 0 });
  // Whoever is ready stays so when the clock is set back.
  const ready = !isUnready && (before.ready || readyAt <= nowMs);
  const next = Math.min(crashAt, endAt, ready || isUnready ? Number.POSITIVE_INFINITY : readyAt);
  return {
    status: ready === before.ready ? before : { ...before, ready },
    nextMs: Number.isFinite(next) ? next - nowMs : undefined,
  };
}

function at(startedAt: number, seconds: number | undefined): number {
  return seconds === undefined ? Number.POSITIVE_INFINITY : startedAt + seconds * 1000;
}

function end(pod: Pod, before: ContainerStatus, moment: Moment & { code: number }): Stepped {
  const { code, nowText } = moment;
  const terminated: NonNullable<ContainerState['terminated']> = {
    exitCode: code,
    reason: code === 0 ? 'Completed' : 'Error',
    startedAt: before.state?.running?.startedAt ?? nowText,
    finishedAt: nowText,
    ...(before.containerID === undefined ? {} : { containerID: before.containerID }),
  };
  const { restartPolicy = 'Always' } = pod.spec;
  const isRestarted = restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && code !== 0);
  const ended: ContainerStatus = { ...before, ready: false, started: false };
  if (!isRestarted) return { status: { ...ended, state: { terminated } }, nextMs: undefined };
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const backoff = backoffMs(before.restartCount, terminated);
  const message = `back-off ${goSeconds(backoff)} restarting failed container=${before.name} pod=${name}_${namespace}(${uid})`;
  return stepBackoff(
    pod,
    {
      ...ended,
      state: { waiting: { reason: 'CrashLoopBackOff', message } },
      lastState: { terminated },
    },
    moment,
  );
}

function stepBackoff(pod: Pod, before: ContainerStatus, moment: Moment): Stepped {
  const { terminated } = before.lastState ?? {};
  if (terminated === undefined) return { status: before, nextMs: undefined };
  const finishedAt = Date.parse(terminated.finishedAt ?? '') || 0;
  const left = finishedAt + backoffMs(before.restartCount, terminated) - moment.nowMs;
  if (left > 0) return { status: before, nextMs: left };
  const again = { ...before, restartCount: before.restartCount + 1 };
  const status = started(pod, again, moment);
  return { status, nextMs: stepRunning(pod, status, moment).nextMs };
}

/** The first restart comes at once. */
function backoffMs(
  restartCount: number,
  { startedAt = '', finishedAt = '' }: { startedAt?: string; finishedAt?: string },
): number {
  if (restartCount === 0 || Date.parse(finishedAt) - Date.parse(startedAt) >= RESET_MS) return 0;
  return Math.min(LONGEST_BACKOFF_MS, BACKOFF_MS * 2 ** (restartCount - 1));
}

/** Go's text for a duration of whole seconds. */
function goSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** The same run has the same id whenever it is asked for. */
function containerId({ metadata }: Pod, name: string, run: number): string {
  return `containerd://${hash(`${metadata.uid ?? ''}/${name}/${run}`)}`;
}

function imageId(image: string): string {
  const repository = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  return `${repository}@sha256:${hash(image)}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
