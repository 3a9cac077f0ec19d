/** What Deployments, ReplicaSets and their kin have in common: a template, a selector that fits it, and counts. */
import {
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Label,
  type LabelSelector,
  labelSelectorAsSelector,
  matchesLabels,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { PodOptions } from './pod-options.ts';
import { podTemplateErrors } from './pod-spec.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import { nonNegative } from './support.ts';
import type { ReplicaStatus } from './workload-types.ts';

/** True when the selector picks pods with these labels; undefined when the selector itself is broken. */
export function selectorMatches(
  selector: LabelSelector | null | undefined,
  labels: Readonly<Record<string, string>> | null | undefined,
): boolean | undefined {
  try {
    return matchesLabels(labelSelectorAsSelector(selector ?? undefined), labels ?? {});
  } catch {
    return undefined;
  }
}

/** True for a selector without any requirement. */
export function isEmptySelector(selector: LabelSelector): boolean {
  const labels = Object.keys(selector.matchLabels ?? {}).length;
  return labels + (selector.matchExpressions ?? []).length === 0;
}

/** A selector that must be there and select something. */
export function workloadSelectorErrors(
  selector: LabelSelector | null | undefined,
  path: string,
  kind: string,
): FieldError[] {
  if (selector == null) return [required(path)];
  const errors = validateLabelSelector(selector, {}, path);
  if (isEmptySelector(selector)) {
    errors.push(invalid(path, selector, `empty selector is invalid for ${kind}`));
  }
  return errors;
}

/** The template of pods that run for ever, which the selector must match. */
export function longRunningTemplateErrors(
  template: PodTemplateSpec | undefined,
  path: string,
  { selector, options }: { selector: LabelSelector | null; options: PodOptions },
): FieldError[] {
  if (template === undefined) return [required(path)];
  const { spec } = template;
  return [
    ...labelMismatchErrors(selector, template, path),
    ...podTemplateErrors(template, path, options),
    ...alwaysRestartErrors(template, path),
    ...(spec.activeDeadlineSeconds === undefined
      ? []
      : [
          forbidden(
            child(path, 'spec', 'activeDeadlineSeconds'),
            'activeDeadlineSeconds in ReplicaSet is not Supported',
          ),
        ]),
  ];
}

/** Labels of a template that its own selector does not match. */
export function labelMismatchErrors(
  selector: LabelSelector | null | undefined,
  template: PodTemplateSpec,
  path: string,
): FieldError[] {
  const labels = template.metadata?.labels;
  // An absent selector matches nothing, an empty one everything.
  if (selector != null && isEmptySelector(selector)) return [];
  if (selectorMatches(selector, labels) !== false) return [];
  return [mismatchError(labels, path)];
}

/** Upstream's words for labels that a selector misses. */
export function mismatchError(
  labels: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError {
  const detail = '`selector` does not match template `labels`';
  return invalid(child(path, 'metadata', 'labels'), labels ?? null, detail);
}

/** Pods that a controller keeps alive restart always. */
export function alwaysRestartErrors(template: PodTemplateSpec, path: string): FieldError[] {
  const policy = template.spec.restartPolicy ?? '';
  return policy === 'Always'
    ? []
    : [notSupported(child(path, 'spec', 'restartPolicy'), policy, ['Always'])];
}

/** Counts of a status that may not be negative, in upstream's order. */
export function nonNegativeFields(
  status: object,
  path: string,
  fields: readonly string[],
): FieldError[] {
  const values = status as Readonly<Record<string, number | undefined>>;
  return fields.flatMap((field) => nonNegative(values[field], child(path, field)));
}

/** Counts that may not exceed the number of replicas, and available ones that may not exceed ready ones. */
export function replicaBoundErrors(
  status: ReplicaStatus,
  path: string,
  { fields, readyName }: { fields: readonly (keyof ReplicaStatus)[]; readyName: string },
): FieldError[] {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  const errors = fields.flatMap((field) => {
    const value = Number(status[field] ?? 0);
    return value > replicas
      ? [invalid(child(path, field), value, 'cannot be greater than status.replicas')]
      : [];
  });
  if (availableReplicas > readyReplicas) {
    const below = child(path, 'availableReplicas');
    errors.push(invalid(below, availableReplicas, `cannot be greater than ${readyName}`));
  }
  return errors;
}

/** A collision count only ever grows. */
export function collisionCountErrors(
  next: { collisionCount?: number },
  old: { collisionCount?: number },
): FieldError[] {
  const before = old.collisionCount;
  const after = next.collisionCount;
  if (before === undefined || (after !== undefined && after >= before)) return [];
  return [invalid('status.collisionCount', after ?? 0, 'cannot be decremented')];
}

/** The warning for a name that pods inherit and that is no DNS label. */
export function podNameWarnings(name: string | undefined): string[] {
  const problems = isDNS1123Label(name ?? '');
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}
