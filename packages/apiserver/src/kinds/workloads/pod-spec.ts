import {
  at,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  notFoundField,
  required,
  validateAnnotations,
  validateLabels,
} from '@flotilla/machinery';
import { affinityErrors } from './affinity.ts';
import {
  type ContainerContext,
  containersErrors,
  ephemeralContainersErrors,
  imageSpaceErrors,
  initContainersErrors,
} from './container.ts';
import { visitContainers } from './containers-of.ts';
import { dnsConfigErrors, hostAliasErrors, hostnameOverrideErrors } from './dns.ts';
import { internalForm } from './internal-form.ts';
import type { PodOptions } from './pod-options.ts';
import { podResourceErrors } from './pod-resources.ts';
import type { Pod, PodSpec, PodTemplateSpec } from './pod-types.ts';
import {
  mirrorAnnotation,
  podAnnotationErrors,
  profileMatchErrors,
} from './profile-annotations.ts';
import { resourceErrors } from './resources.ts';
import { hostUserErrors, podSecurityErrors } from './security.ts';
import { dnsLabelErrors, invalidEach, oneOf, qualifiedNameErrors, rangeDetail } from './support.ts';
import { tolerationErrors } from './tolerations.ts';
import { spreadErrors } from './topology-spread.ts';
import { checkVolumes } from './volumes.ts';
import { hostProcessErrors, osErrors } from './windows.ts';

const MAX_INT32 = 2 ** 31 - 1;

const restartPolicies = ['Always', 'OnFailure', 'Never'];
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const preemptionPolicies = ['PreemptLowerPriority', 'Never'];

/** Metadata of the pod whose spec is checked; absent for templates. */
export interface PodMeta {
  readonly name?: string | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Everything upstream checks in a pod's spec, in its order. */
export function podSpecErrors(
  spec: PodSpec,
  path: string,
  { meta, options }: { meta?: PodMeta; options: PodOptions },
): FieldError[] {
  const grace = spec.terminationGracePeriodSeconds;
  const checked = checkVolumes(spec.volumes ?? [], child(path, 'volumes'), {
    podName: meta?.name ?? '',
    options,
  });
  const context: ContainerContext = {
    volumes: checked.volumes,
    claimNames: claimNames(spec),
    options,
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
    gracePeriod: grace,
    os: spec.os?.name,
  };
  return [
    ...(grace === undefined ? [required(child(path, 'terminationGracePeriodSeconds'))] : []),
    ...checked.errors,
    ...resourceClaimErrors(spec, child(path, 'resourceClaims'), meta),
    ...containersErrors(spec, child(path, 'containers'), context),
    ...initContainersErrors(spec, child(path, 'initContainers'), context),
    ...ephemeralContainersErrors(spec, child(path, 'ephemeralContainers'), context),
    ...podResourceErrors(spec, path, context),
    ...hostNetworkErrors(spec, path, options),
    ...oneOf(child(path, 'restartPolicy'), spec.restartPolicy, restartPolicies),
    ...oneOf(child(path, 'dnsPolicy'), spec.dnsPolicy, dnsPolicies),
    ...validateLabels(spec.nodeSelector, child(path, 'nodeSelector')),
    ...podSecurityErrors(spec, child(path, 'securityContext'), options),
    ...affinityErrors(spec.affinity, child(path, 'affinity'), options),
    ...dnsConfigErrors(spec, child(path, 'dnsConfig')),
    ...gateErrors(spec, path),
    ...spreadErrors(
      spec.topologySpreadConstraints,
      child(path, 'topologySpreadConstraints'),
      options,
    ),
    ...hostProcessErrors(spec, path),
    ...hostUserErrors(spec, path),
    ...userNamespaceDeviceErrors(spec, path, options),
    ...hostnameOverrideErrors(spec, path),
    ...nameErrors(spec, path),
    ...(spec.overhead == null
      ? []
      : resourceErrors({ limits: spec.overhead }, child(path, 'overhead'), {
          options,
          claimNames: [],
          level: 'container',
        })),
    ...osErrors(spec, path),
    ...fileKeyVolumeErrors(spec, path),
  ];
}

/** A pod template: its labels and annotations, and its spec without what only a running pod can have. */
export function podTemplateErrors(
  template: PodTemplateSpec,
  path: string,
  options: PodOptions,
): FieldError[] {
  const { labels, annotations } = template.metadata ?? {};
  const { spec } = template;
  const specPath = child(path, 'spec');
  return [
    ...validateLabels(labels, child(path, 'labels')),
    ...validateAnnotations(annotations, child(path, 'annotations')),
    ...templateAnnotationErrors(template, path, options),
    ...podSpecErrors(spec, specPath, { options }),
    ...profileMatchErrors(spec, annotations, specPath),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [
          forbidden(
            child(specPath, 'ephemeralContainers'),
            'ephemeral containers not allowed in pod template',
          ),
        ]
      : []),
  ];
}

/** Annotations of a template that have rules of their own. */
export function templateAnnotationErrors(
  template: PodTemplateSpec,
  path: string,
  options: PodOptions,
): FieldError[] {
  return podAnnotationErrors(template.metadata?.annotations, child(path, 'annotations'), {
    spec: template.spec,
    allowInvalidCost: options.allowInvalidDeletionCost,
  });
}

/** What holds for every pod, new or changed, beyond its ObjectMeta. */
export function podErrors(pod: Pod, options: PodOptions): FieldError[] {
  const { spec } = pod;
  const { name, annotations } = pod.metadata;
  const errors = [
    ...podAnnotationErrors(annotations, 'metadata.annotations', {
      spec,
      allowInvalidCost: options.allowInvalidDeletionCost,
    }),
    ...podSpecErrors(spec, 'spec', { meta: { name, annotations }, options }),
  ];
  if ((spec.serviceAccountName ?? '') === '') {
    (spec.volumes ?? []).forEach((volume, index) => {
      (volume.projected?.sources ?? []).forEach((source, position) => {
        if (source.serviceAccountToken === undefined) return;
        const below = `spec.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
        const detail = 'must not be specified when serviceAccountName is not set';
        errors.push(forbidden(below, detail));
      });
    });
  }
  for (const field of ['containers', 'initContainers'] as const) {
    (spec[field] ?? []).forEach((container, index) => {
      errors.push(...imageSpaceErrors(container, at(child('spec', field), index)));
    });
  }
  return errors;
}

function claimNames(spec: PodSpec): string[] {
  const names = (spec.resourceClaims ?? []).map((claim) => claim.name);
  return [...new Set(names.filter((name) => name !== ''))];
}

function resourceClaimErrors(spec: PodSpec, path: string, meta: PodMeta | undefined): FieldError[] {
  const names = new Set<string>();
  return (spec.resourceClaims ?? []).flatMap((claim, index) => {
    if (meta?.annotations?.[mirrorAnnotation] !== undefined) {
      return [forbidden('', 'static pods do not support resource claims')];
    }
    const here = at(path, index);
    const namePath = child(here, 'name');
    const errors: FieldError[] = [];
    if (claim.name === '') errors.push(required(namePath));
    else if (names.has(claim.name)) errors.push(duplicate(namePath, claim.name));
    else errors.push(...dnsLabelErrors(claim.name, namePath));
    names.add(claim.name);
    const { resourceClaimName: byName, resourceClaimTemplateName: byTemplate } = claim;
    const both = '`resourceClaimName` or `resourceClaimTemplateName`';
    if (byName !== undefined && byTemplate !== undefined) {
      const shown = internalForm('PodResourceClaim', claim);
      errors.push(invalid(here, shown, `at most one of ${both} may be specified`));
    }
    if (byName === undefined && byTemplate === undefined) {
      const detail = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
      errors.push(invalid(here, internalForm('PodResourceClaim', claim), detail));
    }
    for (const field of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
      const name = claim[field];
      if (name === undefined) continue;
      errors.push(...invalidEach(child(here, field), name, isDNS1123Subdomain(name)));
    }
    return errors;
  });
}

function hostNetworkErrors(spec: PodSpec, path: string, options: PodOptions): FieldError[] {
  if (spec.hostNetwork !== true) return [];
  return (spec.containers ?? []).flatMap((container, index) =>
    (container.ports ?? []).flatMap((port, position) => {
      const hostPort = port.hostPort ?? 0;
      if (hostPort === port.containerPort) return [];
      if (hostPort === 0 && !options.resourceIsPod) return [];
      const portPath = at(child(at(child(path, 'containers'), index), 'ports'), position);
      const detail = 'must match `containerPort` when `hostNetwork` is true';
      return [invalid(child(portPath, 'hostPort'), hostPort, detail)];
    }),
  );
}

function gateErrors(spec: PodSpec, path: string): FieldError[] {
  const seen = new Set<string>();
  return [
    ...(spec.readinessGates ?? []).flatMap((gate, index) =>
      qualifiedNameErrors(
        gate.conditionType,
        child(at(child(path, 'readinessGates'), index), 'conditionType'),
      ),
    ),
    ...(spec.schedulingGates ?? []).flatMap(({ name }, index) => {
      const here = at(child(path, 'schedulingGates'), index);
      const errors = qualifiedNameErrors(name, here);
      if (seen.has(name)) errors.push(duplicate(here, name));
      seen.add(name);
      return errors;
    }),
  ];
}

function userNamespaceDeviceErrors(spec: PodSpec, path: string, options: PodOptions): FieldError[] {
  if (spec.hostUsers !== false || options.allowUserNamespaceDevices) return [];
  return visitContainers(spec, path)
    .filter(({ container }) => (container.volumeDevices ?? []).length > 0)
    .map((place) => forbidden(child(place.path, 'volumeDevices'), 'when `hostUsers` is false'));
}

function nameErrors(spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const subdomain = (field: 'serviceAccountName' | 'nodeName' | 'priorityClassName') => {
    const value = spec[field] ?? '';
    if (value === '') return;
    errors.push(...invalidEach(child(path, field), value, isDNS1123Subdomain(value)));
  };
  subdomain('serviceAccountName');
  subdomain('nodeName');
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32)) {
    const below = child(path, 'activeDeadlineSeconds');
    errors.push(invalid(below, deadline, rangeDetail(1, MAX_INT32)));
  }
  for (const field of ['hostname', 'subdomain'] as const) {
    const value = spec[field] ?? '';
    if (value !== '') errors.push(...dnsLabelErrors(value, child(path, field)));
  }
  errors.push(...tolerationErrors(spec.tolerations, child(path, 'tolerations')));
  errors.push(...hostAliasErrors(spec, child(path, 'hostAliases')));
  subdomain('priorityClassName');
  const { runtimeClassName, preemptionPolicy } = spec;
  if (runtimeClassName !== undefined) {
    const messages = isDNS1123Subdomain(runtimeClassName);
    errors.push(...invalidEach(child(path, 'runtimeClassName'), runtimeClassName, messages));
  }
  if (preemptionPolicy !== undefined) {
    errors.push(...oneOf(child(path, 'preemptionPolicy'), preemptionPolicy, preemptionPolicies));
  }
  return errors;
}

function fileKeyVolumeErrors(spec: PodSpec, path: string): FieldError[] {
  return visitContainers(spec, path).flatMap(({ container, path: here }) =>
    (container.env ?? []).flatMap((variable, index) => {
      const name = variable.valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) return [];
      const below = child(at(child(here, 'env'), index), 'valueFrom', 'fileKeyRef', 'volumeName');
      const volume = (spec.volumes ?? []).find((each) => each.name === name);
      if (volume === undefined) return [notFoundField(below, name)];
      return volume.emptyDir
        ? []
        : [invalid(below, name, 'referenced volume must be of type emptyDir')];
    }),
  );
}
