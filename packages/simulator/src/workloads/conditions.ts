import type { Condition } from '../kinds.ts';

/**
 * Conditions with one of them replaced, at the end of the list, as upstream's workload controllers do it: same status and
 * reason leave everything as it is.
 */
export function withCondition(conditions: readonly Condition[], next: Condition): Condition[] {
  const before = conditions.find(({ type }) => type === next.type);
  if (before !== undefined && before.status === next.status && before.reason === next.reason) {
    return [...conditions];
  }
  const lastTransitionTime =
    before?.status === next.status ? before.lastTransitionTime : next.lastTransitionTime;
  return [
    ...withoutCondition(conditions, next.type),
    { ...next, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) },
  ];
}

/** Conditions without one of them. */
export function withoutCondition(conditions: readonly Condition[], type: string): Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}
