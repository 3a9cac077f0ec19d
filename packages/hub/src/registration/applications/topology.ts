import { isJsonObject } from '@flotilla/machinery';
import { GATEWAY_PREFIX } from '../../cluster-secret/names.ts';
import type { Application } from './kinds.ts';

/** Where one topology policy puts components. */
export interface Topology {
  /** Wins over the selector, even when it is empty. */
  readonly clusters: readonly string[] | undefined;
  readonly selector: Readonly<Record<string, string>> | undefined;
}

/** All topology policies of an Application that can be read, and what is wrong with the others. */
export interface Topologies {
  readonly topologies: readonly Topology[];
  readonly problems: readonly string[];
}

/** The label that KubeVela sees on every cluster without its being written anywhere. */
const CONTROL_PLANE_LABEL = `${GATEWAY_PREFIX}/control-plane`;

/**
 * Reads the topology policies of an Application. The old name `clusterSelector` is not read: KubeVela ignores it
 * unless a feature gate that is off by default says otherwise, and so does `vela cluster join`.
 */
export function topologiesOf({ spec }: Application): Topologies {
  const policies = Array.isArray(spec?.policies) ? (spec.policies as unknown[]) : [];
  const topologies: Topology[] = [];
  const problems: string[] = [];
  for (const policy of policies) {
    if (!isJsonObject(policy) || policy['type'] !== 'topology') continue;
    const { properties } = policy;
    if (properties === undefined || properties === null) continue;
    const read = readTopology(properties);
    if (typeof read === 'string') problems.push(`policy "${nameOf(policy)}": ${read}`);
    else topologies.push(read);
  }
  return { topologies, problems };
}

/** Whether a member with these labels is one that KubeVela would find by the selector. */
export function isSelected(
  selector: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(selector).every(([key, value]) => {
    if (key === CONTROL_PLANE_LABEL) return value === 'false';
    // KubeVela takes the gateway's own labels off before it compares.
    return !key.startsWith(GATEWAY_PREFIX) && Object.hasOwn(labels, key) && labels[key] === value;
  });
}

function readTopology(properties: unknown): Topology | string {
  if (!isJsonObject(properties)) return 'its properties are not an object';
  const clusters = properties['clusters'] ?? undefined;
  const selector = properties['clusterLabelSelector'] ?? undefined;
  if (clusters !== undefined && !isTextList(clusters)) return 'clusters is not a list of names';
  if (selector !== undefined && !isTextMap(selector)) {
    return 'clusterLabelSelector is not a map of texts';
  }
  return { clusters, selector };
}

function nameOf(policy: Readonly<Record<string, unknown>>): string {
  const { name } = policy;
  return typeof name === 'string' ? name : '';
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isTextMap(value: unknown): value is Record<string, string> {
  return isJsonObject(value) && Object.values(value).every((one) => typeof one === 'string');
}
