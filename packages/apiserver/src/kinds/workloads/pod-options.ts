import { type FieldError, isValidLabelValue, validateLabelSelector } from '@flotilla/machinery';
import type { LabelSelector } from './api-values.ts';
import { isRestartable, visitContainers } from './containers-of.ts';
import { localPathErrors } from './paths.ts';
import type { PodSpec } from './pod-types.ts';
import { deletionCostIsValid } from './profile-annotations.ts';
import { hugePagesAreDivisible } from './resources.ts';
import type { PodAffinityTerm } from './scheduling-types.ts';
import { hostSysctlError } from './sysctls.ts';
import { labelKeyErrors } from './topology-spread.ts';

/**
 * What validation lets pass. Strict for new objects; a rule that an existing object already breaks is waived for its
 * updates, so that old data stays editable.
 */
export interface PodOptions {
  readonly resourceIsPod: boolean;
  readonly allowInvalidDeletionCost: boolean;
  readonly allowInvalidSelectorValues: boolean;
  readonly allowIndivisibleHugePages: boolean;
  readonly allowInvalidSpreadSelector: boolean;
  readonly allowNonLocalTokenPath: boolean;
  readonly allowHostSysctls: boolean;
  readonly allowOnlyRecursiveSELinux: boolean;
  readonly allowInvalidNodeAffinityValues: boolean;
  readonly allowRepeatedMatchLabelKeys: boolean;
  readonly allowRestartRules: boolean;
  readonly allowUserNamespaceDevices: boolean;
}

/** Options for a template that is new. */
export const strictOptions: PodOptions = {
  resourceIsPod: false,
  allowInvalidDeletionCost: false,
  allowInvalidSelectorValues: false,
  allowIndivisibleHugePages: false,
  allowInvalidSpreadSelector: false,
  allowNonLocalTokenPath: false,
  allowHostSysctls: false,
  allowOnlyRecursiveSELinux: true,
  allowInvalidNodeAffinityValues: false,
  allowRepeatedMatchLabelKeys: false,
  allowRestartRules: false,
  allowUserNamespaceDevices: false,
};

/** The existing pod or template an update starts from. */
export interface ExistingPod {
  readonly spec: PodSpec;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Options for an update of `old`, or the strict ones where nothing was there. */
export function podOptions(old: ExistingPod | undefined, resourceIsPod = false): PodOptions {
  if (old === undefined) return { ...strictOptions, resourceIsPod };
  const { spec } = old;
  return {
    resourceIsPod,
    allowInvalidDeletionCost: !deletionCostIsValid(old.annotations),
    allowInvalidSelectorValues: affinityTerms(spec).some(hasInvalidSelector),
    allowIndivisibleHugePages: hasIndivisibleHugePages(spec),
    allowInvalidSpreadSelector: spreads(spec).some(
      (spread) => selectorErrors(spread.labelSelector).length > 0,
    ),
    allowNonLocalTokenPath: hasNonLocalTokenPath(spec),
    allowHostSysctls: (spec.securityContext?.sysctls ?? []).some(
      (sysctl) => hostSysctlError(sysctl.name, spec, '') !== undefined,
    ),
    allowOnlyRecursiveSELinux: spec.securityContext?.seLinuxChangePolicy === undefined,
    allowInvalidNodeAffinityValues: hasInvalidNodeAffinityValues(spec),
    allowRepeatedMatchLabelKeys: spreads(spec).some(
      (spread) => labelKeyErrors('', spread).length > 0,
    ),
    allowRestartRules: usesRestartRules(spec),
    allowUserNamespaceDevices:
      spec.hostUsers === false &&
      visitContainers(spec).some(({ container }) => (container.volumeDevices ?? []).length > 0),
  };
}

/** True when a container decides on its own restarts in a way that is off by default. */
export function usesRestartRules(spec: PodSpec): boolean {
  const inits = spec.initContainers ?? [];
  return (
    inits.some(
      (each) =>
        (each.restartPolicy !== undefined && !isRestartable(each)) ||
        (each.restartPolicyRules ?? []).length > 0,
    ) || (spec.containers ?? []).some((each) => each.restartPolicy !== undefined)
  );
}

/** Every pod affinity and anti-affinity term of a pod. */
export function affinityTerms(spec: PodSpec): PodAffinityTerm[] {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {};
  return [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (weighted) => weighted.podAffinityTerm,
    ),
  ]);
}

function spreads(spec: PodSpec) {
  return spec.topologySpreadConstraints ?? [];
}

function selectorErrors(selector: LabelSelector | undefined): FieldError[] {
  return validateLabelSelector(selector, {}, '');
}

function hasInvalidSelector(term: PodAffinityTerm): boolean {
  return (
    selectorErrors(term.labelSelector).length > 0 ||
    selectorErrors(term.namespaceSelector).length > 0
  );
}

function hasInvalidNodeAffinityValues(spec: PodSpec): boolean {
  const needed = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return (needed?.nodeSelectorTerms ?? [])
    .flatMap((term) => term.matchExpressions ?? [])
    .flatMap((requirement) => requirement.values ?? [])
    .some((value) => isValidLabelValue(value).length > 0);
}

function hasIndivisibleHugePages(spec: PodSpec): boolean {
  const lists = visitContainers(spec).flatMap(({ container }) => [
    container.resources?.limits,
    container.resources?.requests,
  ]);
  return lists.some((list) =>
    Object.entries(list ?? {}).some(([name, quantity]) => !hugePagesAreDivisible(name, quantity)),
  );
}

function hasNonLocalTokenPath(spec: PodSpec): boolean {
  return (spec.volumes ?? [])
    .flatMap((volume) => volume.projected?.sources ?? [])
    .some(
      (source) =>
        source.serviceAccountToken !== undefined &&
        localPathErrors(source.serviceAccountToken.path, '').length > 0,
    );
}
