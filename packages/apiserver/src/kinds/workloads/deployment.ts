import {
  child,
  deepEqual,
  type FieldError,
  forbidden,
  formatSelector,
  invalid,
  labelSelectorAsSelector,
  notSupported,
  required,
} from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { age, containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { intOrPercentErrors, intOrPercentValue, wholeErrors } from './int-or-percent.ts';
import { internalForm } from './internal-form.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import {
  collisionCountErrors,
  longRunningTemplateErrors,
  nonNegativeFields,
  podNameWarnings,
  replicaBoundErrors,
  selectorMatches,
  workloadSelectorErrors,
} from './replicas.ts';
import { immutable, nonNegative } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { Deployment } from './workload-types.ts';

const rollbackAnnotation = 'deprecated.deployment.rollback.to';

const statusCounts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
];

/** apps/v1 Deployment. */
export const deployment = defineKind<Deployment>({
  generation: 'spec',
  validateOnUpdate: false,
  defaults: setDefaults,
  prepareForCreate: ({ spec }) => dropDisabledFields(spec.template.spec, undefined),
  prepareForUpdate: (object, old) => {
    dropDisabledFields(object.spec.template.spec, old.spec.template.spec);
    // A Deployment's annotations are copied to its ReplicaSets, so a change of them counts as one.
    if (!deepEqual(object.metadata.annotations, old.metadata.annotations)) {
      object.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
  },
  validate: (object) => specErrors(object, strictOptions),
  validateUpdate: (object, old) => [
    ...specErrors(object, podOptions(existingTemplate(old.spec.template))),
    ...immutable('spec.selector', { next: object.spec.selector, old: old.spec.selector }),
  ],
  prepareForStatusUpdate: (object, old) => {
    restoreLabels(object, old);
    if (old.status.terminatingReplicas === undefined) delete object.status.terminatingReplicas;
  },
  validateStatusUpdate: (object, old) => [
    ...nonNegativeFields(object.status, 'status', statusCounts),
    ...replicaBoundErrors(object.status, 'status', {
      fields: ['updatedReplicas', 'readyReplicas', 'availableReplicas'],
      readyName: 'readyReplicas',
    }),
    ...collisionCountErrors(object.status, old.status),
  ],
  warnings: (object, old) => {
    if (old !== undefined && unchanged(object, old)) return [];
    return [
      ...(old === undefined ? podNameWarnings(object.metadata.name) : []),
      ...podTemplateWarnings(object.spec.template, 'spec.template'),
    ];
  },
  cells: (object, { now }) => {
    const { spec, status } = object;
    return [
      object.metadata.name ?? '',
      `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
      status.updatedReplicas ?? 0,
      status.availableReplicas ?? 0,
      age(object.metadata.creationTimestamp, now),
      ...containerCells(spec.template.spec.containers),
      selectorCell(object),
    ];
  },
  scale: {
    replicas: ({ spec }) => spec.replicas ?? 0,
    statusReplicas: ({ status }) => status.replicas ?? 0,
    selector: ({ spec }) => formatSelector(labelSelectorAsSelector(spec.selector ?? undefined)),
    setReplicas: ({ spec }, replicas) => {
      spec.replicas = replicas;
    },
  },
});

function setDefaults({ spec, metadata }: Deployment): void {
  spec.replicas ??= 1;
  spec.strategy ??= {};
  const { strategy } = spec;
  if ((strategy.type ?? '') === '') strategy.type = 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= '25%';
    strategy.rollingUpdate.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
  setTemplateDefaults(spec.template);
  // The annotation stands for a field that is gone; an empty one does not survive.
  if (metadata.annotations?.[rollbackAnnotation] === '') {
    delete metadata.annotations[rollbackAnnotation];
  }
}

function specErrors({ spec }: Deployment, options: PodOptions): FieldError[] {
  const errors = [
    ...nonNegative(spec.replicas, 'spec.replicas'),
    ...workloadSelectorErrors(spec.selector, 'spec.selector', 'deployment'),
  ];
  if (selectorMatches(spec.selector, {}) === undefined) {
    errors.push(invalid('spec.selector', spec.selector, 'invalid label selector'));
  } else {
    const { selector } = spec;
    errors.push(
      ...longRunningTemplateErrors(spec.template, 'spec.template', { selector, options }),
    );
  }
  errors.push(
    ...strategyErrors(spec.strategy ?? {}, 'spec.strategy'),
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  );
  const deadline = spec.progressDeadlineSeconds;
  if (deadline !== undefined) {
    const below = 'spec.progressDeadlineSeconds';
    errors.push(...nonNegative(deadline, below));
    if (deadline <= (spec.minReadySeconds ?? 0)) {
      errors.push(invalid(below, deadline, 'must be greater than minReadySeconds'));
    }
  }
  return errors;
}

function strategyErrors(
  strategy: NonNullable<Deployment['spec']['strategy']>,
  path: string,
): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const below = child(path, 'rollingUpdate');
  if (type === 'Recreate') {
    const detail = "may not be specified when strategy `type` is 'Recreate'";
    return rollingUpdate === undefined ? [] : [forbidden(below, detail)];
  }
  if (type !== 'RollingUpdate') {
    const shown = internalForm('DeploymentStrategy', strategy);
    return [notSupported(path, shown, ['Recreate', 'RollingUpdate'])];
  }
  if (rollingUpdate === undefined) {
    return [required(below, 'this should be defaulted and never be nil')];
  }
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const unavailablePath = child(below, 'maxUnavailable');
  return [
    ...intOrPercentErrors(maxUnavailable, unavailablePath),
    ...intOrPercentErrors(maxSurge, child(below, 'maxSurge')),
    ...(intOrPercentValue(maxUnavailable) === 0 && intOrPercentValue(maxSurge) === 0
      ? [invalid(unavailablePath, maxUnavailable, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...wholeErrors(maxUnavailable, unavailablePath),
  ];
}

function restoreLabels(object: Deployment, old: Deployment): void {
  if (old.metadata.labels === undefined) delete object.metadata.labels;
  else object.metadata.labels = { ...old.metadata.labels };
}

function unchanged(object: Deployment, old: Deployment): boolean {
  return (
    deepEqual(object.spec, old.spec) &&
    deepEqual(object.metadata.annotations, old.metadata.annotations)
  );
}

function selectorCell({ spec }: Deployment): string {
  try {
    return formatSelector(labelSelectorAsSelector(spec.selector ?? undefined));
  } catch {
    return '<invalid>';
  }
}
