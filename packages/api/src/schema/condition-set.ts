import type { ConditionSource } from './kind-source.ts';

type ReasonOf<C extends ConditionSource> = C['reasons']['True' | 'False' | 'Unknown'][number];

/** The conditions of a kind as a controller takes them: the reasons of all statuses together. */
export type ReasonsByType<C extends Readonly<Record<string, ConditionSource>>> = {
  readonly [T in keyof C]: {
    readonly reasons: readonly ReasonOf<C[T]>[];
    readonly gatesReady: boolean;
    readonly skips: readonly string[];
  };
};

/**
 * Makes the set that `defineController` takes, so that a reason which the reference page does not have does not
 * compile.
 *
 * @example
 * defineController({ conditions: conditionSetOf(clusterRegistrationConditions), … });
 */
export function conditionSetOf<C extends Readonly<Record<string, ConditionSource>>>(
  conditions: C,
): ReasonsByType<C> {
  return Object.fromEntries(
    Object.entries(conditions).map(([type, { reasons, gatesReady, skips = [] }]) => [
      type,
      { reasons: [...reasons.True, ...reasons.False, ...reasons.Unknown], gatesReady, skips },
    ]),
  ) as unknown as ReasonsByType<C>;
}
