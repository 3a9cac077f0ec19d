import { at, child, deepEqual, goQuote, isValidLabelValue, keyed } from '@flotilla/machinery';
import { deprecatedNodeLabel } from '../core/node-selector.ts';
import { addressWarnings } from './addresses.ts';
import type { Dict, ResourceList } from './api-values.ts';
import { claimSpecWarnings } from './claim-spec.ts';
import type { Container } from './container-types.ts';
import { visitContainers } from './containers-of.ts';
import type { PodSpec, PodTemplateSpec } from './pod-types.ts';
import { portWarnings } from './port-warnings.ts';
import {
  appArmorFromAnnotation,
  appArmorPrefix,
  seccompContainerPrefix,
  seccompPodAnnotation,
} from './profile-annotations.ts';
import { fractionalQuantity } from './quantities.ts';
import type { NodeSelectorTerm, PodAffinity } from './scheduling-types.ts';
import { hasKey } from './support.ts';
import { overlappingPathWarnings } from './volume-path-warnings.ts';
import type { Volume } from './volume-types.ts';

const nullSelector = 'a null labelSelector results in matching no pod';

const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls':
    'non-functional in v1.11+; use the "sysctls" field instead',
};

// In upstream's order, with the name it gives the field.
const deprecatedVolumes: readonly (readonly [keyof Volume, string, string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['ephemeral', '', ''],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Warnings about the pod template at `path`. */
export function podTemplateWarnings(template: PodTemplateSpec | undefined, path: string): string[] {
  return template === undefined
    ? []
    : podWarnings(template.spec, template.metadata?.annotations, path);
}

/** Warnings about a pod (`path` is '') or a template: deprecated fields, and what is legal but rarely meant. */
export function podWarnings(spec: PodSpec, annotations: Dict, path: string): string[] {
  const specPath = child(path, 'spec');
  const annotationsPath = child(path, 'metadata', 'annotations');
  return [
    ...schedulingWarnings(spec, specPath),
    ...Object.entries(deprecatedAnnotations)
      .filter(([key]) => hasKey(annotations, key))
      .map(([key, message]) => `${keyed(annotationsPath, key)}: ${message}`),
    ...(spec.volumes ?? []).flatMap((volume, index) =>
      volumeWarnings(volume, at(child(specPath, 'volumes'), index)),
    ),
    ...overlappingPathWarnings(spec.volumes),
    ...duplicateWarnings(spec, specPath),
    ...fractionWarnings(spec.overhead, child(specPath, 'overhead'), [
      'memory',
      'ephemeral-storage',
    ]),
    ...(spec.securityContext?.seccompProfile === undefined &&
    hasKey(annotations, seccompPodAnnotation)
      ? [seccompText(keyed(annotationsPath, seccompPodAnnotation))]
      : []),
    ...visitContainers(spec, specPath).flatMap((place) => [
      ...profileWarnings(place.container, spec, { annotations, annotationsPath, path }),
      ...containerWarnings(place.container, place.path),
    ]),
    ...portWarnings(spec, specPath),
    ...(spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0
      ? [
          `${child(specPath, 'terminationGracePeriodSeconds')}: must be >= 0; negative values are invalid and will be treated as 1`,
        ]
      : []),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((field) =>
      affinityWarnings(spec.affinity?.[field], child(specPath, 'affinity', field)),
    ),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      addressWarnings(server, at(child(specPath, 'dnsConfig', 'nameservers'), index)),
    ),
    ...(spec.hostAliases ?? []).flatMap((alias, index) =>
      addressWarnings(alias.ip, child(at(child(specPath, 'hostAliases'), index), 'ip')),
    ),
  ];
}

function schedulingWarnings(spec: PodSpec, path: string): string[] {
  const nodeAffinity = spec.affinity?.nodeAffinity;
  const affinityPath = child(path, 'affinity', 'nodeAffinity');
  const needed = child(
    affinityPath,
    'requiredDuringSchedulingIgnoredDuringExecution',
    'nodeSelectorTerms',
  );
  const preferred = child(affinityPath, 'preferredDuringSchedulingIgnoredDuringExecution');
  const terms =
    nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return [
    ...Object.keys(spec.nodeSelector ?? {}).flatMap((key) => {
      const message = deprecatedNodeLabel(key);
      const where = keyed(child(path, 'nodeSelector'), key);
      return message === undefined ? [] : [`${where}: ${message}`];
    }),
    ...terms.flatMap((term, index) => termWarnings(term, at(needed, index), false)),
    ...(nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap(
      ({ preference }, index) =>
        termWarnings(preference, child(at(preferred, index), 'preference'), true),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap((constraint, index) => {
      const here = at(child(path, 'topologySpreadConstraints'), index);
      const { topologyKey } = constraint;
      const message = deprecatedNodeLabel(topologyKey);
      return [
        ...(message === undefined
          ? []
          : [`${child(here, 'topologyKey')}: ${topologyKey} is ${message}`]),
        ...(constraint.labelSelector === undefined
          ? [`${child(here, 'labelSelector')}: ${nullSelector}`]
          : []),
      ];
    }),
  ];
}

function termWarnings(term: NodeSelectorTerm, path: string, checkValues: boolean): string[] {
  return (term.matchExpressions ?? []).flatMap(({ key, values = [] }, index) => {
    const here = at(child(path, 'matchExpressions'), index);
    const message = deprecatedNodeLabel(key);
    const bad = checkValues
      ? values.flatMap((value, position) =>
          isValidLabelValue(value).map(
            (text) => `${at(child(here, 'values'), position)}: ${value} is invalid, ${text}`,
          ),
        )
      : [];
    return [
      ...(message === undefined ? [] : [`${child(here, 'key')}: ${key} is ${message}`]),
      ...bad,
    ];
  });
}

function volumeWarnings(volume: Volume, path: string): string[] {
  return deprecatedVolumes.flatMap(([field, named, message]) => {
    if (volume[field] == null) return [];
    if (field !== 'ephemeral') return [`${child(path, named)}: ${message}`];
    const template = volume.ephemeral?.volumeClaimTemplate;
    const below = child(path, 'ephemeral', 'volumeClaimTemplate', 'spec');
    return template === undefined ? [] : claimSpecWarnings(template.spec, below);
  });
}

function duplicateWarnings(spec: PodSpec, path: string): string[] {
  const repeated = (values: readonly string[], where: (index: number) => string) =>
    values.flatMap((value, index) =>
      values.indexOf(value) < index ? [`${where(index)} ${goQuote(value)}`] : [],
    );
  const aliases = child(path, 'hostAliases');
  const secrets = child(path, 'imagePullSecrets');
  const names = (spec.imagePullSecrets ?? []).map((secret) => secret.name ?? '');
  return [
    ...repeated(
      (spec.hostAliases ?? []).map((alias) => alias.ip),
      (index) => `${child(at(aliases, index), 'ip')}: duplicate ip`,
    ),
    ...repeated(names, (index) => `${child(at(secrets, index), 'name')}: duplicate name`),
    ...names.flatMap((name, index) =>
      name === '' ? [`${child(at(secrets, index), 'name')}: invalid empty name ""`] : [],
    ),
  ];
}

interface ProfilePlace {
  readonly annotations: Dict;
  readonly annotationsPath: string;
  /** '' for a pod, whose AppArmor warnings come with the copying of the annotation. */
  readonly path: string;
}

function profileWarnings(container: Container, spec: PodSpec, place: ProfilePlace): string[] {
  const { annotations, annotationsPath, path } = place;
  const seccompKey = seccompContainerPrefix + container.name;
  const appArmorKey = appArmorPrefix + container.name;
  const where = keyed(annotationsPath, appArmorKey);
  const annotation = annotations?.[appArmorKey];
  const podProfile = spec.securityContext?.appArmorProfile;
  const deprecated =
    path !== '' &&
    container.securityContext?.appArmorProfile === undefined &&
    annotation !== undefined &&
    (podProfile === undefined || !deepEqual(podProfile, appArmorFromAnnotation(annotation)));
  return [
    ...(container.securityContext?.seccompProfile === undefined && hasKey(annotations, seccompKey)
      ? [seccompText(keyed(annotationsPath, seccompKey))]
      : []),
    ...(deprecated
      ? [`${where}: deprecated since v1.30; use the "appArmorProfile" field instead`]
      : []),
  ];
}

function seccompText(where: string): string {
  return `${where}: non-functional in v1.27+; use the "seccompProfile" field instead`;
}

function containerWarnings(container: Container, path: string): string[] {
  const below = child(path, 'resources');
  const { limits, requests } = container.resources ?? {};
  return [
    ...(['memory', 'ephemeral-storage'] as const).flatMap((name) => [
      ...fractionWarnings(limits, child(below, 'limits'), [name]),
      ...fractionWarnings(requests, child(below, 'requests'), [name]),
    ]),
    ...hiddenEnvWarnings(container, child(path, 'env')),
  ];
}

function fractionWarnings(
  list: ResourceList | undefined,
  path: string,
  names: readonly string[],
): string[] {
  return names.flatMap((name) => {
    const value = list?.[name];
    if (value === undefined || !fractionalQuantity(value)) return [];
    return [
      `${keyed(path, name)}: fractional byte value "${value}" is invalid, must be an integer`,
    ];
  });
}

function hiddenEnvWarnings(container: Container, path: string): string[] {
  const seen = new Set<string>();
  return (container.env ?? []).flatMap(({ name, value = '', valueFrom }, index) => {
    const known = seen.has(name);
    seen.add(name);
    const reference = `$(${name})`;
    // Building on the former value is fine: X="abc", then X="$(X)123".
    const builds = valueFrom === undefined && value !== reference && value.includes(reference);
    if (!known || builds) return [];
    return [
      `${at(path, index)}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
    ];
  });
}

function affinityWarnings(affinity: PodAffinity | undefined, path: string): string[] {
  const needed = child(path, 'requiredDuringSchedulingIgnoredDuringExecution');
  const preferred = child(path, 'preferredDuringSchedulingIgnoredDuringExecution');
  return [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      term.labelSelector === undefined
        ? [`${child(at(needed, index), 'labelSelector')}: ${nullSelector}`]
        : [],
    ),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).flatMap((term, index) =>
      term.podAffinityTerm.labelSelector === undefined
        ? [`${child(at(preferred, index), 'podAffinityTerm', 'labelSelector')}: ${nullSelector}`]
        : [],
    ),
  ];
}
