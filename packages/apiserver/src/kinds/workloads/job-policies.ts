import {
  at,
  byteLength,
  child,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '@flotilla/machinery';
import { countIndexes } from './job-indexes.ts';
import { nonNegative, qualifiedNameErrors } from './support.ts';
import type { JobSpec, PodFailurePolicyRule, SuccessPolicyRule } from './workload-types.ts';

const MAX_RULES = 20;
const MAX_EXIT_CODES = 255;
const MAX_CONDITIONS = 20;
const MAX_INDEXES_LENGTH = 64 * 1024;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const conditionStatuses = ['False', 'True', 'Unknown'];

/** Rules on what a failed pod means. */
export function podFailurePolicyErrors(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const rulesPath = child(path, 'rules');
  const pod = spec.template.spec;
  const names = [...(pod.containers ?? []), ...(pod.initContainers ?? [])].map((each) => each.name);
  return [
    ...(rules.length > MAX_RULES ? [tooMany(rulesPath, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => {
      const here = at(rulesPath, index);
      return [
        ...actionErrors(rule, spec, child(here, 'action')),
        ...(rule.onExitCodes
          ? exitCodeErrors(rule.onExitCodes, child(here, 'onExitCodes'), names)
          : []),
        ...conditionErrors(rule, child(here, 'onPodConditions')),
        ...choiceErrors(rule, here),
      ];
    }),
  ];
}

/** Rules on when enough has succeeded. */
export function successPolicyErrors(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const rulesPath = child(path, 'rules');
  const none = 'at least one rules must be specified when the successPolicy is specified';
  return [
    ...(rules.length === 0 ? [required(rulesPath, none)] : []),
    ...(rules.length > MAX_RULES ? [tooMany(rulesPath, rules.length, MAX_RULES)] : []),
    ...rules.flatMap((rule, index) => successRuleErrors(rule, at(rulesPath, index), spec)),
  ];
}

function actionErrors(rule: PodFailurePolicyRule, spec: JobSpec, path: string): FieldError[] {
  if (rule.action === '') return [required(path, `valid values: [${quoted(actions)}]`)];
  if (!actions.includes(rule.action)) return [notSupported(path, rule.action, actions)];
  return rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined
    ? [invalid(path, rule.action, 'requires the backoffLimitPerIndex to be set')]
    : [];
}

function choiceErrors(rule: PodFailurePolicyRule, path: string): FieldError[] {
  const byCode = rule.onExitCodes != null;
  const byCondition = (rule.onPodConditions ?? []).length > 0;
  if (byCode !== byCondition) return [];
  const detail = byCode
    ? 'specifying both OnExitCodes and OnPodConditions is not supported'
    : 'specifying one of OnExitCodes and OnPodConditions is required';
  return [{ type: 'FieldValueInvalid', field: path, message: `Invalid value: ${detail}` }];
}

function conditionErrors(rule: PodFailurePolicyRule, path: string): FieldError[] {
  const patterns = rule.onPodConditions ?? [];
  return [
    ...(patterns.length > MAX_CONDITIONS ? [tooMany(path, patterns.length, MAX_CONDITIONS)] : []),
    ...patterns.flatMap(({ type, status }, index) => {
      const here = at(path, index);
      const statusPath = child(here, 'status');
      const errors = qualifiedNameErrors(type, child(here, 'type'));
      if (status === '') {
        errors.push(required(statusPath, `valid values: [${quoted(conditionStatuses)}]`));
      } else if (!conditionStatuses.includes(status)) {
        errors.push(notSupported(statusPath, status, conditionStatuses));
      }
      return errors;
    }),
  ];
}

function exitCodeErrors(
  codes: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  path: string,
  containers: readonly string[],
): FieldError[] {
  const { operator, containerName } = codes;
  const errors: FieldError[] = [];
  const operatorPath = child(path, 'operator');
  if (operator === '') errors.push(required(operatorPath, `valid values: [${quoted(operators)}]`));
  else if (!operators.includes(operator)) {
    errors.push(notSupported(operatorPath, operator, operators));
  }
  if (containerName !== undefined && !containers.includes(containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(child(path, 'containerName'), containerName, detail));
  }
  return [...errors, ...exitValueErrors(codes, child(path, 'values'))];
}

function exitValueErrors(
  { operator, values }: NonNullable<PodFailurePolicyRule['onExitCodes']>,
  path: string,
): FieldError[] {
  const all = values ?? [];
  const errors: FieldError[] = [];
  if (all.length === 0) errors.push(invalid(path, values, 'at least one value is required'));
  else if (all.length > MAX_EXIT_CODES) errors.push(tooMany(path, all.length, MAX_EXIT_CODES));
  all.forEach((value, index) => {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(at(path, index), value, 'must not be 0 for the In operator'));
    }
    if (all.indexOf(value) < index) errors.push(duplicate(at(path, index), value));
  });
  if (all.some((value, index) => index > 0 && (all[index - 1] ?? 0) > value)) {
    errors.push(invalid(path, all, 'must be ordered'));
  }
  return errors;
}

function successRuleErrors(rule: SuccessPolicyRule, path: string, spec: JobSpec): FieldError[] {
  const { succeededIndexes: indexes, succeededCount: count } = rule;
  const completions = spec.completions ?? 0;
  const errors: FieldError[] = [];
  if (count === undefined && indexes === undefined) {
    const detail = 'at least one of succeededCount or succeededIndexes must be specified';
    errors.push(required(path, detail));
  }
  let total = 0;
  if (indexes !== undefined) {
    const below = child(path, 'succeededIndexes');
    if (byteLength(indexes) > MAX_INDEXES_LENGTH) {
      errors.push(tooLong(below, '', MAX_INDEXES_LENGTH));
    }
    const counted = countIndexes(indexes, completions);
    if (typeof counted === 'number') total = counted;
    else errors.push(invalid(below, indexes, `error parsing succeededIndexes: ${counted}`));
  }
  if (count === undefined) return errors;
  const below = child(path, 'succeededCount');
  errors.push(...nonNegative(count, below));
  const tooHigh = (limit: number, what: string) =>
    invalid(below, count, `must be less than or equal to ${limit} (the number of ${what})`);
  if (count > completions) errors.push(tooHigh(completions, 'specified completions'));
  if (indexes !== undefined && count > total) {
    errors.push(tooHigh(total, 'indexes in the specified succeededIndexes field'));
  }
  return errors;
}

function quoted(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(' ');
}
