import { deepCopy, deepEqual, isAlreadyExists } from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import {
  type Deployment,
  Deployments,
  type PodTemplate,
  type ReplicaSet,
  ReplicaSets,
} from '../kinds.ts';
import { controllerOf } from '../world/cache.ts';
import type { World } from '../world/world.ts';
import type { Revisions } from './deployment-status.ts';
import { byAge, newSize, rolloutBounds, wanted } from './rollout-numbers.ts';
import { canonical, templateHash } from './template-hash.ts';

/** The label that tells the pods of one template from those of another. */
export const HASH_LABEL = 'pod-template-hash';
/** Which rollout a ReplicaSet belongs to, and a Deployment is at. */
export const REVISION = 'deployment.kubernetes.io/revision';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const DESIRED = 'deployment.kubernetes.io/desired-replicas';
const MAXIMUM = 'deployment.kubernetes.io/max-replicas';
/** What a ReplicaSet does not take over from its Deployment. */
const NOT_COPIED = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  REVISION,
  REVISION_HISTORY,
  DESIRED,
  MAXIMUM,
  'deprecated.deployment.rollback.to',
]);

/** Tells the ReplicaSet of a Deployment's present template from the others. */
export function splitRevisions(deployment: Deployment, sets: readonly ReplicaSet[]): Revisions {
  const present = comparable(deployment.spec.template);
  const fresh = [...sets].sort(byAge).find((set) => comparable(set.spec.template) === present);
  return { fresh, old: sets.filter((set) => set !== fresh) };
}

/** What of a template makes pods differ: all but the label that follows from it. */
function comparable(template: PodTemplate): string {
  const { [HASH_LABEL]: _, ...labels } = template.metadata?.labels ?? {};
  return canonical({ ...template, metadata: { ...template.metadata, labels } });
}

/** The revision of a ReplicaSet; 0 when it has none. */
export function revisionOf({ metadata }: { metadata: ReplicaSet['metadata'] }): number {
  const revision = Number(metadata.annotations?.[REVISION] ?? 0);
  return Number.isSafeInteger(revision) ? revision : 0;
}

/** What the annotations of a ReplicaSet should be; they are what `kubectl rollout history` reads. */
export function annotationsOf(
  deployment: Deployment,
  { fresh, old }: Revisions,
): Record<string, string> {
  const revision = Math.max(0, ...old.map(revisionOf)) + 1;
  const before = fresh?.metadata.annotations ?? {};
  const copied = Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([name]) => !NOT_COPIED.has(name)),
  );
  const next: Record<string, string> = { ...before, ...copied };
  const had = Number(before[REVISION] ?? 0);
  if (had < revision) {
    if (had > 0) {
      const history = before[REVISION_HISTORY];
      next[REVISION_HISTORY] = history === undefined ? String(had) : `${history},${had}`;
    }
    next[REVISION] = String(revision);
  }
  return next;
}

/** The annotations from which a later pass sees that a Deployment was scaled. */
export function sizeAnnotations(deployment: Deployment): Record<string, string> {
  return {
    [DESIRED]: String(wanted(deployment)),
    [MAXIMUM]: String(wanted(deployment) + rolloutBounds(deployment).maxSurge),
  };
}

/** Whether a Deployment was scaled since its ReplicaSets were last sized. */
export function wasScaled(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets.some((set) => {
    const desired = set.metadata.annotations?.[DESIRED];
    return wanted(set) > 0 && desired !== undefined && Number(desired) !== wanted(deployment);
  });
}

/** The ReplicaSet of a Deployment's present template as it has to be made. */
export function newReplicaSet(deployment: Deployment, revisions: Revisions): ReplicaSet {
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(comparable(template), deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `${deployment.metadata.name ?? ''}-${hash}`,
      namespace: deployment.metadata.namespace,
      labels,
      annotations: { ...annotationsOf(deployment, revisions), ...sizeAnnotations(deployment) },
      ownerReferences: [controllerReference(Deployments, deployment)],
    },
    spec: {
      replicas: newSize(deployment, { fresh: 0, all: revisions.old }),
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
      template: { ...deepCopy(template), metadata: { ...deepCopy(template.metadata), labels } },
    },
  };
}

/** Makes it; undefined when its name is taken by another template, which the next pass gets around. */
export async function createReplicaSet(
  world: World,
  deployment: Deployment,
  revisions: Revisions,
): Promise<ReplicaSet | undefined> {
  const set = newReplicaSet(deployment, revisions);
  try {
    return await world.create(ReplicaSets, set);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const { namespace, name = '' } = set.metadata;
    const taken = world.of(ReplicaSets).get({ namespace, name });
    if (
      taken !== undefined &&
      controllerOf(taken) === deployment.metadata.uid &&
      comparable(taken.spec.template) === comparable(deployment.spec.template)
    ) {
      return taken;
    }
    const { status = {} } = deployment;
    await world.updateStatus(Deployments, {
      ...deployment,
      status: { ...status, collisionCount: (status.collisionCount ?? 0) + 1 },
    });
    return undefined;
  }
}

/** Brings what a ReplicaSet tells of its rollout up to date. */
export async function annotate(
  world: World,
  deployment: Deployment,
  revisions: Revisions & { fresh: ReplicaSet },
): Promise<ReplicaSet> {
  const { fresh } = revisions;
  const annotations = annotationsOf(deployment, revisions);
  const { minReadySeconds = 0 } = deployment.spec;
  if (
    deepEqual(annotations, fresh.metadata.annotations ?? {}) &&
    (fresh.spec.minReadySeconds ?? 0) === minReadySeconds
  ) {
    return fresh;
  }
  return world.update(ReplicaSets, {
    ...fresh,
    metadata: { ...fresh.metadata, annotations },
    spec: { ...fresh.spec, minReadySeconds },
  });
}

/** Old ReplicaSets beyond the history that a Deployment keeps. */
export function outdated(deployment: Deployment, old: readonly ReplicaSet[]): ReplicaSet[] {
  const limit = deployment.spec.revisionHistoryLimit ?? 10;
  const idle = old.filter(
    (set) =>
      wanted(set) === 0 &&
      (set.status?.replicas ?? 0) === 0 &&
      (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0) &&
      set.metadata.deletionTimestamp === undefined,
  );
  const surplus = old.length - limit;
  if (surplus <= 0) return [];
  return idle.sort((a, b) => revisionOf(a) - revisionOf(b)).slice(0, surplus);
}
