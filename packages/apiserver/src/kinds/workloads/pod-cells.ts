import type { Cell } from '../behaviour.ts';
import { age } from './cells.ts';
import { isRestartable } from './containers-of.ts';
import type { ContainerState, ContainerStatus, Pod } from './pod-types.ts';
import { isConditionTrue } from './support.ts';

/** What has been counted while going over a pod's containers. */
interface Tally {
  reason: string;
  ready: number;
  restarts: number;
  lastRestart: string;
}

/** A pod's row: name, ready, status, restarts, age, address, node, nominated node, readiness gates. */
export function podCells(pod: Pod, { now }: { now: Date }): Cell[] {
  const { spec, status, metadata } = pod;
  const sidecars = (spec.initContainers ?? []).filter(isRestartable).length;
  const tally = tallyOf(pod);
  const restarts =
    tally.restarts > 0 && tally.lastRestart !== ''
      ? `${tally.restarts} (${age(tally.lastRestart, now)} ago)`
      : `${tally.restarts}`;
  return [
    metadata.name ?? '',
    `${tally.ready}/${(spec.containers ?? []).length + sidecars}`,
    shownReason(pod, tally.reason),
    restarts,
    age(metadata.creationTimestamp, now),
    status.podIPs?.[0]?.ip || '<none>',
    spec.nodeName || '<none>',
    status.nominatedNodeName || '<none>',
    readinessGates(pod),
  ];
}

function tallyOf(pod: Pod): Tally {
  const { status } = pod;
  const gated = (status.conditions ?? []).some(
    ({ type, reason }) => type === 'PodScheduled' && reason === 'SchedulingGated',
  );
  const tally: Tally = {
    reason: gated ? 'SchedulingGated' : status.reason || status.phase || '',
    ready: 0,
    restarts: 0,
    lastRestart: '',
  };
  // Restarts of sidecars count on once the pod is up, those of other init containers do not.
  const sidecars: Tally = { ...tally };
  const initializing = tallyInits(pod, tally, sidecars);
  if (!initializing || isConditionTrue(firstOfType(pod, 'Initialized'), 'Initialized')) {
    tally.restarts = sidecars.restarts;
    tally.lastRestart = sidecars.lastRestart;
    tallyContainers(pod, tally);
  }
  return tally;
}

/** Goes over the init containers until one that is not done; true when there is such a one. */
function tallyInits({ spec, status }: Pod, tally: Tally, sidecars: Tally): boolean {
  const inits = spec.initContainers ?? [];
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(tally, container);
    const sidecar = isRestartable(inits.find((each) => each.name === container.name));
    if (sidecar) countRestarts(sidecars, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started) {
      if (container.ready) tally.ready++;
      continue;
    }
    const waitingFor = waiting?.reason ?? '';
    if (terminated) tally.reason = `Init:${exitReason(terminated)}`;
    else if (waitingFor !== '' && waitingFor !== 'PodInitializing') {
      tally.reason = `Init:${waitingFor}`;
    } else tally.reason = `Init:${index}/${inits.length}`;
    return true;
  }
  return false;
}

function tallyContainers({ status }: Pod, tally: Tally): void {
  let running = false;
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
    countRestarts(tally, container);
    const { waiting, terminated, running: runs } = container.state ?? {};
    if (waiting?.reason) tally.reason = waiting.reason;
    else if (terminated) tally.reason = exitReason(terminated);
    else if (container.ready && runs) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason === 'Completed' && running) {
    tally.reason = isConditionTrue(status.conditions, 'Ready') ? 'Running' : 'NotReady';
  }
}

function countRestarts(tally: Tally, container: ContainerStatus): void {
  tally.restarts += container.restartCount;
  const finished = container.lastState?.terminated?.finishedAt ?? '';
  if (finished !== '' && (tally.lastRestart === '' || isBefore(tally.lastRestart, finished))) {
    tally.lastRestart = finished;
  }
}

function isBefore(a: string, b: string): boolean {
  return Date.parse(a) < Date.parse(b);
}

function exitReason(terminated: NonNullable<ContainerState['terminated']>): string {
  if (terminated.reason) return terminated.reason;
  return terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`;
}

function shownReason({ metadata, status }: Pod, reason: string): string {
  if (metadata.deletionTimestamp == null) return reason;
  if (status.reason === 'NodeLost') return 'Unknown';
  return status.phase === 'Failed' || status.phase === 'Succeeded' ? reason : 'Terminating';
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const open = gates.filter(({ conditionType }) => {
    const condition = (status.conditions ?? []).find((each) => each.type === conditionType);
    return condition?.status === 'True';
  });
  return `${open.length}/${gates.length}`;
}

function firstOfType({ status }: Pod, type: string) {
  return (status.conditions ?? []).filter((each) => each.type === type).slice(0, 1);
}
