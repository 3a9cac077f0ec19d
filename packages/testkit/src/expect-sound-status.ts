import { AssertionError } from 'node:assert';
import { inspect } from 'node:util';
import type { KubeObject } from '@flotilla/machinery';
import { type ConditionSet, gatesReady, isSkipped, type ReadyText } from '@flotilla/runtime';

/** A kind's conditions with their reasons, as controllers declare them. */
export type DeclaredConditions = ConditionSet;

interface SeenCondition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

const SUMMARY = new Set(['Ready', 'Reconciling', 'Stalled']);
/** Reasons of the summary that come from no other condition, beside that of success. */
const SHARED_REASONS = [
  'Progressing',
  'ProgressingWithRetry',
  'DependencyNotReady',
  'Suspended',
  'InvalidSpec',
  'Deleting',
  'Failed',
];
const STATUSES = new Set(['True', 'False', 'Unknown']);

/**
 * Fails unless a status can be relied on, whatever it says: a summary is there and agrees with the rest, nothing
 * claims to have seen a generation that does not exist, and every reason is a declared one. Kinds whose Ready has words
 * of its own when all is well say which.
 */
export function expectSoundStatus(
  object: KubeObject,
  declared: DeclaredConditions,
  ready: ReadyText = {},
): void {
  const problems = statusProblems(object, declared, ready);
  if (problems.length === 0) return;
  const { kind, metadata } = object;
  const seen = inspect(object['status'], { depth: 8 });
  throw new AssertionError({
    message: `${kind} "${metadata.name ?? ''}" has no sound status: ${problems.join('; ')}\n${seen}`,
    actual: problems,
    expected: [],
    operator: 'expectSoundStatus',
    stackStartFn: expectSoundStatus,
  });
}

/** What is wrong with a status, one phrase each. */
export function statusProblems(
  object: KubeObject,
  declared: DeclaredConditions,
  { reason: readyReason = 'Succeeded' }: ReadyText = {},
): string[] {
  const status = (object['status'] ?? {}) as {
    observedGeneration?: number;
    conditions?: SeenCondition[];
  };
  const { conditions = [], observedGeneration } = status;
  const generation = object.metadata.generation ?? 0;
  const ready = conditions.find(({ type }) => type === 'Ready');
  const shared = [...SHARED_REASONS, readyReason];
  return [
    ...summaryProblems(conditions),
    ...conditions.flatMap((condition) => conditionProblems(condition, { declared, shared })),
    ...repeated(conditions.map(({ type }) => type ?? '')).map((type) => `two ${type} conditions`),
    ...(observedGeneration !== undefined && observedGeneration > generation
      ? [`observed generation ${observedGeneration} of ${generation}`]
      : []),
    ...conditions
      .filter((each) => (each.observedGeneration ?? 0) > generation)
      .map(({ type }) => `${type} observed a generation after ${generation}`),
    ...(ready?.status === 'True'
      ? [...lagProblems(status, generation), ...gateProblems(conditions, declared)]
      : []),
  ];
}

function summaryProblems(conditions: readonly SeenCondition[]): string[] {
  const statusOf = (type: string) => conditions.find((each) => each.type === type)?.status;
  const isReady = statusOf('Ready') === 'True';
  const problems: string[] = [];
  if (statusOf('Ready') === undefined) problems.push('no Ready condition');
  for (const type of ['Reconciling', 'Stalled']) {
    const status = statusOf(type);
    if (status !== undefined && status !== 'True') problems.push(`${type} is there but ${status}`);
    if (isReady && status === 'True') problems.push(`Ready and ${type}`);
  }
  if (statusOf('Reconciling') === 'True' && statusOf('Stalled') === 'True') {
    problems.push('Reconciling and Stalled');
  }
  return problems;
}

/** What Ready depends on, and does not hold though Ready says so. */
function gateProblems(
  conditions: readonly SeenCondition[],
  declared: DeclaredConditions,
): string[] {
  return conditions
    .filter(({ type = '', status = '', reason = '' }) => {
      const holds = status === 'True' || isSkipped(declared, { type, status, reason });
      return gatesReady(declared, type) && !holds;
    })
    .map(({ type, status, reason }) => `Ready, but ${type} is ${status} (${reason})`);
}

function conditionProblems(
  { type = '', status = '', reason = '', lastTransitionTime = '' }: SeenCondition,
  { declared, shared }: { declared: DeclaredConditions; shared: readonly string[] },
): string[] {
  const problems: string[] = [];
  if (!STATUSES.has(status)) problems.push(`${type} is "${status}"`);
  if (Number.isNaN(Date.parse(lastTransitionTime))) problems.push(`${type} has no time`);
  const reasons = SUMMARY.has(type)
    ? [...shared, ...allReasons(declared)]
    : reasonsIn(declared[type]);
  if (reasons === undefined) problems.push(`${type} is not declared`);
  else if (!reasons.includes(reason))
    problems.push(`${type} has the undeclared reason "${reason}"`);
  return problems;
}

function reasonsIn(spec: DeclaredConditions[string] | undefined): readonly string[] | undefined {
  return spec === undefined || !('reasons' in spec) ? spec : spec.reasons;
}

/** The summary repeats the reason of the condition it stands for. */
function allReasons(declared: DeclaredConditions): string[] {
  return Object.values(declared).flatMap((spec) => reasonsIn(spec) ?? []);
}

function lagProblems(
  status: { observedGeneration?: number; conditions?: SeenCondition[] },
  generation: number,
): string[] {
  const { observedGeneration, conditions = [] } = status;
  const lagging = conditions.filter(
    (each) => each.observedGeneration !== undefined && each.observedGeneration !== generation,
  );
  return [
    ...(observedGeneration !== undefined && observedGeneration < generation
      ? [`Ready, but of generation ${observedGeneration} instead of ${generation}`]
      : []),
    ...lagging.map(({ type }) => `Ready, but ${type} is of another generation`),
  ];
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}
