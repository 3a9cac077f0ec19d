import { type GetPlan, selectionOf } from './plan.ts';
import type { Question } from './visit-targets.ts';

/** Which objects a watch is about; one object is one that a field selects, so that it may come and go. */
export function watchSelection(
  plan: GetPlan,
  { namespace, name, glob }: Question,
): {
  readonly namespace: string | undefined;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
} {
  const selection = { ...selectionOf(plan), namespace };
  return name === undefined || glob !== undefined
    ? selection
    : { ...selection, fieldSelector: `metadata.name=${name}` };
}
