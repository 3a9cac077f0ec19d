import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { LabelSelector, List } from './api-values.ts';
import type { PodOptions } from './pod-options.ts';
import type { TopologySpreadConstraint } from './scheduling-types.ts';
import { positive, qualifiedNameErrors } from './support.ts';

const actions = ['DoNotSchedule', 'ScheduleAnyway'];
const inclusionPolicies = ['Honor', 'Ignore'];

interface LabelKeys {
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
  readonly labelSelector?: LabelSelector;
}

/** How evenly pods are spread. */
export function spreadErrors(
  constraints: List<TopologySpreadConstraint>,
  path: string,
  options: PodOptions,
): FieldError[] {
  const all = constraints ?? [];
  return all.flatMap((constraint, index) => {
    const here = at(path, index);
    const { topologyKey, whenUnsatisfiable, minDomains } = constraint;
    const errors = positive(constraint.maxSkew, child(here, 'maxSkew'));
    if (topologyKey === '') errors.push(required(child(here, 'topologyKey'), 'can not be empty'));
    if (!actions.includes(whenUnsatisfiable)) {
      errors.push(notSupported(child(here, 'whenUnsatisfiable'), whenUnsatisfiable, actions));
    }
    const repeated = all
      .slice(index + 1)
      .some(
        (other) =>
          other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable,
      );
    if (repeated) {
      const below = child(here, '{topologyKey, whenUnsatisfiable}');
      errors.push(duplicate(below, `{${topologyKey}, ${whenUnsatisfiable}}`));
    }
    if (minDomains !== undefined) {
      const below = child(here, 'minDomains');
      errors.push(...positive(minDomains, below));
      if (whenUnsatisfiable !== 'DoNotSchedule') {
        const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
        errors.push(invalid(below, minDomains, detail));
      }
    }
    for (const field of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
      const policy = constraint[field];
      if (policy !== undefined && !inclusionPolicies.includes(policy)) {
        errors.push(notSupported(child(here, field), policy, inclusionPolicies));
      }
    }
    errors.push(
      ...(options.allowRepeatedMatchLabelKeys
        ? repeatedKeyErrors(child(here, 'matchLabelKeys'), constraint)
        : labelKeyErrors(here, constraint)),
    );
    if (!options.allowInvalidSpreadSelector) {
      const below = child(here, 'labelSelector');
      errors.push(...validateLabelSelector(constraint.labelSelector, {}, below));
    }
    return errors;
  });
}

/** Keys taken from the pod's own labels: well formed, not in the selector twice, not both in and out. */
export function labelKeyErrors(path: string, keys: LabelKeys): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = keys;
  const errors = [
    ...keyListErrors(child(path, 'matchLabelKeys'), matchLabelKeys, labelSelector),
    ...keyListErrors(child(path, 'mismatchLabelKeys'), mismatchLabelKeys, labelSelector),
  ];
  // A key may be in the selector once, because the server itself adds it there.
  const inSelector = new Set(Object.keys(labelSelector?.matchLabels ?? {}));
  for (const { key } of labelSelector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && inSelector.has(key)) {
      const detail = 'exists in both matchLabelKeys and labelSelector';
      errors.push(invalid(at(path, index), key, detail));
    }
    inSelector.add(key);
  }
  matchLabelKeys.forEach((key, index) => {
    if (!mismatchLabelKeys.includes(key)) return;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    errors.push(invalid(at(child(path, 'matchLabelKeys'), index), key, detail));
  });
  return errors;
}

function keyListErrors(
  path: string,
  keys: readonly string[],
  selector: LabelSelector | undefined,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) {
    return [forbidden(path, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, index) => qualifiedNameErrors(key, at(path, index)));
}

function repeatedKeyErrors(path: string, constraint: TopologySpreadConstraint): FieldError[] {
  const { matchLabelKeys = [], labelSelector } = constraint;
  if (matchLabelKeys.length === 0) return [];
  const inSelector = new Set([
    ...Object.keys(labelSelector?.matchLabels ?? {}),
    ...(labelSelector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  const errors =
    labelSelector === undefined
      ? [forbidden(path, 'must not be specified when labelSelector is not set')]
      : [];
  matchLabelKeys.forEach((key, index) => {
    errors.push(...qualifiedNameErrors(key, at(path, index)));
    if (inSelector.has(key)) {
      const detail = 'exists in both matchLabelKeys and labelSelector';
      errors.push(invalid(at(path, index), key, detail));
    }
  });
  return errors;
}
