/** What the runtime has to know of one condition: its reasons, and whether Ready depends on it. */
export type ConditionSpec =
  | readonly string[]
  | {
      readonly reasons: readonly string[];
      /** False for what only informs, and for conditions whose True is the bad news. @default true */
      readonly gatesReady?: boolean;
    };

/**
 * The conditions of a kind in the order in which a pass establishes them, each with its closed set of reasons.
 *
 * @example
 * ```ts
 * export const registrationConditions = {
 *   CredentialValid: ['Verified', 'NotTried', 'Rejected'],
 *   NamespaceCreated: { reasons: ['Created', 'Forbidden'], gatesReady: false },
 * } as const satisfies ConditionSet;
 * ```
 */
export type ConditionSet = Readonly<Record<string, ConditionSpec>>;

/** The condition types of a set. */
export type TypeIn<S extends ConditionSet> = keyof S & string;

/** The reasons a condition may have. */
export type ReasonIn<
  S extends ConditionSet,
  C extends TypeIn<S>,
> = S[C] extends readonly (infer R)[]
  ? R & string
  : S[C] extends { readonly reasons: readonly (infer R)[] }
    ? R & string
    : never;

/** A reason for Unknown that the spec asked for, which therefore does not keep an object from being Ready. */
export const skipReason = 'NotTried';

/** The types of a set, in order. */
export function typesOf(set: ConditionSet): string[] {
  return Object.keys(set);
}

/** The reasons of a condition, in order. */
export function reasonsOf(set: ConditionSet, type: string): readonly string[] {
  const spec = set[type];
  if (spec === undefined) return [];
  return 'reasons' in spec ? spec.reasons : spec;
}

/** Whether Ready depends on the condition. */
export function gatesReady(set: ConditionSet, type: string): boolean {
  const spec = set[type];
  if (spec === undefined) return false;
  return 'reasons' in spec ? (spec.gatesReady ?? true) : true;
}
