import type { Condition, Deployment, DeploymentStatus, ReplicaSet } from '../kinds.ts';
import { findCondition } from '../pod-facts.ts';
import { withCondition, withoutCondition } from './conditions.ts';
import { nonZero, replicaFailure } from './replica-set.ts';
import { rolloutBounds, sumAvailable, sumWanted, wanted } from './rollout-numbers.ts';

/** The ReplicaSets of a Deployment: that of its present template, where it is there, and those of former ones. */
export interface Revisions {
  readonly fresh: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
}

/** What a Deployment reports of its ReplicaSets. */
export function deploymentStatus(
  deployment: Deployment,
  revisions: Revisions,
  now: { readonly text: string; readonly ms: number },
): DeploymentStatus {
  const all = [...revisions.old, ...(revisions.fresh === undefined ? [] : [revisions.fresh])];
  const available = sumAvailable(all);
  const sum = (count: (set: ReplicaSet) => number | undefined): number =>
    all.reduce((total, set) => total + (count(set) ?? 0), 0);
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  const counted: DeploymentStatus = {
    observedGeneration: deployment.metadata.generation ?? 0,
    ...nonZero(
      'replicas',
      sum(({ status }) => status?.replicas),
    ),
    ...nonZero('updatedReplicas', revisions.fresh?.status?.replicas ?? 0),
    ...nonZero(
      'readyReplicas',
      sum(({ status }) => status?.readyReplicas),
    ),
    ...nonZero('availableReplicas', available),
    ...nonZero('unavailableReplicas', Math.max(0, sumWanted(all) - available)),
    conditions: withCondition(conditions, availability(deployment, available, now.text)),
    ...(collisionCount === undefined ? {} : { collisionCount }),
  };
  return { ...counted, conditions: progress(deployment, revisions, { counted, now }) };
}

function availability(deployment: Deployment, available: number, time: string): Condition {
  const isEnough = available >= wanted(deployment) - rolloutBounds(deployment).maxUnavailable;
  return condition('Available', time, {
    status: isEnough ? 'True' : 'False',
    reason: isEnough ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: isEnough
      ? 'Deployment has minimum availability.'
      : 'Deployment does not have minimum availability.',
  });
}

interface Progress {
  readonly counted: DeploymentStatus;
  readonly now: { readonly text: string; readonly ms: number };
}

function progress(
  deployment: Deployment,
  { fresh, old }: Revisions,
  { counted, now }: Progress,
): Condition[] {
  let conditions = counted.conditions ?? [];
  const current = findCondition(deployment, 'Progressing');
  const say = (status: string, reason: string, message: string): Condition =>
    condition('Progressing', now.text, { status, reason, message });
  const what =
    fresh === undefined
      ? `Deployment "${deployment.metadata.name ?? ''}"`
      : `ReplicaSet "${fresh.metadata.name ?? ''}"`;

  const wasComplete =
    (counted.replicas ?? 0) === (counted.updatedReplicas ?? 0) &&
    current?.reason === 'NewReplicaSetAvailable';
  if (hasDeadline(deployment) && !wasComplete && deployment.spec.paused !== true) {
    if (isComplete(deployment, counted)) {
      const done = say('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`);
      conditions = withCondition(conditions, done);
    } else if (hasProgressed(deployment, counted)) {
      const moving = say('True', 'ReplicaSetUpdated', `${what} is progressing.`);
      if (current === undefined) conditions = [...conditions, moving];
      else {
        // Replaced whatever it said, because its update time is what the deadline counts from.
        const since =
          current.status === 'True' ? current.lastTransitionTime : moving.lastTransitionTime;
        conditions = [
          ...withoutCondition(conditions, 'Progressing'),
          { ...moving, ...(since === undefined ? {} : { lastTransitionTime: since }) },
        ];
      }
    } else if (isTimedOut(deployment, current, now.ms)) {
      const late = say('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`);
      conditions = withCondition(conditions, late);
    }
  }
  const [failure] = [...(fresh === undefined ? [] : [fresh]), ...old].flatMap(
    (set) => replicaFailure(set) ?? [],
  );
  if (failure === undefined) return withoutCondition(conditions, 'ReplicaFailure');
  const { status, reason = '', message = '' } = failure;
  return withCondition(
    conditions,
    condition('ReplicaFailure', now.text, { status, reason, message }),
  );
}

/** A condition of a Deployment that begins now. */
export function condition(
  type: string,
  time: string,
  said: { status: string; reason: string; message: string },
): Condition {
  return { type, ...said, lastUpdateTime: time, lastTransitionTime: time };
}

/** The largest int32 stands for none. */
export function hasDeadline({ spec }: Deployment): boolean {
  return (spec.progressDeadlineSeconds ?? 600) !== 2_147_483_647;
}

/** Whether all pods are of the present template and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const count = wanted(deployment);
  return (
    (status.updatedReplicas ?? 0) === count &&
    (status.replicas ?? 0) === count &&
    (status.availableReplicas ?? 0) === count &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed({ status: before = {} }: Deployment, status: DeploymentStatus): boolean {
  const outdated = (of: DeploymentStatus): number => (of.replicas ?? 0) - (of.updatedReplicas ?? 0);
  return (
    (status.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    outdated(status) < outdated(before) ||
    (status.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (status.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

/** When a rollout that does not move counts as failed; undefined when it does or cannot. */
export function deadlineMs(
  deployment: Deployment,
  current: Condition | undefined,
): number | undefined {
  if (current === undefined || !hasDeadline(deployment)) return undefined;
  if (current.reason === 'NewReplicaSetAvailable') return undefined;
  const from = Date.parse(current.lastUpdateTime ?? '');
  return from + (deployment.spec.progressDeadlineSeconds ?? 600) * 1000;
}

function isTimedOut(deployment: Deployment, current: Condition | undefined, now: number): boolean {
  if (current?.reason === 'ProgressDeadlineExceeded') return true;
  const deadline = deadlineMs(deployment, current);
  return deadline !== undefined && deadline < now;
}
