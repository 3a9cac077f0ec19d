import {
  at,
  child,
  deepEqual,
  type FieldError,
  forbidden,
  invalid,
  required,
} from '@flotilla/machinery';
import { diffValues } from '../value-diff.ts';
import { imageSpaceErrors } from './container.ts';
import type { Container } from './container-types.ts';
import { internalForm } from './internal-form.ts';
import { nodeAffinityMutationErrors, nodeSelectorMutationErrors } from './node-affinity-update.ts';
import type { Pod, PodSpec } from './pod-types.ts';
import { rangeDetail } from './support.ts';
import { addedTolerationErrors } from './tolerations.ts';

const MAX_INT32 = 2 ** 31 - 1;

const updatableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** What may not change in a running pod's spec: almost everything. */
export function podSpecUpdateErrors(pod: Pod, old: Pod): FieldError[] {
  const { spec } = pod;
  const errors: FieldError[] = [];
  for (const field of ['containers', 'initContainers'] as const) {
    const path = child('spec', field);
    if ((spec[field] ?? []).length !== (old.spec[field] ?? []).length) {
      return [...errors, forbidden(path, 'pod updates may not add or remove containers')];
    }
    (spec[field] ?? []).forEach((container, index) => {
      errors.push(...imageErrors(container, at(path, index)));
    });
  }
  const deadline = deadlineError(spec, old.spec);
  if (deadline !== undefined) {
    errors.push(deadline);
    // A deadline that is wrong ends upstream's checks; one that was removed does not.
    if (spec.activeDeadlineSeconds !== undefined) return errors;
  }
  errors.push(
    ...addedTolerationErrors(spec.tolerations, old.spec.tolerations, 'spec.tolerations'),
    ...addedGateErrors(spec, old.spec),
  );
  if (deepEqual(spec, old.spec)) return errors;
  const { munged, errors: gated } = withUpdatableFieldsOf(spec, old.spec);
  errors.push(...gated);
  if (!deepEqual(munged, old.spec)) {
    const text = `pod updates may not change fields other than ${updatableFields}`;
    errors.push(forbidden('spec', `${text}\n${internalDiff('PodSpec', old.spec, munged)}`));
  }
  return errors;
}

/** How upstream shows the difference between two objects of an internal type. */
export function internalDiff(type: string, before: unknown, after: unknown): string {
  return diffValues(internalForm(type, before), internalForm(type, after));
}

function imageErrors(container: Container, path: string): FieldError[] {
  return [
    ...((container.image ?? '') === '' ? [required(child(path, 'image'))] : []),
    ...imageSpaceErrors(container, path),
  ];
}

function deadlineError(spec: PodSpec, old: PodSpec): FieldError | undefined {
  const path = 'spec.activeDeadlineSeconds';
  const next = spec.activeDeadlineSeconds;
  const before = old.activeDeadlineSeconds;
  if (next === undefined) {
    return before === undefined
      ? undefined
      : invalid(path, null, 'must not update from a positive integer to nil value');
  }
  if (next < 0 || next > MAX_INT32) return invalid(path, next, rangeDetail(0, MAX_INT32));
  return before !== undefined && before < next
    ? invalid(path, next, 'must be less than or equal to previous value')
    : undefined;
}

function addedGateErrors(spec: PodSpec, old: PodSpec): FieldError[] {
  const known = new Set((old.schedulingGates ?? []).map((gate) => gate.name));
  return (spec.schedulingGates ?? []).flatMap(({ name }, index) =>
    known.has(name)
      ? []
      : [
          forbidden(
            child(at('spec.schedulingGates', index), 'name'),
            `only deletion is allowed, but found new scheduling gate '${name}'`,
          ),
        ],
  );
}

/** The new spec with everything that may change put back; what is left different is refused. */
function withUpdatableFieldsOf(
  spec: PodSpec,
  old: PodSpec,
): { munged: PodSpec; errors: FieldError[] } {
  const munged: PodSpec = {
    ...spec,
    containers: withImagesOf(spec.containers, old.containers) ?? null,
  };
  restore(munged, 'initContainers', withImagesOf(spec.initContainers, old.initContainers));
  restore(munged, 'activeDeadlineSeconds', old.activeDeadlineSeconds);
  restore(munged, 'schedulingGates', old.schedulingGates);
  restore(munged, 'tolerations', old.tolerations);
  const grace = old.terminationGracePeriodSeconds;
  if (grace !== undefined && grace < 0 && Number(munged.terminationGracePeriodSeconds) === 1) {
    munged.terminationGracePeriodSeconds = grace;
  }
  if ((old.schedulingGates ?? []).length === 0) return { munged, errors: [] };
  const errors = [
    ...nodeSelectorMutationErrors(munged.nodeSelector, old.nodeSelector),
    ...nodeAffinityMutationErrors(munged.affinity?.nodeAffinity, old.affinity?.nodeAffinity),
  ];
  restore(munged, 'nodeSelector', old.nodeSelector);
  restoreNodeAffinity(munged, old);
  return { munged, errors };
}

function withImagesOf(
  containers: readonly Container[] | null | undefined,
  old: readonly Container[] | null | undefined,
): Container[] | undefined {
  return containers?.map((container, index) => ({
    ...container,
    image: old?.[index]?.image ?? '',
  }));
}

function restore<K extends keyof PodSpec>(spec: PodSpec, field: K, value: PodSpec[K]): void {
  if (value === undefined) delete spec[field];
  else spec[field] = value;
}

function restoreNodeAffinity(munged: PodSpec, old: PodSpec): void {
  const before = old.affinity?.nodeAffinity;
  if (deepEqual(munged.affinity?.nodeAffinity, before)) return;
  const { nodeAffinity: _, ...others } = munged.affinity ?? {};
  if (before !== undefined) munged.affinity = { ...others, nodeAffinity: before };
  else if (old.affinity === undefined && Object.keys(others).length === 0) delete munged.affinity;
  else munged.affinity = others;
}
