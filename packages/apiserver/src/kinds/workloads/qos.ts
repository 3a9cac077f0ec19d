import type { ResourceList } from './api-values.ts';
import type { Container } from './container-types.ts';
import type { PodSpec } from './pod-types.ts';
import { addQuantityTexts, compareQuantityTexts } from './quantities.ts';

/** How firmly a pod's resources are promised to it. */
export type QosClass = 'Guaranteed' | 'Burstable' | 'BestEffort';

/** The class that follows from a pod's requests and limits of cpu and memory. */
export function qosClass(spec: PodSpec): QosClass {
  const sources: readonly Pick<Container, 'resources'>[] =
    spec.resources == null
      ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])]
      : [{ resources: spec.resources }];
  const requests: ResourceList = {};
  const limits: ResourceList = {};
  let guaranteed = true;
  for (const { resources } of sources) {
    addPositive(requests, resources?.requests);
    const limited = addPositive(limits, resources?.limits);
    // A pod without limits of its own is judged by what its requests say alone.
    const judged = spec.resources == null || Object.keys(resources?.limits ?? {}).length > 0;
    if (judged && limited < 2) guaranteed = false;
  }
  const names = Object.keys(requests);
  if (names.length === 0 && Object.keys(limits).length === 0) return 'BestEffort';
  const equal = names.every((name) => {
    const limit = limits[name];
    return limit !== undefined && compareQuantityTexts(limit, requests[name] ?? '0') === 0;
  });
  const same = names.length === Object.keys(limits).length;
  return guaranteed && equal && same ? 'Guaranteed' : 'Burstable';
}

/** Adds the positive amounts of cpu and memory and says how many of the two there were. */
function addPositive(sum: ResourceList, list: ResourceList | undefined): number {
  let found = 0;
  for (const name of ['cpu', 'memory']) {
    const quantity = list?.[name];
    if (quantity === undefined || compareQuantityTexts(quantity, '0') <= 0) continue;
    found++;
    const known = sum[name];
    sum[name] = known === undefined ? quantity : addQuantityTexts(known, quantity);
  }
  return found;
}
