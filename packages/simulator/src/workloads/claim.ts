import {
  deepCopy,
  type Kind,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  matchesLabels,
} from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import { controllerOf } from '../world/cache.ts';
import type { World } from '../world/world.ts';

/** Who claims what. */
export interface Claim<O extends KubeObject, T extends KubeObject> {
  readonly ownerKind: Kind<O>;
  readonly owner: O & { spec: { selector?: LabelSelector } };
  readonly kind: Kind<T>;
}

/**
 * What belongs to a workload: what it controls and selects. Matching objects that nobody controls are adopted, and those
 * it controls but selects no longer are let go, as upstream's controllers do.
 */
export async function claim<O extends KubeObject, T extends KubeObject>(
  world: World,
  { ownerKind, owner, kind }: Claim<O, T>,
): Promise<T[]> {
  const { uid, namespace, deletionTimestamp } = owner.metadata;
  const selector = labelSelectorAsSelector(owner.spec.selector);
  const claimed: T[] = [];
  for (const object of world.of(kind).ownedBy(uid)) {
    if (matchesLabels(selector, object.metadata.labels ?? {})) claimed.push(object);
    else if (deletionTimestamp === undefined) await release(world, kind, { object, uid });
  }
  if (deletionTimestamp !== undefined) return claimed;
  for (const object of world.of(kind).list(namespace)) {
    if (controllerOf(object) !== undefined || object.metadata.deletionTimestamp !== undefined) {
      continue;
    }
    if (!matchesLabels(selector, object.metadata.labels ?? {})) continue;
    const adopted = deepCopy(object);
    adopted.metadata.ownerReferences = [
      ...(adopted.metadata.ownerReferences ?? []),
      controllerReference(ownerKind, owner),
    ];
    claimed.push(await world.update(kind, adopted));
  }
  return claimed;
}

async function release<T extends KubeObject>(
  world: World,
  kind: Kind<T>,
  { object, uid }: { object: T; uid: string | undefined },
): Promise<void> {
  if (object.metadata.deletionTimestamp !== undefined) return;
  const released = deepCopy(object);
  released.metadata.ownerReferences = (released.metadata.ownerReferences ?? []).filter(
    (owner) => owner.uid !== uid,
  );
  await world.update(kind, released);
}
