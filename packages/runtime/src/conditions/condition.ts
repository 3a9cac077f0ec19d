/** One entry of `status.conditions`, as Kubernetes defines it. */
export interface Condition {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

/** What a condition says, before it is known since when. */
export type Claim = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** Summary and progress, in kstatus' terms; the runtime alone sets them. */
export const summaryTypes = ['Ready', 'Reconciling', 'Stalled'] as const;

/** Reasons of the summary that no domain condition stands behind. */
export const summaryReasons = [
  'Succeeded',
  'Progressing',
  'ProgressingWithRetry',
  'Suspended',
  'Deleting',
  'Failed',
] as const;

/** One of {@link summaryReasons}. */
export type SummaryReason = (typeof summaryReasons)[number];

/** The condition of a type. */
export function findCondition(
  conditions: readonly Condition[],
  type: string,
): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

/** Whether the condition is there and True. */
export function isTrue(conditions: readonly Condition[], type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}
