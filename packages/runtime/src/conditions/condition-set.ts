/** What the runtime has to know of one condition: its reasons, whether Ready depends on it, and when it may be left out. */
export type ConditionSpec =
  | readonly string[]
  | {
      readonly reasons: readonly string[];
      /** False for what only informs, and for conditions whose True is the bad news. @default true */
      readonly gatesReady?: boolean;
      /**
       * Those of the reasons for Unknown that the spec asked for, which therefore do not keep an object from being
       * Ready. @default {@link skipReason} alone
       */
      readonly skips?: readonly string[];
    };

/**
 * The conditions of a kind in the order in which a pass establishes them, each with its closed set of reasons.
 *
 * @example
 * ```ts
 * export const registrationConditions = {
 *   CredentialValid: ['Verified', 'NotTried', 'Rejected'],
 *   NamespaceCreated: { reasons: ['Created', 'Forbidden'], gatesReady: false },
 *   Reachable: { reasons: ['Answers', 'Silent', 'HeartbeatDisabled'], skips: ['HeartbeatDisabled'] },
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

/** The reason for Unknown that counts as skipped in conditions which do not list `skips` of their own. */
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

/** Whether a condition in this state was left out on request of the spec, so that Ready may be True without it. */
export function isSkipped(
  set: ConditionSet,
  {
    type,
    status,
    reason,
  }: { readonly type: string; readonly status: string; readonly reason: string },
): boolean {
  return status === 'Unknown' && skipsOf(set[type]).includes(reason);
}

/** What is wrong with a set, one phrase each: skips that no pass can ever give as a reason. */
export function setProblems(set: ConditionSet): string[] {
  return Object.entries(set).flatMap(([type, spec]) => {
    const skips = 'reasons' in spec ? (spec.skips ?? []) : [];
    return skips
      .filter((skip) => !reasonsOf(set, type).includes(skip))
      .map((skip) => `condition "${type}" skips for "${skip}", which is none of its reasons`);
  });
}

const DEFAULT_SKIPS: readonly string[] = [skipReason];

function skipsOf(spec: ConditionSpec | undefined): readonly string[] {
  if (spec === undefined) return [];
  return 'reasons' in spec ? (spec.skips ?? DEFAULT_SKIPS) : DEFAULT_SKIPS;
}
