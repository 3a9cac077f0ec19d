import { isJsonObject, type Json, setOwn } from '@flotilla/machinery';

/** Says on each object of a flat list which cluster it is of; annotations may hold anything, so the object stays valid. */
export const CLUSTER_ANNOTATION = 'kubectl-mc.k8s.io/cluster';

/** Marks an object with its cluster, in place. */
export function annotateCluster(object: Json, cluster: string): Json {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const annotations = isJsonObject(metadata['annotations']) ? metadata['annotations'] : {};
  setOwn(annotations, CLUSTER_ANNOTATION, cluster);
  metadata['annotations'] = annotations;
  object['metadata'] = metadata;
  return object;
}

/** Takes out what only servers need, in place. */
export function dropManagedFields(object: Json): Json {
  const { metadata } = object;
  if (isJsonObject(metadata)) delete metadata['managedFields'];
  return object;
}

/** A list as kubectl prints one. */
export function flatList(items: readonly unknown[]): Json {
  return { apiVersion: 'v1', items, kind: 'List', metadata: { resourceVersion: '' } };
}
