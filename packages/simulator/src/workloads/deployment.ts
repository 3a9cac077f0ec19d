import { deepEqual } from '@flotilla/machinery';
import {
  type Condition,
  type Deployment,
  Deployments,
  Pods,
  type ReplicaSet,
  ReplicaSets,
} from '../kinds.ts';
import { findCondition } from '../pod-facts.ts';
import { claim } from './claim.ts';
import { withCondition } from './conditions.ts';
import type { Recheck, Workloads } from './context.ts';
import {
  annotate,
  createReplicaSet,
  outdated,
  REVISION,
  sizeAnnotations,
  splitRevisions,
  wasScaled,
} from './deployment-revisions.ts';
import {
  condition,
  deadlineMs,
  deploymentStatus,
  hasDeadline,
  isComplete,
  type Revisions,
} from './deployment-status.ts';
import { newSize, oldSizes, proportionalSizes, type Sizes, wanted } from './rollout-numbers.ts';

const COMPONENT = 'deployment-controller';

/**
 * Moves a Deployment one step towards its template. Each step changes sizes of ReplicaSets; their statuses then call for
 * the next one, so that a rollout is never further than its pods are.
 */
export async function reconcileDeployment(work: Workloads, given: Deployment): Promise<Recheck> {
  const { world } = work;
  let deployment = given;
  const sets = await claim(world, {
    ownerKind: Deployments,
    owner: deployment,
    kind: ReplicaSets,
  });
  let revisions = splitRevisions(deployment, sets);
  if (deployment.metadata.deletionTimestamp !== undefined) {
    return report(work, deployment, revisions);
  }
  deployment = await tellPaused(work, deployment);

  if (deployment.spec.paused === true || wasScaled(deployment, sets)) {
    if (revisions.fresh !== undefined) {
      revisions = await resize(work, deployment, {
        revisions,
        sizes: scaledSizes(deployment, revisions),
      });
    }
    if (deployment.spec.paused === true) await clean(work, deployment, revisions);
    return report(work, deployment, revisions);
  }

  const isRecreating = deployment.spec.strategy?.type === 'Recreate';
  if (isRecreating && (await makeRoom(work, deployment, revisions))) {
    return report(work, deployment, splitRevisions(deployment, current(work, sets)));
  }
  const begun = await begin(work, deployment, revisions);
  if (begun === undefined) return undefined;
  ({ deployment, revisions } = begun);
  const { fresh } = revisions;
  if (fresh !== undefined) {
    const grown = newSize(deployment, { fresh: wanted(fresh), all: [...revisions.old, fresh] });
    const size = Math.min(grown, Math.max(wanted(deployment), 0));
    const sizes = new Map([[fresh.metadata.name ?? '', size]]);
    const isSame = size === wanted(fresh);
    revisions = await resize(work, deployment, {
      revisions,
      sizes: isSame && !isRecreating ? oldSizes(deployment, { fresh, old: revisions.old }) : sizes,
    });
  }
  const status = deploymentStatus(deployment, revisions, moment(work));
  if (isComplete(deployment, status)) await clean(work, deployment, revisions);
  return report(work, deployment, revisions);
}

/** Makes sure that the ReplicaSet of the present template is there and numbered. */
async function begin(
  { world, tell }: Workloads,
  given: Deployment,
  before: Revisions,
): Promise<{ deployment: Deployment; revisions: Revisions } | undefined> {
  let deployment = given;
  let { fresh } = before;
  let said: Condition | undefined;
  const say = (reason: string, message: string): Condition =>
    condition('Progressing', world.timestamp(), { status: 'True', reason, message });
  if (fresh === undefined) {
    fresh = await createReplicaSet(world, deployment, before);
    if (fresh === undefined) return undefined;
    const name = fresh.metadata.name ?? '';
    said = say('NewReplicaSetCreated', `Created new replica set "${name}"`);
    if (wanted(fresh) > 0) {
      tell(COMPONENT, deployment, {
        reason: 'ScalingReplicaSet',
        action: 'Scale',
        note: `Scaled up replica set ${name} from 0 to ${wanted(fresh)}`,
      });
    }
  } else {
    fresh = await annotate(world, deployment, { ...before, fresh });
    if (findCondition(deployment, 'Progressing') === undefined) {
      said = say('FoundNewReplicaSet', `Found new replica set "${fresh.metadata.name ?? ''}"`);
    }
  }
  const revision = fresh.metadata.annotations?.[REVISION] ?? '';
  const conditions = deployment.status?.conditions ?? [];
  const isNumbered = deployment.metadata.annotations?.[REVISION] === revision;
  const news = hasDeadline(deployment) ? said : undefined;
  if (!isNumbered || news !== undefined) {
    const annotations = { ...deployment.metadata.annotations, [REVISION]: revision };
    // With the status, as upstream writes it: a change of annotations alone would be a new generation.
    deployment = await world.updateStatus(Deployments, {
      ...deployment,
      metadata: { ...deployment.metadata, annotations },
      status: {
        ...deployment.status,
        conditions: news === undefined ? conditions : withCondition(conditions, news),
      },
    });
  }
  return { deployment, revisions: { fresh, old: before.old } };
}

/** Recreate: nothing new before everything old is gone. True while there is something left. */
async function makeRoom(
  work: Workloads,
  deployment: Deployment,
  { fresh, old }: Revisions,
): Promise<boolean> {
  const sizes = new Map(
    old.filter((set) => wanted(set) > 0).map((set) => [set.metadata.name ?? '', 0]),
  );
  if (sizes.size > 0) {
    await resize(work, deployment, { revisions: { fresh, old }, sizes });
    return true;
  }
  // Also those that are on their way out still hold what the new ones need.
  return old.some((set) => work.world.of(Pods).ownedBy(set.metadata.uid).length > 0);
}

/** Sizes for a Deployment that was scaled, whether or not it is in the middle of a rollout. */
function scaledSizes(deployment: Deployment, { fresh, old }: Revisions): Sizes {
  const all = [...old, ...(fresh === undefined ? [] : [fresh])];
  const active = all.filter((set) => wanted(set) > 0);
  const only = active.length === 1 ? active[0] : active.length === 0 ? fresh : undefined;
  if (only !== undefined) return new Map([[only.metadata.name ?? '', wanted(deployment)]]);
  const isSaturated =
    fresh !== undefined &&
    wanted(fresh) === wanted(deployment) &&
    (fresh.status?.availableReplicas ?? 0) === wanted(deployment);
  if (isSaturated) return new Map(old.map((set) => [set.metadata.name ?? '', 0]));
  return proportionalSizes(deployment, active);
}

async function resize(
  { world, tell }: Workloads,
  deployment: Deployment,
  { revisions, sizes }: { revisions: Revisions; sizes: Sizes },
): Promise<Revisions> {
  const change = async (set: ReplicaSet): Promise<ReplicaSet> => {
    const size = sizes.get(set.metadata.name ?? '');
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(deployment) };
    const isSized = size === undefined || size === wanted(set);
    if (isSized && (wanted(set) === 0 || deepEqual(annotations, set.metadata.annotations))) {
      return set;
    }
    const next = size ?? wanted(set);
    const changed = await world.update(ReplicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas: next },
    });
    if (!isSized) {
      const way = next > wanted(set) ? 'up' : 'down';
      tell(COMPONENT, deployment, {
        reason: 'ScalingReplicaSet',
        action: 'Scale',
        note: `Scaled ${way} replica set ${set.metadata.name ?? ''} from ${wanted(set)} to ${next}`,
      });
    }
    return changed;
  };
  const old: ReplicaSet[] = [];
  for (const set of revisions.old) old.push(await change(set));
  return { fresh: revisions.fresh && (await change(revisions.fresh)), old };
}

async function tellPaused({ world }: Workloads, deployment: Deployment): Promise<Deployment> {
  const progressing = findCondition(deployment, 'Progressing');
  const isPaused = deployment.spec.paused === true;
  const saysPaused = progressing?.reason === 'DeploymentPaused';
  if (!hasDeadline(deployment) || isPaused === saysPaused) return deployment;
  if (progressing?.reason === 'ProgressDeadlineExceeded') return deployment;
  const said = condition('Progressing', world.timestamp(), {
    status: 'Unknown',
    reason: isPaused ? 'DeploymentPaused' : 'DeploymentResumed',
    message: isPaused ? 'Deployment is paused' : 'Deployment is resumed',
  });
  const conditions = withCondition(deployment.status?.conditions ?? [], said);
  return world.updateStatus(Deployments, {
    ...deployment,
    status: { ...deployment.status, conditions },
  });
}

async function clean(
  { world }: Workloads,
  deployment: Deployment,
  { old }: Revisions,
): Promise<void> {
  for (const set of outdated(deployment, old)) await world.delete(ReplicaSets, set);
}

async function report(
  work: Workloads,
  deployment: Deployment,
  revisions: Revisions,
): Promise<Recheck> {
  const now = moment(work);
  const status = deploymentStatus(deployment, revisions, now);
  if (!deepEqual(status, deployment.status)) {
    await work.world.updateStatus(Deployments, { ...deployment, status });
  }
  if (isComplete(deployment, status) || deployment.spec.paused === true) return undefined;
  const progressing = status.conditions?.find(({ type }) => type === 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return undefined;
  const deadline = deadlineMs(deployment, progressing);
  // A second later, because times are written in whole seconds.
  return deadline === undefined ? undefined : Math.max(0, deadline - now.ms) + 1000;
}

function current({ world }: Workloads, sets: readonly ReplicaSet[]): ReplicaSet[] {
  return sets.flatMap(({ metadata }) => {
    const { namespace, name = '' } = metadata;
    return world.of(ReplicaSets).get({ namespace, name }) ?? [];
  });
}

function moment({ world }: Workloads): { text: string; ms: number } {
  return { text: world.timestamp(), ms: world.now() };
}
