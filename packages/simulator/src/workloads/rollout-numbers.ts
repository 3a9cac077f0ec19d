import { type IntOrString, scaledIntOrPercent } from '@flotilla/machinery';
import type { Deployment, ReplicaSet } from '../kinds.ts';

/** How far a rolling update may go above and below the wanted number of pods. */
export interface Bounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/** The bounds of a Deployment in pods. Both zero would never get anywhere: then one may be unavailable. */
export function rolloutBounds({ spec }: Deployment): Bounds {
  if (spec.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: 0 };
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec.strategy?.rollingUpdate ?? {};
  const surge = scaled(maxSurge, wanted({ spec }), true);
  const unavailable = scaled(maxUnavailable, wanted({ spec }), false);
  const most = wanted({ spec });
  return {
    maxSurge: surge,
    maxUnavailable: Math.min(surge === 0 && unavailable === 0 ? 1 : unavailable, most),
  };
}

function scaled(value: IntOrString, total: number, roundUp: boolean): number {
  return scaledIntOrPercent(value, total, { roundUp });
}

/** How many pods an object asks for. */
export function wanted({ spec }: { spec: { replicas?: number } }): number {
  return spec.replicas ?? 1;
}

/** How many pods some ReplicaSets ask for together. */
export function sumWanted(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, set) => sum + wanted(set), 0);
}

/** How many pods of some ReplicaSets are available. */
export function sumAvailable(sets: readonly ReplicaSet[]): number {
  return sets.reduce((sum, { status }) => sum + (status?.availableReplicas ?? 0), 0);
}

/** How large the newest ReplicaSet may be now. */
export function newSize(
  deployment: Deployment,
  { fresh, all }: { fresh: number; all: readonly ReplicaSet[] },
): number {
  if (deployment.spec.strategy?.type === 'Recreate') return wanted(deployment);
  const room = wanted(deployment) + rolloutBounds(deployment).maxSurge - sumWanted(all);
  if (room <= 0) return fresh;
  return fresh + Math.min(room, wanted(deployment) - fresh);
}

/** New sizes of ReplicaSets that get smaller, by name. */
export type Sizes = ReadonlyMap<string, number>;

/**
 * How small the old ReplicaSets may be made now: first pods that do not work anyway, then as many as the new ones that are
 * available make up for.
 */
export function oldSizes(
  deployment: Deployment,
  { fresh, old }: { fresh: ReplicaSet; old: readonly ReplicaSet[] },
): Sizes {
  const sizes = new Map<string, number>();
  const all = [...old, fresh];
  const least = wanted(deployment) - rolloutBounds(deployment).maxUnavailable;
  const freshMissing = wanted(fresh) - (fresh.status?.availableReplicas ?? 0);
  const mayGo = sumWanted(all) - least - freshMissing;
  if (mayGo <= 0) return sizes;
  const oldestFirst = [...old].sort(byAge);

  let cleaned = 0;
  for (const set of oldestFirst) {
    const available = set.status?.availableReplicas ?? 0;
    const broken = Math.min(mayGo - cleaned, wanted(set) - available);
    if (wanted(set) === 0 || broken <= 0) continue;
    sizes.set(nameOf(set), wanted(set) - broken);
    cleaned += broken;
  }

  let surplus = sumAvailable(all) - least;
  for (const set of oldestFirst) {
    const size = sizes.get(nameOf(set)) ?? wanted(set);
    if (surplus <= 0) break;
    if (size === 0) continue;
    const fewer = Math.min(size, surplus);
    sizes.set(nameOf(set), size - fewer);
    surplus -= fewer;
  }
  return sizes;
}

/** Spreads a change of the wanted number over ReplicaSets in the middle of a rollout, in proportion to their sizes. */
export function proportionalSizes(deployment: Deployment, sets: readonly ReplicaSet[]): Sizes {
  const allowed =
    wanted(deployment) > 0 ? wanted(deployment) + rolloutBounds(deployment).maxSurge : 0;
  const toAdd = allowed - sumWanted(sets);
  const ordered = [...sets].sort(toAdd > 0 ? bySizeNewest : bySizeOldest);
  const sizes = new Map<string, number>();
  let added = 0;
  for (const set of ordered) {
    const share = toAdd === 0 ? 0 : shareOf(set, { allowed, left: toAdd - added });
    sizes.set(nameOf(set), wanted(set) + share);
    added += share;
  }
  const [largest] = ordered;
  if (largest !== undefined) {
    const size = (sizes.get(nameOf(largest)) ?? 0) + toAdd - added;
    sizes.set(nameOf(largest), Math.max(0, size));
  }
  return sizes;
}

/** The annotation says what the Deployment could have had at most when the ReplicaSet was last sized. */
function shareOf(set: ReplicaSet, { allowed, left }: { allowed: number; left: number }): number {
  const before = Number(set.metadata.annotations?.['deployment.kubernetes.io/max-replicas'] ?? 0);
  if (wanted(set) === 0 || before === 0) return 0;
  const fraction = Math.round((wanted(set) * allowed) / before) - wanted(set);
  return left > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}

/** Oldest first. */
export function byAge(a: ReplicaSet, b: ReplicaSet): number {
  const [one = '', other = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (one !== other) return one < other ? -1 : 1;
  return nameOf(a) < nameOf(b) ? -1 : 1;
}

function bySizeNewest(a: ReplicaSet, b: ReplicaSet): number {
  return wanted(b) - wanted(a) || byAge(b, a);
}

function bySizeOldest(a: ReplicaSet, b: ReplicaSet): number {
  return wanted(b) - wanted(a) || byAge(a, b);
}

function nameOf({ metadata }: ReplicaSet): string {
  return metadata.name ?? '';
}
