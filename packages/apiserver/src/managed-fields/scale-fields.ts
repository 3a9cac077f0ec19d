import type { KubeObject } from '@flotilla/machinery';
import {
  difference,
  hasPath,
  isEmptySet,
  type OwnedFields,
  setOf,
} from '@flotilla/machinery/apply';
import type { ResourceDef } from '../resources/resource.ts';
import { decodeStoredEntries, entriesOf, type Managed } from './entry.ts';
import { setEntries } from './track.ts';

const IN_SCALE = ['f:spec', 'f:replicas'];

/** Where a version of the kind keeps its replicas; undefined when there is no such version, none when it has none. */
function replicasPath(def: ResourceDef, version: string): readonly string[] | undefined {
  const there = version === def.apiVersion ? def : def.inVersion?.(version);
  if (there === undefined) return undefined;
  const { scale } = there.behaviour;
  if (scale === undefined) return [];
  return scale.replicasPath?.map((name) => `f:${name}`) ?? IN_SCALE;
}

/** Tells a Scale who owns the replicas of the object behind it. */
export function addScaleEntries(def: ResourceDef, object: KubeObject, scale: KubeObject): void {
  const parent = decodeStoredEntries(entriesOf(object) ?? []);
  const managers = new Map<string, OwnedFields>();
  for (const [identifier, owned] of parent.managers) {
    const path = replicasPath(def, owned.version) ?? [];
    if (!hasPath(owned.fields, path)) continue;
    managers.set(identifier, { ...owned, fields: setOf(IN_SCALE), version: 'autoscaling/v1' });
  }
  setEntries(scale, { managers, times: parent.times });
}

/** Tells the object behind a Scale who has come to own its replicas. */
export function takeScaleEntries(def: ResourceDef, object: KubeObject, scale: KubeObject): void {
  const parent = decodeStoredEntries(entriesOf(object) ?? []);
  const scaled = new Map(decodeStoredEntries(entriesOf(scale) ?? []).managers);
  const managers = new Map<string, OwnedFields>();
  for (const [identifier, owned] of parent.managers) {
    const path = replicasPath(def, owned.version);
    if (path === undefined) continue;
    if (!hasPath(owned.fields, path) || scaled.delete(identifier)) {
      managers.set(identifier, owned);
      continue;
    }
    const fields = difference(owned.fields, setOf(path));
    if (!isEmptySet(fields)) managers.set(identifier, { ...owned, fields });
  }
  const path = replicasPath(def, def.apiVersion) ?? IN_SCALE;
  for (const [identifier, { fields, applied }] of scaled) {
    if (!hasPath(fields, IN_SCALE)) continue;
    managers.set(identifier, { fields: setOf(path), version: def.apiVersion, applied });
  }
  // Upstream looks the times of scalers up among the object's own, where they are not: they have none.
  const managed: Managed = { managers, times: parent.times };
  delete object.metadata.managedFields;
  setEntries(object, managed);
}
