import { type Claim, findCondition } from '@flotilla/runtime';
import type { ConditionType } from './conditions.ts';
import type { RegistrationPass } from './types.ts';

/** What a condition said before this pass. */
export function saidBefore(pass: RegistrationPass, type: ConditionType): Claim | undefined {
  return findCondition((pass.observed.status?.conditions ?? []) as never, type);
}

/** Says what a condition said before: nothing in this pass tells otherwise. */
export function carry(pass: RegistrationPass, fallback: Claim & { type: ConditionType }): void {
  say(pass, saidBefore(pass, fallback.type) ?? fallback);
}

/** Says what a condition is, whatever its status. */
export function say(pass: RegistrationPass, { type, status, reason, message }: Claim): void {
  // Both come from the set: either from a step, or from a status that a pass has written.
  const [condition, why] = [type as ConditionType, reason as never];
  if (status === 'True') pass.mark(condition, why, message);
  else if (status === 'False') pass.unmet(condition, why, message);
  else pass.unknown(condition, why, message);
}
