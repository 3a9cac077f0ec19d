import { at, duplicate, type FieldError, required } from '@flotilla/machinery';

/** A condition of a flow schema or a priority level. */
export interface FlowCondition {
  type?: string;
  status?: string;
}

/** Conditions must have types, each its own. */
export function validateFlowConditions(
  conditions: readonly FlowCondition[] | undefined,
): FieldError[] {
  const seen = new Set<string>();
  return (conditions ?? []).flatMap(({ type = '' }, index) => {
    const path = `${at('status.conditions', index)}.type`;
    const errors = seen.has(type) ? [duplicate(path, type)] : [];
    seen.add(type);
    return type === '' ? [...errors, required(path)] : errors;
  });
}
