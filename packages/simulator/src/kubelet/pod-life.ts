import { deepEqual } from '@flotilla/machinery';
import { readBehaviour } from '../annotations.ts';
import type { Container, ContainerStatus, Pod, PodStatus } from '../kinds.ts';
import { isFinished } from '../pod-facts.ts';
import { completed, type Moment, started, stepContainer, waiting } from './containers.ts';
import { podConditions } from './pod-conditions.ts';

/** The node a pod is on. */
export interface Place {
  readonly hostIP: string;
  /** An address that no other pod of the node has. */
  readonly newPodIP: () => string;
}

/** What to do with a pod now. */
export interface Step {
  /** Undefined when there is nothing new to say. */
  readonly status: PodStatus | undefined;
  /** Its containers have stopped: the object can go. */
  readonly isDone: boolean;
  /** When to look again although nothing changed. */
  readonly nextMs: number | undefined;
}

/** SIGTERM, as a shell reports it. */
const TERMINATED_CODE = 143;

/**
 * What a kubelet would say of a pod at some moment. Everything follows from the object and the time, so that a simulator
 * that was killed goes on where it was.
 */
export function stepPod(pod: Pod, place: Place, now: { ms: number; text: string }): Step {
  const { behaviour } = readBehaviour(pod);
  const moment: Moment = { nowMs: now.ms, nowText: now.text, behaviour };
  if (pod.metadata.deletionTimestamp !== undefined) return stepStopping(pod, moment);
  if (isFinished(pod)) return { status: undefined, isDone: false, nextMs: undefined };
  const { startTime } = pod.status ?? {};
  if (startTime === undefined) return changed(pod, admitted(pod, place, moment), 0);
  const startIn = Date.parse(startTime) + behaviour.startSeconds * 1000 - now.ms;
  const isRunning = pod.status?.phase === 'Running';
  if (!isRunning && startIn > 0) {
    return { status: undefined, isDone: false, nextMs: startIn };
  }
  return isRunning ? stepRunning(pod, moment) : changed(pod, running(pod, place, moment), 0);
}

/** The node has taken the pod and prepares its containers. */
function admitted(pod: Pod, { hostIP }: Place, { nowText }: Moment): PodStatus {
  const init = pod.spec.initContainers ?? [];
  const reason = init.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const status: PodStatus = {
    ...observed(pod),
    phase: 'Pending',
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime: nowText,
    ...(init.length === 0
      ? {}
      : { initContainerStatuses: init.map((each) => waiting(each, 'PodInitializing')) }),
    containerStatuses: pod.spec.containers.map((each) => waiting(each, reason)),
  };
  return { ...status, conditions: podConditions(pod, status, nowText) };
}

function running(pod: Pod, { hostIP, newPodIP }: Place, moment: Moment): PodStatus {
  const podIP = pod.spec.hostNetwork === true ? hostIP : newPodIP();
  const { initContainers = [], containers } = pod.spec;
  const status: PodStatus = {
    ...observed(pod),
    phase: 'Running',
    podIP,
    podIPs: [{ ip: podIP }],
    ...(initContainers.length === 0
      ? {}
      : {
          initContainerStatuses: initContainers.map((each) =>
            each.restartPolicy === 'Always'
              ? started(pod, waiting(each, ''), moment)
              : completed(pod, waiting(each, ''), moment),
          ),
        }),
    containerStatuses: containers.map((each) => started(pod, waiting(each, ''), moment)),
  };
  return { ...status, conditions: podConditions(pod, status, moment.nowText) };
}

function stepRunning(pod: Pod, moment: Moment): Step {
  const steps = statusesOf(pod).map((each) => stepContainer(pod, each, moment));
  const containerStatuses = steps.map(({ status }) => status);
  const next = steps.flatMap(({ nextMs }) => nextMs ?? []);
  const codes = containerStatuses.map(({ state }) => state?.terminated?.exitCode);
  const isOver = codes.every((code) => code !== undefined);
  const phase = !isOver ? 'Running' : codes.every((code) => code === 0) ? 'Succeeded' : 'Failed';
  const status: PodStatus = { ...observed(pod), phase, containerStatuses };
  status.conditions = podConditions(pod, status, moment.nowText);
  return changed(pod, status, next.length === 0 ? undefined : Math.min(...next));
}

/** Containers that were added to an object by hand are waiting. */
function statusesOf({ spec, status }: Pod): ContainerStatus[] {
  const known = new Map((status?.containerStatuses ?? []).map((each) => [each.name, each]));
  return spec.containers.map(
    (each: Container) => known.get(each.name) ?? waiting(each, 'ContainerCreating'),
  );
}

function stepStopping(pod: Pod, moment: Moment): Step {
  const { deletionTimestamp = '', deletionGracePeriodSeconds = 0, finalizers = [] } = pod.metadata;
  const askedAt = Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  const takes = Math.min(moment.behaviour.stopSeconds, deletionGracePeriodSeconds) * 1000;
  const left = askedAt + takes - moment.nowMs;
  if (!isFinished(pod) && left > 0) return { status: undefined, isDone: false, nextMs: left };
  // Whoever holds the object back wants to know how the pod ended; else it is gone before anyone could read it.
  const isRead = finalizers.length > 0 && !isFinished(pod) && pod.status?.startTime !== undefined;
  const status = isRead ? stopped(pod, moment) : undefined;
  const isGoing = deletionGracePeriodSeconds === 0 && finalizers.length > 0;
  return { status, isDone: !isGoing, nextMs: undefined };
}

function stopped(pod: Pod, moment: Moment): PodStatus {
  const containerStatuses = statusesOf(pod).map((each): ContainerStatus => {
    if (each.state?.terminated !== undefined) return each;
    const exitCode = TERMINATED_CODE;
    const startedAt = each.state?.running?.startedAt;
    return {
      ...each,
      ready: false,
      started: false,
      state: {
        terminated: {
          exitCode,
          reason: 'Error',
          ...(startedAt === undefined ? {} : { startedAt }),
          finishedAt: moment.nowText,
          ...(each.containerID === undefined ? {} : { containerID: each.containerID }),
        },
      },
    };
  });
  const status: PodStatus = { ...observed(pod), phase: 'Failed', containerStatuses };
  return { ...status, conditions: podConditions(pod, status, moment.nowText) };
}

function observed({ metadata, status }: Pod): PodStatus {
  const { generation } = metadata;
  return { ...status, ...(generation === undefined ? {} : { observedGeneration: generation }) };
}

function changed(pod: Pod, status: PodStatus, nextMs: number | undefined): Step {
  const isNew = !deepEqual(status, pod.status);
  return { status: isNew ? status : undefined, isDone: false, nextMs };
}
