import { deepEqual, scaledIntOrPercent } from '@flotilla/machinery';
import {
  type DaemonSet,
  type DaemonSetStatus,
  DaemonSets,
  type Node,
  Nodes,
  type Pod,
  Pods,
} from '../kinds.ts';
import { isFinished, isReady, untilAvailableMs } from '../pod-facts.ts';
import { claim } from './claim.ts';
import { type Recheck, sooner, type Workloads } from './context.ts';
import { keepHistory, trimHistory } from './controller-revisions.ts';
import { daemonPod, nodeOfDaemon, shouldRunOn } from './daemon-pods.ts';
import { nonZero } from './replica-set.ts';
import { REVISION_LABEL } from './stateful-pods.ts';

const COMPONENT = 'daemonset-controller';
const KEEPING = { kind: DaemonSets, hashLabel: REVISION_LABEL };

/** One node of a DaemonSet with the pods it has there. */
interface Place {
  readonly node: Node;
  readonly isWanted: boolean;
  readonly pods: readonly Pod[];
}

interface Pass {
  readonly set: DaemonSet;
  /** The label of pods of the present template. */
  readonly hash: string;
  readonly places: readonly Place[];
}

/** Keeps a pod on every node that a DaemonSet fits, and replaces those of an old template. */
export async function reconcileDaemonSet(work: Workloads, set: DaemonSet): Promise<Recheck> {
  const { world } = work;
  const history = await keepHistory(world, KEEPING, set);
  const hash = history.present.metadata.labels?.[REVISION_LABEL] ?? '';
  await claim(world, { ownerKind: DaemonSets, owner: set, kind: Pods });
  const look = (): Pass => ({ set, hash, places: placesOf(work, set) });
  if (set.metadata.deletionTimestamp === undefined) {
    await fill(work, look());
    await replaceOutdated(work, look());
  }
  const done = look();
  const again = await writeStatus(work, done);
  const used = new Set(
    done.places.flatMap(({ pods }) =>
      pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL] ?? ''),
    ),
  );
  const inUse = history.all
    .filter(({ metadata }) => used.has(metadata.labels?.[REVISION_LABEL] ?? ''))
    .map(({ metadata }) => metadata.name ?? '');
  await trimHistory(world, { owner: set, history, inUse: new Set(inUse) });
  return again;
}

function placesOf({ world }: Workloads, set: DaemonSet): Place[] {
  const pods = world.of(Pods).ownedBy(set.metadata.uid);
  return world
    .of(Nodes)
    .list()
    .map((node) => ({
      node,
      isWanted: shouldRunOn(set, node),
      pods: pods.filter((pod) => nodeOfDaemon(pod) === node.metadata.name),
    }));
}

async function fill(work: Workloads, { set, hash, places }: Pass): Promise<void> {
  for (const { node, isWanted, pods } of places) {
    for (const pod of pods) {
      if (pod.metadata.deletionTimestamp !== undefined) continue;
      // Daemons that ended are started anew, and those that have no place go.
      if (isFinished(pod) || !isWanted) await drop(work, set, pod);
    }
    if (isWanted && pods.every(isFinished)) await make(work, { set, hash, node });
  }
}

async function make(
  { world, tell }: Workloads,
  { set, hash, node }: { set: DaemonSet; hash: string; node: Node },
): Promise<void> {
  const pod = await world.create(Pods, daemonPod(set, { hash, node: node.metadata.name ?? '' }));
  tell(COMPONENT, set, {
    reason: 'SuccessfulCreate',
    action: 'Create',
    note: `Created pod: ${pod.metadata.name ?? ''}`,
  });
}

async function drop({ world, tell }: Workloads, set: DaemonSet, pod: Pod): Promise<void> {
  await world.delete(Pods, pod);
  tell(COMPONENT, set, {
    reason: 'SuccessfulDelete',
    action: 'Delete',
    note: `Deleted pod: ${pod.metadata.name ?? ''}`,
  });
}

async function replaceOutdated(work: Workloads, { set, hash, places }: Pass): Promise<void> {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return;
  const wantedPlaces = places.filter(({ isWanted }) => isWanted);
  const scaled = (value: number | string): number =>
    scaledIntOrPercent(value, wantedPlaces.length, { roundUp: true });
  const maxSurge = scaled(rollingUpdate?.maxSurge ?? 0);
  const asked = scaled(rollingUpdate?.maxUnavailable ?? 1);
  let unavailableLeft = asked === 0 && maxSurge === 0 ? 1 : asked;
  let surgeLeft = maxSurge;

  const isOutdated = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_LABEL] !== hash;
  const isUp = (pod: Pod): boolean => isAvailable(work, set, pod);
  const outdated: { place: Place; pod: Pod }[] = [];
  for (const place of wantedPlaces) {
    const fresh = place.pods.find((pod) => !isOutdated(pod));
    const old = place.pods.find(
      (pod) => isOutdated(pod) && pod.metadata.deletionTimestamp === undefined,
    );
    if (!place.pods.some(isUp)) {
      unavailableLeft -= 1;
      // What does not work is no loss.
      if (old !== undefined && fresh === undefined) await drop(work, set, old);
      continue;
    }
    if (old === undefined) continue;
    if (fresh === undefined) outdated.push({ place, pod: old });
    else if (isUp(fresh)) await drop(work, set, old);
    else surgeLeft -= 1;
  }
  for (const { place, pod } of outdated) {
    if (surgeLeft > 0) {
      surgeLeft -= 1;
      await make(work, { set, hash, node: place.node });
    } else if (maxSurge === 0 && unavailableLeft > 0) {
      unavailableLeft -= 1;
      await drop(work, set, pod);
    }
  }
}

function isAvailable({ world }: Workloads, { spec }: DaemonSet, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const { minReadySeconds } = spec;
  return untilAvailableMs(pod, { minReadySeconds, now: world.now() }) === 0;
}

async function writeStatus(work: Workloads, { set, hash, places }: Pass): Promise<Recheck> {
  const { world } = work;
  let again: Recheck;
  const counts = { desired: 0, current: 0, misscheduled: 0, ready: 0, available: 0, updated: 0 };
  for (const { isWanted, pods } of places) {
    if (!isWanted) {
      if (pods.length > 0) counts.misscheduled += 1;
      continue;
    }
    counts.desired += 1;
    const pod = [...pods].sort(byReadiness)[0];
    if (pod === undefined) continue;
    counts.current += 1;
    if (pod.metadata.labels?.[REVISION_LABEL] === hash) counts.updated += 1;
    if (!isReady(pod)) continue;
    counts.ready += 1;
    const { minReadySeconds } = set.spec;
    const ms = untilAvailableMs(pod, { minReadySeconds, now: world.now() });
    if (ms === 0) counts.available += 1;
    else again = sooner(again, ms);
  }
  const status: DaemonSetStatus = {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    observedGeneration: set.metadata.generation ?? 0,
    ...nonZero('updatedNumberScheduled', counts.updated),
    ...nonZero('numberAvailable', counts.available),
    ...nonZero('numberUnavailable', counts.desired - counts.available),
  };
  if (!deepEqual(status, set.status)) await world.updateStatus(DaemonSets, { ...set, status });
  return again;
}

/** Of two pods on a node the one that works counts. */
function byReadiness(a: Pod, b: Pod): number {
  const worth = (pod: Pod): number =>
    Number(isReady(pod)) * 2 + Number(pod.metadata.deletionTimestamp === undefined);
  return worth(b) - worth(a);
}
