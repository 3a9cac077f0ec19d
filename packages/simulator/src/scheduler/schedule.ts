import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityOf,
} from '@flotilla/machinery';
import type { Node, Pod, PodSpec } from '../kinds.ts';
import { isFinished } from '../pod-facts.ts';
import { matchesNode, tolerates } from './node-rules.ts';

/** Where a pod goes, or why nowhere. */
export type Decision = { readonly node: string } | { readonly message: string };

/** Chooses the node with the fewest pods of those that fit. */
export function chooseNode(
  pod: Pod,
  nodes: readonly Node[],
  podsOf: (node: string) => readonly Pod[],
): Decision {
  if (nodes.length === 0) return { message: 'no nodes available to schedule pods' };
  const reasons = new Map<string, number>();
  let best: { name: string; pods: number } | undefined;
  for (const node of [...nodes].sort(byName)) {
    const name = node.metadata.name ?? '';
    const present = podsOf(name).filter((each) => !isFinished(each));
    const problems = problemsOf(pod, node, present);
    for (const problem of problems) reasons.set(problem, (reasons.get(problem) ?? 0) + 1);
    if (problems.length > 0) continue;
    if (best === undefined || present.length < best.pods) best = { name, pods: present.length };
  }
  if (best !== undefined) return { node: best.name };
  const list = [...reasons].map(([reason, times]) => `${times} ${reason}`).sort();
  return { message: `0/${nodes.length} nodes are available: ${list.join(', ')}.` };
}

/** Upstream's words; the first rule that fails is told, and of resources each. */
function problemsOf({ spec }: Pod, node: Node, present: readonly Pod[]): string[] {
  const { taints = [], unschedulable = false } = node.spec ?? {};
  const { tolerations = [] } = spec;
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  if (unschedulable && !tolerates(tolerations, cordon)) return ['node(s) were unschedulable'];
  const taint = taints.find(
    (each) =>
      (each.effect === 'NoSchedule' || each.effect === 'NoExecute') &&
      !tolerates(tolerations, each),
  );
  if (taint !== undefined) {
    return [`node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`];
  }
  if (!matchesNode(spec, node)) return ["node(s) didn't match Pod's node affinity/selector"];
  return lackingResources(spec, node, present);
}

function lackingResources(spec: PodSpec, node: Node, present: readonly Pod[]): string[] {
  const { allocatable = {} } = node.status ?? {};
  const lacking: string[] = [];
  const most = Number(allocatable['pods'] ?? 0);
  if (present.length + 1 > most) lacking.push('Too many pods');
  for (const [resource, wanted] of requestsOf(spec)) {
    const used = present
      .map((pod) => requestsOf(pod.spec).get(resource) ?? quantityOf(0))
      .reduce(addQuantities, wanted);
    const there = quantity(allocatable[resource] ?? '0');
    if (compareQuantities(used, there) > 0) lacking.push(`Insufficient ${resource}`);
  }
  return lacking;
}

/** What the containers of a pod ask for together; init containers run before them and count where they ask for more. */
function requestsOf({ containers, initContainers = [] }: PodSpec): Map<string, Quantity> {
  const sums = new Map<string, Quantity>();
  for (const { resources } of containers) {
    for (const [name, text] of Object.entries(resources?.requests ?? {})) {
      sums.set(name, addQuantities(sums.get(name) ?? quantityOf(0), quantity(text)));
    }
  }
  for (const { resources } of initContainers) {
    for (const [name, text] of Object.entries(resources?.requests ?? {})) {
      const asked = quantity(text);
      if (compareQuantities(asked, sums.get(name) ?? quantityOf(0)) > 0) sums.set(name, asked);
    }
  }
  return sums;
}

function quantity(text: string): Quantity {
  return parseQuantity(String(text));
}

function byName(a: Node, b: Node): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
