import {
  at,
  child,
  deepCopy,
  deepEqual,
  type FieldError,
  forbidden,
  formatSelector,
  invalid,
  labelSelectorAsSelector,
  notSupported,
  required,
  validateAnnotations,
  validateLabels,
} from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { age, containerCells } from './cells.ts';
import { claimSpecErrors, claimSpecWarnings } from './claim-spec.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { intOrPercentErrors, intOrPercentValue, wholeErrors } from './int-or-percent.ts';
import { internalForm } from './internal-form.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podTemplateErrors, templateAnnotationErrors } from './pod-spec.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import { roundUpResources } from './quantities.ts';
import {
  alwaysRestartErrors,
  collisionCountErrors,
  labelMismatchErrors,
  nonNegativeFields,
  replicaBoundErrors,
  selectorMatches,
  workloadSelectorErrors,
} from './replicas.ts';
import { dnsLabelErrors, nonNegative } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { StatefulSet } from './workload-types.ts';

const retentionPolicies = ['Retain', 'Delete'];

const updateRefusal =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

const mutableFields = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;

const statusCounts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
];

interface SetOptions {
  readonly pod: PodOptions;
  /** On update, what cannot be changed any more is not checked again. */
  readonly isUpdate: boolean;
  readonly skipTemplate: boolean;
}

/** apps/v1 StatefulSet. */
export const statefulSet = defineKind<StatefulSet>({
  generation: 'spec',
  nameRule: 'label',
  validateOnUpdate: false,
  defaults: setDefaults,
  prepareForCreate: (object) => {
    dropMaxUnavailable(object, undefined);
    dropDisabledFields(object.spec.template.spec, undefined);
  },
  prepareForUpdate: (object, old) => {
    dropMaxUnavailable(object, old);
    dropDisabledFields(object.spec.template.spec, old.spec.template.spec);
  },
  validate: (object) =>
    specErrors(object, 'spec', { pod: strictOptions, isUpdate: false, skipTemplate: false }),
  validateUpdate: updateErrors,
  validateStatusUpdate: (object, old) => [
    ...nonNegativeFields(object.status, 'status', statusCounts),
    ...replicaBoundErrors(object.status, 'status', {
      fields: ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'],
      readyName: 'status.readyReplicas',
    }),
    ...collisionCountErrors(object.status, old.status),
  ],
  warnings: ({ spec }, old) => {
    const changed = old === undefined || !deepEqual(spec, old.spec);
    const claims = spec.volumeClaimTemplates ?? [];
    return [
      ...(changed ? podTemplateWarnings(spec.template, 'spec.template') : []),
      ...claims.flatMap((claim, index) => {
        const here = at('spec.volumeClaimTemplates', index);
        return claimSpecWarnings(claim.spec, old === undefined ? here : child(here, 'Spec'));
      }),
      ...((spec.revisionHistoryLimit ?? 0) < 0
        ? [
            'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
          ]
        : []),
    ];
  },
  cells: ({ metadata, spec, status }, { now }) => [
    metadata.name ?? '',
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template.spec.containers),
  ],
  scale: {
    replicas: ({ spec }) => spec.replicas ?? 0,
    statusReplicas: ({ status }) => status.replicas ?? 0,
    selector: ({ spec }) => formatSelector(labelSelectorAsSelector(spec.selector)),
    setReplicas: ({ spec }, replicas) => {
      spec.replicas = replicas;
    },
  },
});

function setDefaults({ spec }: StatefulSet): void {
  if ((spec.podManagementPolicy ?? '') === '') spec.podManagementPolicy = 'OrderedReady';
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  if ((strategy.type ?? '') === '') {
    strategy.type = 'RollingUpdate';
    strategy.rollingUpdate ??= {};
  }
  if (strategy.type === 'RollingUpdate' && strategy.rollingUpdate) {
    strategy.rollingUpdate.partition ??= 0;
  }
  const policy = spec.persistentVolumeClaimRetentionPolicy ?? {};
  spec.persistentVolumeClaimRetentionPolicy = {
    whenDeleted: policy.whenDeleted || 'Retain',
    whenScaled: policy.whenScaled || 'Retain',
  };
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaults(spec.template);
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.kind = 'PersistentVolumeClaim';
    claim.apiVersion = 'v1';
    claim.spec.volumeMode ??= 'Filesystem';
    roundUpResources(claim.spec.resources);
    claim.status ??= {};
    if ((claim.status.phase ?? '') === '') claim.status.phase = 'Pending';
  }
}

function dropMaxUnavailable({ spec }: StatefulSet, old: StatefulSet | undefined): void {
  if (old?.spec.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return;
  delete spec.updateStrategy?.rollingUpdate?.maxUnavailable;
}

function updateErrors(object: StatefulSet, old: StatefulSet): FieldError[] {
  const pod = podOptions(existingTemplate(old.spec.template));
  const lenient = { pod, isUpdate: true, skipTemplate: false };
  const skipTemplate = specErrors(old, '', lenient).length > 0;
  const errors = specErrors(object, 'spec', { ...lenient, skipTemplate });
  const clone = { ...object.spec };
  for (const field of mutableFields) Object.assign(clone, { [field]: old.spec[field] });
  if (!deepEqual(clone, old.spec)) errors.push(forbidden('spec', updateRefusal));
  return errors;
}

function specErrors({ spec }: StatefulSet, path: string, options: SetOptions): FieldError[] {
  const policy = spec.podManagementPolicy ?? '';
  const errors: FieldError[] = [];
  if (policy === '') errors.push(required(child(path, 'podManagementPolicy')));
  else if (policy !== 'OrderedReady' && policy !== 'Parallel') {
    const detail = "must be 'OrderedReady' or 'Parallel'";
    errors.push(invalid(child(path, 'podManagementPolicy'), policy, detail));
  }
  errors.push(...strategyErrors(spec.updateStrategy ?? {}, child(path, 'updateStrategy')));
  errors.push(...retentionErrors(spec, child(path, 'persistentVolumeClaimRetentionPolicy')));
  if (!options.isUpdate) {
    (spec.volumeClaimTemplates ?? []).forEach((claim, index) => {
      const here = at(child(path, 'volumeClaimTemplates'), index);
      errors.push(...claimSpecErrors(claim.spec, child(here, 'spec')));
    });
  }
  errors.push(...nonNegative(spec.replicas, child(path, 'replicas')));
  errors.push(...nonNegative(spec.minReadySeconds, child(path, 'minReadySeconds')));
  errors.push(...nonNegative(spec.ordinals?.start, child(path, 'ordinals.start')));
  if (!options.isUpdate && (spec.serviceName ?? '') !== '') {
    errors.push(...dnsLabelErrors(spec.serviceName ?? '', child(path, 'serviceName')));
  }
  errors.push(...workloadSelectorErrors(spec.selector, child(path, 'selector'), 'statefulset'));
  const templatePath = child(path, 'template');
  if (selectorMatches(spec.selector, {}) === undefined) {
    errors.push(invalid(child(path, 'selector'), spec.selector, ''));
  } else {
    errors.push(...templateErrors(spec, templatePath, options));
  }
  errors.push(...alwaysRestartErrors(spec.template, templatePath));
  if (spec.template.spec.activeDeadlineSeconds !== undefined) {
    const below = child(templatePath, 'spec', 'activeDeadlineSeconds');
    errors.push(forbidden(below, 'activeDeadlineSeconds in StatefulSet is not Supported'));
  }
  return errors;
}

function templateErrors(
  spec: StatefulSet['spec'],
  path: string,
  options: SetOptions,
): FieldError[] {
  const template = withClaimVolumes(spec);
  const { labels, annotations } = template.metadata ?? {};
  return [
    ...labelMismatchErrors(spec.selector, template, path),
    ...(options.skipTemplate ? [] : podTemplateErrors(template, path, options.pod)),
    // Upstream repeats what the template's own checks begin with.
    ...validateLabels(labels, child(path, 'labels')),
    ...validateAnnotations(annotations, child(path, 'annotations')),
    ...templateAnnotationErrors(template, path, options.pod),
  ];
}

/** The template with the volumes its claims will become, and without the names the controller sets. */
function withClaimVolumes({
  template,
  volumeClaimTemplates,
}: StatefulSet['spec']): PodTemplateSpec {
  const claims = (volumeClaimTemplates ?? []).map((claim) => claim.metadata?.name ?? '');
  const { subdomain = '', hostname = '' } = template.spec;
  if (claims.length === 0 && subdomain === '' && hostname === '') return template;
  const copy = deepCopy(template);
  delete copy.spec.subdomain;
  delete copy.spec.hostname;
  copy.spec.volumes = [
    ...[...new Set(claims)].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...(copy.spec.volumes ?? []).filter((volume) => !claims.includes(volume.name)),
  ];
  return copy;
}

function strategyErrors(
  strategy: NonNullable<StatefulSet['spec']['updateStrategy']>,
  path: string,
): FieldError[] {
  const { type = '', rollingUpdate } = strategy;
  const below = child(path, 'rollingUpdate');
  if (type === '') return [required(path)];
  if (type === 'OnDelete') {
    if (rollingUpdate === undefined) return [];
    const shown = internalForm('RollingUpdateStatefulSetStrategy', rollingUpdate);
    return [invalid(below, shown, "only allowed for updateStrategy 'RollingUpdate'")];
  }
  if (type !== 'RollingUpdate') {
    const shown = internalForm('StatefulSetUpdateStrategy', strategy);
    return [invalid(path, shown, "must be 'RollingUpdate' or 'OnDelete'")];
  }
  if (rollingUpdate === undefined) return [];
  const { maxUnavailable } = rollingUpdate;
  const errors = nonNegative(rollingUpdate.partition, child(below, 'partition'));
  if (maxUnavailable === undefined) return errors;
  const unavailablePath = child(below, 'maxUnavailable');
  return [
    ...errors,
    ...intOrPercentErrors(maxUnavailable, unavailablePath),
    ...(intOrPercentValue(maxUnavailable) === 0
      ? [invalid(unavailablePath, maxUnavailable, 'cannot be 0')]
      : []),
    ...wholeErrors(maxUnavailable, unavailablePath),
  ];
}

function retentionErrors(spec: StatefulSet['spec'], path: string): FieldError[] {
  const policy = spec.persistentVolumeClaimRetentionPolicy;
  if (policy === undefined) return [];
  return (['whenDeleted', 'whenScaled'] as const).flatMap((field) => {
    const value = policy[field] ?? '';
    return retentionPolicies.includes(value)
      ? []
      : [notSupported(child(path, field), value, retentionPolicies)];
  });
}
