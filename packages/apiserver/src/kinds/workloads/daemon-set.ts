import {
  child,
  deepEqual,
  type FieldError,
  forbidden,
  formatLabelSelector,
  hasInvalidLabelValue,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import { labelsCell } from '../core/cells.ts';
import { defineKind } from '../core/define-kind.ts';
import { age, containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { intOrPercentErrors, intOrPercentValue, wholeErrors } from './int-or-percent.ts';
import { internalForm } from './internal-form.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podTemplateErrors } from './pod-spec.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import {
  alwaysRestartErrors,
  collisionCountErrors,
  isEmptySelector,
  mismatchError,
  nonNegativeFields,
  selectorMatches,
} from './replicas.ts';
import { immutable, nonNegative } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { DaemonSet } from './workload-types.ts';

const generationAnnotation = 'deprecated.daemonset.template.generation';

const statusCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
];

/** apps/v1 DaemonSet. */
export const daemonSet = defineKind<DaemonSet>({
  generation: 'spec',
  asTracked: (object) => {
    const annotations = { [generationAnnotation]: '0', ...object.metadata.annotations };
    return { ...object, metadata: { ...object.metadata, annotations } };
  },
  // Tables are printed from upstream's own form of the object, where the annotation is a field.
  asPrinted: (object) => {
    const { [generationAnnotation]: _field, ...annotations } = object.metadata.annotations ?? {};
    const { annotations: _all, ...metadata } = object.metadata;
    const isBare = Object.keys(annotations).length === 0;
    return { ...object, metadata: isBare ? metadata : { ...metadata, annotations } };
  },
  validateOnUpdate: false,
  defaults: setDefaults,
  prepareForCreate: (object) => {
    setTemplateGeneration(object, Math.max(templateGeneration(object), 1));
    dropDisabledFields(object.spec.template.spec, undefined);
  },
  prepareForUpdate: (object, old) => {
    dropDisabledFields(object.spec.template.spec, old.spec.template.spec);
    const changed = !deepEqual(object.spec.template, old.spec.template);
    setTemplateGeneration(object, templateGeneration(old) + (changed ? 1 : 0));
  },
  validate: (object) => specErrors(object, strictOptions),
  validateUpdate: (object, old) => {
    const options = podOptions(existingTemplate(old.spec.template));
    const allowInvalidSelectorValues =
      options.allowInvalidSelectorValues || hasInvalidLabelValue(old.spec.selector);
    return [
      ...immutable('spec.selector', { next: object.spec.selector, old: old.spec.selector }),
      ...specErrors(object, { ...options, allowInvalidSelectorValues }),
    ];
  },
  // The annotation is a field to upstream's server and so part of the spec, which a status write leaves alone.
  prepareForStatusUpdate: (object, old) => setTemplateGeneration(object, templateGeneration(old)),
  validateStatusUpdate: (object, old) => [
    ...nonNegativeFields(object.status, 'status', statusCounts),
    ...collisionCountErrors(object.status, old.status),
  ],
  warnings: ({ spec }, old) =>
    old !== undefined && deepEqual(spec.template, old.spec.template)
      ? []
      : podTemplateWarnings(spec.template, 'spec.template'),
  cells: ({ metadata, spec, status }, { now }) => [
    metadata.name ?? '',
    status.desiredNumberScheduled ?? 0,
    status.currentNumberScheduled ?? 0,
    status.numberReady ?? 0,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    labelsCell(spec.template.spec.nodeSelector),
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template.spec.containers),
    formatLabelSelector(spec.selector),
  ],
});

function setDefaults({ spec }: DaemonSet): void {
  spec.updateStrategy ??= {};
  const strategy = spec.updateStrategy;
  if ((strategy.type ?? '') === '') strategy.type = 'RollingUpdate';
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {};
    strategy.rollingUpdate.maxUnavailable ??= 1;
    strategy.rollingUpdate.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
  setTemplateDefaults(spec.template);
}

function templateGeneration(object: DaemonSet): number {
  const value = object.metadata.annotations?.[generationAnnotation] ?? '';
  return /^[+-]?[0-9]+$/.test(value) ? Number(value) : 0;
}

function setTemplateGeneration(object: DaemonSet, generation: number): void {
  object.metadata.annotations = {
    ...object.metadata.annotations,
    [generationAnnotation]: `${generation}`,
  };
}

function specErrors({ spec }: DaemonSet, options: PodOptions): FieldError[] {
  const rules = { allowInvalidLabelValueInSelector: options.allowInvalidSelectorValues };
  const { selector, template } = spec;
  const errors = validateLabelSelector(selector, rules, 'spec.selector');
  if (selectorMatches(selector, template.metadata?.labels) === false) {
    errors.push(mismatchError(template.metadata?.labels, 'spec.template'));
  }
  if (selector != null && isEmptySelector(selector)) {
    errors.push(invalid('spec.selector', selector, 'empty selector is invalid for daemonset'));
  }
  errors.push(
    ...podTemplateErrors(template, 'spec.template', options),
    ...alwaysRestartErrors(template, 'spec.template'),
  );
  if (template.spec.activeDeadlineSeconds !== undefined) {
    const below = 'spec.template.spec.activeDeadlineSeconds';
    errors.push(forbidden(below, 'activeDeadlineSeconds in DaemonSet is not Supported'));
  }
  return [
    ...errors,
    ...nonNegative(spec.minReadySeconds, 'spec.minReadySeconds'),
    ...strategyErrors(spec.updateStrategy ?? {}, 'spec.updateStrategy'),
    ...nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit'),
  ];
}

function strategyErrors(
  strategy: NonNullable<DaemonSet['spec']['updateStrategy']>,
  path: string,
): FieldError[] {
  if (strategy.type === 'OnDelete') return [];
  if (strategy.type !== 'RollingUpdate') {
    const shown = internalForm('DaemonSetUpdateStrategy', strategy);
    return [notSupported(path, shown, ['RollingUpdate', 'OnDelete'])];
  }
  const below = child(path, 'rollingUpdate');
  if (strategy.rollingUpdate === undefined) return [required(below)];
  const { maxUnavailable = 0, maxSurge = 0 } = strategy.rollingUpdate;
  const unavailablePath = child(below, 'maxUnavailable');
  const surgePath = child(below, 'maxSurge');
  const unavailable = intOrPercentValue(maxUnavailable) !== 0;
  const surge = intOrPercentValue(maxSurge) !== 0;
  return [
    ...intOrPercentErrors(maxUnavailable, unavailablePath),
    ...intOrPercentErrors(maxSurge, surgePath),
    ...wholeErrors(maxUnavailable, unavailablePath),
    ...wholeErrors(maxSurge, surgePath),
    ...(unavailable && surge
      ? [invalid(surgePath, maxSurge, 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(!unavailable && !surge
      ? [required(unavailablePath, 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}
