import type { Condition, Pod } from './kinds.ts';

/** Whether a pod still runs or will, and nobody has asked for its end. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether all containers of a pod have ended for good. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Whether a pod takes traffic. */
export function isReady(pod: Pod): boolean {
  return findCondition(pod, 'Ready')?.status === 'True';
}

/** How long until a ready pod counts as available; 0 when it does, undefined when it is not ready. */
export function untilAvailableMs(
  pod: Pod,
  { minReadySeconds = 0, now }: { minReadySeconds?: number | undefined; now: number },
): number | undefined {
  const ready = findCondition(pod, 'Ready');
  if (ready?.status !== 'True') return undefined;
  if (minReadySeconds === 0) return 0;
  const since = Date.parse(ready.lastTransitionTime ?? '');
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

/** A condition by its type. */
export function findCondition(
  { status }: { status?: { conditions?: Condition[] } },
  type: string,
): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** How often the containers of a pod were started again. */
export function restartsOf({ status }: Pod): number {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return all.reduce((sum, { restartCount }) => sum + restartCount, 0);
}

/** Which of several pods to give up first, as ReplicaSets choose: whoever is missed least. */
export function byWorth(a: Pod, b: Pod): number {
  return (
    Number(isAssigned(a)) - Number(isAssigned(b)) ||
    phaseWorth(a) - phaseWorth(b) ||
    Number(isReady(a)) - Number(isReady(b)) ||
    deletionCost(a) - deletionCost(b) ||
    readySince(b) - readySince(a) ||
    restartsOf(b) - restartsOf(a) ||
    createdAt(b) - createdAt(a)
  );
}

function isAssigned({ spec }: Pod): boolean {
  return (spec.nodeName ?? '') !== '';
}

function phaseWorth({ status }: Pod): number {
  return ['Pending', 'Unknown', 'Running'].indexOf(status?.phase ?? 'Pending');
}

function deletionCost({ metadata }: Pod): number {
  const cost = Number(metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0);
  return Number.isInteger(cost) ? cost : 0;
}

function readySince(pod: Pod): number {
  const ready = findCondition(pod, 'Ready');
  return ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') || 0 : 0;
}

function createdAt({ metadata }: Pod): number {
  return Date.parse(metadata.creationTimestamp ?? '') || 0;
}
