/** A pod that waits at a scheduling gate may have its choice of nodes narrowed, never widened. */
import { at, deepEqual, type FieldError, invalid } from '@flotilla/machinery';
import type { Dict, List } from './api-values.ts';
import { internalForm } from './internal-form.ts';
import type { NodeAffinity, NodeRequirement, NodeSelectorTerm } from './scheduling-types.ts';

const termsPath =
  'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms';

/** Labels a node must have: only more of them. */
export function nodeSelectorMutationErrors(next: Dict, old: Dict): FieldError[] {
  const kept = Object.entries(old ?? {}).every(([key, value]) => next?.[key] === value);
  if (kept) return [];
  const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return [invalid('spec.nodeSelector', next ?? null, detail)];
}

/** Terms a node must satisfy: the same number, each with more requirements. */
export function nodeAffinityMutationErrors(
  next: NodeAffinity | undefined,
  old: NodeAffinity | undefined,
): FieldError[] {
  if (deepEqual(next, old)) return [];
  const before = old?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const after = next?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  if (before.length === 0) return [];
  if (before.length !== after.length) {
    const shown =
      after.length === 0 ? null : after.map((term) => internalForm('NodeSelectorTerm', term));
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [invalid(termsPath, shown, detail)];
  }
  return before.flatMap((term, index) => {
    const changed = after[index] ?? {};
    if (hasOnlyAdditions(changed, term)) return [];
    const detail = 'only additions are allowed (no mutations or deletions)';
    return [invalid(at(termsPath, index), internalForm('NodeSelectorTerm', changed), detail)];
  });
}

function hasOnlyAdditions(next: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const count = (term: NodeSelectorTerm) =>
    (term.matchExpressions ?? []).length + (term.matchFields ?? []).length;
  // An empty term matches nothing; to fill it would widen the choice.
  if (count(old) === 0) return count(next) === 0;
  return (
    beginsWith(next.matchExpressions, old.matchExpressions) &&
    beginsWith(next.matchFields, old.matchFields)
  );
}

function beginsWith(next: List<NodeRequirement>, old: List<NodeRequirement>): boolean {
  const before = old ?? [];
  return deepEqual((next ?? []).slice(0, before.length), before);
}
