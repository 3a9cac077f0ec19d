import type { Condition, ContainerStatus, Pod, PodStatus } from '../kinds.ts';

/** What a kubelet says of a pod in conditions, in its order; each keeps the time of its last change. */
export function podConditions(pod: Pod, status: PodStatus, now: string): Condition[] {
  const { phase, containerStatuses = [], initContainerStatuses = [] } = status;
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const overReason = phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed';
  const unready = namesOf(containerStatuses.filter(({ ready }) => !ready));
  const readiness: Said = isOver
    ? { status: 'False', reason: overReason }
    : unready.length > 0
      ? {
          status: 'False',
          reason: 'ContainersNotReady',
          message: `containers with unready status: [${unready.join(' ')}]`,
        }
      : { status: 'True' };
  const incomplete = namesOf(initContainerStatuses.filter(({ ready }) => !ready));
  const initialized: Said =
    incomplete.length > 0 && !isOver
      ? {
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: [${incomplete.join(' ')}]`,
        }
      : { status: 'True', ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) };
  const hasSandbox = !isOver && status.podIP !== undefined;

  const before = new Map((pod.status?.conditions ?? []).map((each) => [each.type, each]));
  const { generation } = pod.metadata;
  const say = (type: string, said: Said): Condition => {
    const last = before.get(type);
    before.delete(type);
    return {
      type,
      ...(generation === undefined ? {} : { observedGeneration: generation }),
      ...said,
      lastProbeTime: null,
      lastTransitionTime: last?.status === said.status ? (last.lastTransitionTime ?? now) : now,
    };
  };
  const own = [
    say('PodReadyToStartContainers', { status: hasSandbox ? 'True' : 'False' }),
    say('Initialized', initialized),
    say('Ready', readiness),
    say('ContainersReady', readiness),
    say('PodScheduled', { status: 'True' }),
  ];
  // Others may report on the pod too, for readiness gates and disruptions.
  return [...own, ...before.values()];
}

interface Said {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

function namesOf(statuses: readonly ContainerStatus[]): string[] {
  return statuses.map(({ name }) => name);
}
