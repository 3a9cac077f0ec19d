import {
  child,
  deepEqual,
  type FieldError,
  forbidden,
  formatSelector,
  matchesLabels,
  required,
  selectorFromLabels,
} from '@flotilla/machinery';
import { labelsCell } from '../core/cells.ts';
import { defineKind } from '../core/define-kind.ts';
import { repeatMetadata } from '../finalizer-names.ts';
import { age, containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podTemplateErrors } from './pod-spec.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import {
  alwaysRestartErrors,
  mismatchError,
  nonNegativeFields,
  podNameWarnings,
  replicaBoundErrors,
} from './replicas.ts';
import { nonNegative } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { ReplicationController } from './workload-types.ts';

const statusCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
];

/** v1 ReplicationController. */
export const replicationController = defineKind<ReplicationController>({
  generation: 'spec',
  validateOnUpdate: false,
  defaultPropagation: 'orphan',
  defaults: setDefaults,
  prepareForCreate: ({ spec }) => dropDisabledFields(spec.template?.spec, undefined),
  prepareForUpdate: ({ spec }, old) =>
    dropDisabledFields(spec.template?.spec, old.spec.template?.spec),
  validate: (object) => specErrors(object, strictOptions),
  validateUpdate: (object, old) => {
    const options = podOptions(existingTemplate(old.spec.template));
    // Upstream runs the whole validation and then the spec's once more, and the causes list both.
    return [
      ...repeatMetadata(object.metadata),
      ...specErrors(object, options),
      ...specErrors(object, options),
    ];
  },
  validateStatusUpdate: ({ status }) => [
    ...nonNegativeFields(status, 'status', statusCounts),
    ...replicaBoundErrors(status, 'status', {
      fields: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      readyName: 'readyReplicas',
    }),
  ],
  warnings: ({ metadata, spec }, old) => {
    if (old !== undefined) {
      // Upstream confuses the two here and warns about the template that was.
      return deepEqual(spec, old.spec)
        ? []
        : podTemplateWarnings(old.spec.template, 'spec.template');
    }
    return [
      ...podNameWarnings(metadata.name),
      ...podTemplateWarnings(spec.template, 'spec.template'),
    ];
  },
  selectableFields: { 'status.replicas': ({ status }) => `${status.replicas ?? 0}` },
  cells: ({ metadata, spec, status }, { now }) => [
    metadata.name ?? '',
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec.containers),
    labelsCell(spec.selector),
  ],
  scale: {
    replicas: ({ spec }) => spec.replicas ?? 0,
    statusReplicas: ({ status }) => status.replicas ?? 0,
    selector: ({ spec }) => formatSelector(selectorFromLabels(spec.selector ?? {})),
    setReplicas: ({ spec }, replicas) => {
      spec.replicas = replicas;
    },
  },
});

function setDefaults({ metadata, spec }: ReplicationController): void {
  const labels = spec.template?.metadata?.labels;
  if (labels !== undefined) {
    if (isEmpty(spec.selector)) spec.selector = { ...labels };
    if (isEmpty(metadata.labels)) metadata.labels = { ...labels };
  }
  spec.replicas ??= 1;
  if (spec.template !== undefined) setTemplateDefaults(spec.template);
}

function specErrors({ spec }: ReplicationController, options: PodOptions): FieldError[] {
  const { selector = {}, template } = spec;
  const path = 'spec.template';
  const errors = [
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...(isEmpty(selector) ? [required('spec.selector')] : []),
    ...(spec.replicas === undefined
      ? [required('spec.replicas')]
      : nonNegative(spec.replicas, 'spec.replicas')),
  ];
  if (template === undefined) return [...errors, required(path)];
  const labels = template.metadata?.labels;
  if (!isEmpty(selector) && !matchesLabels(selectorFromLabels(selector), labels ?? {})) {
    errors.push(mismatchError(labels, path));
  }
  errors.push(
    ...podTemplateErrors(template, path, options),
    ...alwaysRestartErrors(template, path),
  );
  if (template.spec.activeDeadlineSeconds !== undefined) {
    const below = child(path, 'spec', 'activeDeadlineSeconds');
    const detail = 'activeDeadlineSeconds in ReplicationController is not Supported';
    errors.push(forbidden(below, detail));
  }
  return errors;
}

function isEmpty(map: Readonly<Record<string, string>> | undefined): boolean {
  return Object.keys(map ?? {}).length === 0;
}
