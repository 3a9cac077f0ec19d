import { type LabelOperator, matchesLabels, newRequirement, selectorOf } from '@flotilla/machinery';
import type { Node, NodeSelectorTerm, PodSpec, Taint, Toleration } from '../kinds.ts';

/** Whether the node selector and the required node affinity of a pod allow a node. */
export function matchesNode(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const isSelected = Object.entries(spec.nodeSelector ?? {}).every(
    ([name, value]) => labels[name] === value,
  );
  if (!isSelected) return false;
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  // Any of the terms will do; one without a rule matches nothing.
  return (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  node: Node,
): boolean {
  if (matchExpressions.length === 0 && matchFields.length === 0) return false;
  const fields = { 'metadata.name': node.metadata.name ?? '' };
  return (
    matchExpressions.every((rule) => matchesRule(rule, node.metadata.labels ?? {})) &&
    matchFields.every((rule) => matchesRule(rule, fields))
  );
}

const OPERATORS: Readonly<Record<string, LabelOperator>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
  Gt: 'gt',
  Lt: 'lt',
};

function matchesRule(
  rule: { key: string; operator: string; values?: string[] },
  labels: Record<string, string>,
): boolean {
  const operator = OPERATORS[rule.operator];
  if (operator === undefined) return false;
  try {
    const requirement = newRequirement(rule.key, operator, rule.values ?? []);
    return matchesLabels(selectorOf([requirement]), labels);
  } catch {
    // Servers accept rules that no label can satisfy.
    return false;
  }
}

/** Whether some tolerations put up with a taint. */
export function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(({ key = '', operator = 'Equal', value = '', effect = '' }) => {
    if (effect !== '' && effect !== taint.effect) return false;
    if (key !== '' && key !== taint.key) return false;
    if (operator === 'Exists') return true;
    return key !== '' && value === (taint.value ?? '');
  });
}
