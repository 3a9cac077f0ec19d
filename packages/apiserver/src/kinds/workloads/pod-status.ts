import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  isValidGroupID,
  isValidUserID,
} from '@flotilla/machinery';
import { addressErrors, parseAddress } from './addresses.ts';
import { isRestartable } from './containers-of.ts';
import { internalForm } from './internal-form.ts';
import type { PodOptions } from './pod-options.ts';
import type { ContainerStatus, Pod, PodSpec, PodStatus } from './pod-types.ts';
import { podAnnotationErrors, podAnnotationUpdateErrors } from './profile-annotations.ts';
import { immutable, invalidEach, qualifiedNameErrors } from './support.ts';

const systemConditions = ['PodScheduled', 'Ready', 'Initialized'];
const ended = 'may not be transitioned to non-terminated state';

const statusFields = [
  'containerStatuses',
  'initContainerStatuses',
  'ephemeralContainerStatuses',
] as const;

/** A status written by a kubelet or a scheduler. */
export function podStatusErrors(pod: Pod, old: Pod, options: PodOptions): FieldError[] {
  const { annotations } = pod.metadata;
  const path = 'metadata.annotations';
  const { status } = pod;
  return [
    ...podAnnotationUpdateErrors(annotations, old.metadata.annotations, path),
    ...podAnnotationErrors(annotations, path, {
      spec: pod.spec,
      allowInvalidCost: options.allowInvalidDeletionCost,
    }),
    ...conditionErrors(status),
    ...nominationErrors(status, old.status),
    ...((status.observedGeneration ?? 0) < 0
      ? [
          invalid(
            'status.observedGeneration',
            status.observedGeneration,
            'must be a non-negative integer',
          ),
        ]
      : []),
    ...immutable('status.qosClass', { next: status.qosClass, old: old.status.qosClass }),
    ...statusFields.flatMap((field) =>
      transitionErrors(status, old.status, { field, spec: old.spec }),
    ),
    ...claimStatusErrors(pod),
    ...addressListErrors('podIPs', status, old.status),
    ...hostAddressErrors(status, old.status),
    ...statusFields.flatMap((field) => userErrors(status[field], pod.spec, child('status', field))),
  ];
}

/** A status without generations keeps those that were there, because older kubelets do not write them. */
export function keepObservedGenerations(status: PodStatus, old: PodStatus): void {
  if (!status.observedGeneration && old.observedGeneration) {
    status.observedGeneration = old.observedGeneration;
  }
  const known = new Map<string, PodStatus['observedGeneration'][]>();
  for (const { type, observedGeneration } of old.conditions ?? []) {
    known.set(type, [...(known.get(type) ?? []), observedGeneration]);
  }
  for (const condition of status.conditions ?? []) {
    const before = known.get(condition.type)?.shift();
    if (!condition.observedGeneration && before) condition.observedGeneration = before;
  }
}

function conditionErrors(status: PodStatus): FieldError[] {
  return (status.conditions ?? []).flatMap(({ type, observedGeneration }, index) => {
    const here = at('status.conditions', index);
    return [
      ...((observedGeneration ?? 0) < 0
        ? [
            invalid(
              child(here, 'observedGeneration'),
              observedGeneration,
              'must be a non-negative integer',
            ),
          ]
        : []),
      ...(systemConditions.includes(type) ? [] : qualifiedNameErrors(type, child(here, 'Type'))),
    ];
  });
}

function nominationErrors(status: PodStatus, old: PodStatus): FieldError[] {
  const name = status.nominatedNodeName ?? '';
  if (name === '' || name === old.nominatedNodeName) return [];
  return invalidEach('status.nominatedNodeName', name, isDNS1123Subdomain(name));
}

function transitionErrors(
  status: PodStatus,
  old: PodStatus,
  { field, spec }: { field: (typeof statusFields)[number]; spec: PodSpec },
): FieldError[] {
  const next = status[field] ?? [];
  return (old[field] ?? []).flatMap((before, index) => {
    const exit = before.state?.terminated;
    if (exit == null || mayRunAgain(before, exit.exitCode, { field, spec })) return [];
    const revived = next.some(
      (after) => after.name === before.name && after.state?.terminated == null,
    );
    return revived ? [forbidden(child(at(child('status', field), index), 'state'), ended)] : [];
  });
}

function mayRunAgain(
  container: ContainerStatus,
  exitCode: number,
  { field, spec }: { field: (typeof statusFields)[number]; spec: PodSpec },
): boolean {
  if (field === 'ephemeralContainerStatuses') return false;
  if (spec.restartPolicy === 'Always') return true;
  if (spec.restartPolicy === 'OnFailure' && exitCode !== 0) return true;
  if (field === 'containerStatuses') return false;
  return isRestartable((spec.initContainers ?? []).find((each) => each.name === container.name));
}

function claimStatusErrors({ spec, status }: Pod): FieldError[] {
  const seen = new Set<string>();
  return (status.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, index) => {
    const namePath = child(at('status.resourceClaimStatuses', index), 'name');
    const errors: FieldError[] = [];
    if (!(spec.resourceClaims ?? []).some((claim) => claim.name === name)) {
      const detail = 'must match the name of an entry in `spec.resourceClaims`';
      errors.push(invalid(namePath, name, detail));
    }
    if (seen.has(name)) errors.push(duplicate(namePath, name));
    seen.add(name);
    if (resourceClaimName !== undefined) {
      const messages = isDNS1123Subdomain(resourceClaimName);
      errors.push(...invalidEach(namePath, resourceClaimName, messages));
    }
    return errors;
  });
}

function addressListErrors(
  field: 'podIPs' | 'hostIPs',
  status: PodStatus,
  old: PodStatus,
): FieldError[] {
  const path = child('status', field);
  const list = status[field] ?? [];
  const existing = (old[field] ?? []).map((each) => each.ip ?? '');
  const errors = list.flatMap(({ ip = '' }, index) => addressErrors(ip, at(path, index), existing));
  if (list.length < 2) return errors;
  const families = list.map(({ ip = '' }) => parseAddress(ip)?.family);
  const dual = families.includes(4) && families.includes(6);
  if (!dual || list.length > 2) {
    const shown = list.map((each) => internalForm('PodIP', each));
    errors.push(invalid(path, shown, 'may specify no more than one IP for each IP family'));
  }
  return errors;
}

function hostAddressErrors(status: PodStatus, old: PodStatus): FieldError[] {
  const first = status.hostIPs?.[0]?.ip;
  if (first === undefined) return [];
  return [
    ...(status.hostIP === first
      ? []
      : [invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')]),
    ...addressListErrors('hostIPs', status, old),
  ];
}

function userErrors(
  statuses: readonly ContainerStatus[] | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  return (statuses ?? []).flatMap(({ user }, index) => {
    const linux = user?.linux;
    if (linux === undefined) return [];
    const here = child(at(path, index), 'user', 'linux');
    if (spec.os?.name === 'windows') {
      return [forbidden(here, 'cannot be set for a windows pod')];
    }
    return [
      ...invalidEach(child(here, 'uid'), linux.uid, isValidUserID(linux.uid)),
      ...invalidEach(child(here, 'gid'), linux.gid, isValidGroupID(linux.gid)),
      ...(linux.supplementalGroups ?? []).flatMap((group, position) =>
        invalidEach(at(child(here, 'supplementalGroups'), position), group, isValidGroupID(group)),
      ),
    ];
  });
}
