import { readBehaviour } from '../annotations.ts';
import { type Pod, type PodStatus, Pods } from '../kinds.ts';
import type { Recheck, Tell } from '../workloads/context.ts';
import type { World } from '../world/world.ts';
import { freePodIP } from './pod-ips.ts';
import { stepPod } from './pod-life.ts';

/** What a kubelet needs to play one. */
export interface KubeletDeps {
  readonly world: World;
  readonly tell: Tell;
  /** Nodes that are ours, by name, with the network of their pods. */
  readonly nodes: ReadonlyMap<string, { readonly podCIDR: string }>;
  readonly hostIP: string;
}

const COMPONENT = 'kubelet';

/** Plays the kubelet for one pod: says how it is, and lets it go when it has stopped. */
export function createKubelet(deps: KubeletDeps): (pod: Pod) => Promise<Recheck> {
  const { world, nodes, hostIP } = deps;
  /** Addresses on their way into a status. */
  const given = new Set<string>();

  return async (pod) => {
    const node = nodes.get(pod.spec.nodeName ?? '');
    if (node === undefined) return undefined;
    let podIP: string | undefined;
    const newPodIP = (): string => {
      const neighbours = world
        .of(Pods)
        .list()
        .filter(({ spec }) => spec.nodeName === pod.spec.nodeName);
      podIP = freePodIP(node.podCIDR, neighbours, given);
      given.add(podIP);
      return podIP;
    };
    try {
      const now = { ms: world.now(), text: world.timestamp() };
      const { status, isDone, nextMs } = stepPod(pod, { hostIP, newPodIP }, now);
      let current = pod;
      if (status !== undefined) {
        current = await world.updateStatus(Pods, { ...pod, status });
        tellChanges(deps, pod, status);
      }
      if (isDone) await world.delete(Pods, current, { gracePeriodSeconds: 0 });
      return nextMs;
    } finally {
      if (podIP !== undefined) given.delete(podIP);
    }
  };
}

function tellChanges({ tell }: KubeletDeps, pod: Pod, status: PodStatus): void {
  const say = (happening: Parameters<Tell>[2]): void => tell(COMPONENT, pod, happening);
  if (pod.status?.startTime === undefined) {
    for (const note of readBehaviour(pod).problems) {
      say({ type: 'Warning', reason: 'InvalidAnnotation', action: 'Admit', note });
    }
  }
  for (const [index, after] of (status.containerStatuses ?? []).entries()) {
    const before = pod.status?.containerStatuses?.[index];
    const { name, image } = after;
    const isNewRun =
      after.state?.running !== undefined && before?.containerID !== after.containerID;
    if (isNewRun) {
      const note = `Container image "${image}" already present on machine`;
      say({ reason: 'Pulled', action: 'Pull', note });
      say({ reason: 'Created', action: 'Create', note: `Created container: ${name}` });
      say({ reason: 'Started', action: 'Start', note: `Started container ${name}` });
    }
    if (
      after.state?.waiting?.reason === 'CrashLoopBackOff' &&
      before?.state?.running !== undefined
    ) {
      const { name: podName = '', namespace = '', uid = '' } = pod.metadata;
      const note = `Back-off restarting failed container ${name} in pod ${podName}_${namespace}(${uid})`;
      say({ type: 'Warning', reason: 'BackOff', action: 'Restart', note });
    }
    if (before?.ready === true && !after.ready && after.state?.running !== undefined) {
      const note = 'Readiness probe failed: the annotation says unready';
      say({ type: 'Warning', reason: 'Unhealthy', action: 'Probe', note });
    }
  }
}
