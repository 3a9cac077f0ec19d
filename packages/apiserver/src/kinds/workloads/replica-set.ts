import {
  deepEqual,
  type FieldError,
  formatLabelSelector,
  formatSelector,
  invalid,
  labelSelectorAsSelector,
} from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { age, containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import {
  longRunningTemplateErrors,
  nonNegativeFields,
  podNameWarnings,
  replicaBoundErrors,
  selectorMatches,
  workloadSelectorErrors,
} from './replicas.ts';
import { immutable, nonNegative } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { ReplicaSet } from './workload-types.ts';

const statusCounts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
  'terminatingReplicas',
];

/** apps/v1 ReplicaSet. */
export const replicaSet = defineKind<ReplicaSet>({
  generation: 'spec',
  validateOnUpdate: false,
  defaults: ({ spec }) => {
    spec.replicas ??= 1;
    // A missing template is an empty one to the server.
    spec.template ??= { spec: { containers: null } };
    setTemplateDefaults(spec.template);
  },
  prepareForCreate: ({ spec }) => dropDisabledFields(spec.template?.spec, undefined),
  prepareForUpdate: ({ spec }, old) =>
    dropDisabledFields(spec.template?.spec, old.spec.template?.spec),
  validate: (object) => specErrors(object, strictOptions),
  validateUpdate: (object, old) => [
    ...specErrors(object, podOptions(existingTemplate(old.spec.template))),
    ...immutable('spec.selector', { next: object.spec.selector, old: old.spec.selector }),
  ],
  prepareForStatusUpdate: ({ status }, old) => {
    if (old.status.terminatingReplicas === undefined) delete status.terminatingReplicas;
  },
  validateStatusUpdate: ({ status }) => [
    ...nonNegativeFields(status, 'status', statusCounts),
    ...replicaBoundErrors(status, 'status', {
      fields: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
      readyName: 'readyReplicas',
    }),
  ],
  warnings: ({ metadata, spec }, old) => {
    if (old !== undefined && deepEqual(spec, old.spec)) return [];
    return [
      ...(old === undefined ? podNameWarnings(metadata.name) : []),
      ...podTemplateWarnings(spec.template, 'spec.template'),
    ];
  },
  cells: ({ metadata, spec, status }, { now }) => [
    metadata.name ?? '',
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec.containers),
    formatLabelSelector(spec.selector),
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

function specErrors({ spec }: ReplicaSet, options: PodOptions): FieldError[] {
  const { selector, template } = spec;
  const errors = [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    // Upstream says deployment here too.
    ...workloadSelectorErrors(selector, 'spec.selector', 'deployment'),
  ];
  if (selectorMatches(selector, {}) === undefined) {
    return [...errors, invalid('spec.selector', selector, 'invalid label selector')];
  }
  return [
    ...errors,
    ...longRunningTemplateErrors(template, 'spec.template', { selector, options }),
  ];
}
