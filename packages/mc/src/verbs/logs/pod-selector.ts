import type { ApiResource } from '@flotilla/client';
import {
  formatSelector,
  getOwn,
  isJsonObject,
  type KubeObject,
  labelSelectorAsSelector,
  selectorFromLabels,
} from '@flotilla/machinery';
import { UsageError } from '../../usage-error.ts';

/** Kinds whose `spec.selector` is a LabelSelector. */
const SELECTING: ReadonlySet<string> = new Set([
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
]);
/** Kinds whose `spec.selector` is a map of labels. */
const MAPPING: ReadonlySet<string> = new Set(['services', 'replicationcontrollers']);

/** The label selector of a workload's pods. Throws kubectl's words for kinds that have no pods. */
export function podSelectorOf(resource: ApiResource, object: KubeObject): string {
  const { plural, group } = resource;
  const type = group === '' ? plural : `${plural}.${group}`;
  const spec: unknown = getOwn(object, 'spec');
  const selector = isJsonObject(spec) ? spec['selector'] : undefined;
  if (SELECTING.has(type)) {
    // Nothing would be written as everything.
    if (!isJsonObject(selector)) throw withoutSelector(resource, object);
    return formatSelector(labelSelectorAsSelector(selector));
  }
  if (MAPPING.has(type)) {
    const labels = isJsonObject(selector) ? (selector as Record<string, string>) : {};
    if (Object.keys(labels).length === 0) throw withoutSelector(resource, object);
    return formatSelector(selectorFromLabels(labels));
  }
  const kind = goType(resource);
  // The same on every cluster.
  throw new UsageError(`cannot get the logs from ${kind}: selector for ${kind} not implemented`);
}

function withoutSelector(resource: ApiResource, { metadata }: KubeObject): Error {
  const what = resource.kind.toLowerCase();
  return new Error(
    `cannot get the logs from ${goType(resource)}: invalid ${what} '${metadata.name}': ${resource.kind} is defined without a selector`,
  );
}

/** As Go prints the type: kinds that users define have none of their own. */
function goType({ kind, version, group }: ApiResource): string {
  const isBuiltIn = !group.includes('.') || group.endsWith('.k8s.io');
  return isBuiltIn ? `*${version}.${kind}` : '*unstructured.Unstructured';
}
