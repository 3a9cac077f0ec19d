import type { KubeObject } from '@flotilla/machinery';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import { qosClass } from '../../kinds/workloads/qos.ts';

/** One condition of a quota on what it counts. */
export interface ScopeSelector {
  readonly scopeName: string;
  readonly operator: string;
  readonly values?: readonly string[] | null;
}

/** The conditions of a ResourceQuota: plain scopes, and selectors. */
export function scopesOf(quota: KubeObject): ScopeSelector[] {
  const spec = quota['spec'] as
    | {
        scopes?: string[] | null;
        scopeSelector?: { matchExpressions?: ScopeSelector[] | null } | null;
      }
    | undefined;
  return [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
}

/** Whether a pod is what a scope speaks of. */
export function podMatchesScope(selector: ScopeSelector, pod: Pod): boolean {
  switch (selector.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return qosOf(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qosOf(pod) !== 'BestEffort';
    case 'PriorityClass':
      return matchesName(selector, [pod.spec.priorityClassName ?? '']);
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(pod);
    default:
      return false;
  }
}

/** Whether a volume claim is what a scope speaks of. */
export function claimMatchesScope(selector: ScopeSelector, claim: KubeObject): boolean {
  if (selector.scopeName !== 'VolumeAttributesClass') return false;
  const { spec, status } = claim as unknown as {
    spec?: { volumeAttributesClassName?: string };
    status?: {
      currentVolumeAttributesClassName?: string;
      modifyVolumeStatus?: { targetVolumeAttributesClassName?: string };
    };
  };
  return matchesName(selector, [
    spec?.volumeAttributesClassName ?? '',
    status?.currentVolumeAttributesClassName ?? '',
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName ?? '',
  ]);
}

/** True for a pod with an end to it. */
export function isTerminating({ spec }: Pod): boolean {
  const seconds = spec.activeDeadlineSeconds;
  return seconds !== undefined && seconds !== null && Number(seconds) >= 0;
}

function qosOf(pod: Pod): string {
  const known = (pod.status as { qosClass?: string } | undefined)?.qosClass ?? '';
  return known === '' ? qosClass(pod.spec) : known;
}

/** A selector over one name, or over several of which one is enough. */
function matchesName({ operator, values }: ScopeSelector, names: readonly string[]): boolean {
  const given = names.filter((name) => name !== '');
  const wanted = values ?? [];
  switch (operator) {
    case 'Exists':
      return given.length > 0;
    case 'DoesNotExist':
      return given.length === 0;
    case 'In':
      return given.some((name) => wanted.includes(name));
    case 'NotIn':
      return given.length === 0 || given.some((name) => !wanted.includes(name));
    default:
      return false;
  }
}

interface Term {
  readonly namespaces?: readonly string[] | null;
  readonly namespaceSelector?: object | null;
}

interface Terms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly Term[] | null;
  readonly preferredDuringSchedulingIgnoredDuringExecution?:
    | readonly { readonly podAffinityTerm: Term }[]
    | null;
}

function reachesOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = (spec.affinity ?? {}) as {
    podAffinity?: Terms | null;
    podAntiAffinity?: Terms | null;
  };
  const terms = [podAffinity, podAntiAffinity].flatMap((each) => [
    ...(each?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(each?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      ({ podAffinityTerm }) => podAffinityTerm,
    ),
  ]);
  return terms.some(
    ({ namespaces, namespaceSelector }) =>
      (namespaces ?? []).length > 0 ||
      (namespaceSelector !== undefined && namespaceSelector !== null),
  );
}
