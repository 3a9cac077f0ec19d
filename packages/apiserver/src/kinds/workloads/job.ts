import {
  child,
  deepCopy,
  deepEqual,
  type FieldError,
  formatLabelSelector,
  goQuote,
  hasInvalidLabelValue,
  humanDuration,
  invalid,
  isDNS1123Label,
  keyed,
  required,
  validateLabelSelector,
} from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { repeatMetadata } from '../finalizer-names.ts';
import { age, containerCells } from './cells.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { internalForm } from './internal-form.ts';
import { jobSpecErrors } from './job-spec.ts';
import { jobStatusErrors } from './job-status.ts';
import { setTemplateDefaults } from './pod-defaults.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import { podTemplateWarnings } from './pod-warnings.ts';
import { mismatchError, podNameWarnings, selectorMatches } from './replicas.ts';
import { hasKey, immutable } from './support.ts';
import { existingTemplate } from './templates.ts';
import type { Job, JobSpec } from './workload-types.ts';

const MAX_INT32 = 2 ** 31 - 1;
const MANY_COMPLETIONS = 100_000;
const MANY_PODS = 10_000;

const uidLabel = 'batch.kubernetes.io/controller-uid';
const nameLabel = 'batch.kubernetes.io/job-name';
const legacyUidLabel = 'controller-uid';
const legacyNameLabel = 'job-name';

const statusOrder = ['Complete', 'Failed'];
const laterStatusOrder = ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'];

/** batch/v1 Job. */
export const job = defineKind<Job>({
  generation: 'spec',
  validateOnUpdate: false,
  defaultPropagation: 'orphan',
  defaults: ({ spec }) => setJobDefaults(spec),
  prepareForCreate: (object) => {
    if (object.spec.manualSelector !== true) generateSelector(object);
    copyTemplateLabels(object);
    dropDisabledFields(object.spec.template.spec, undefined);
  },
  prepareForUpdate: (object, old) => {
    copyTemplateLabels(object);
    dropDisabledFields(object.spec.template.spec, old.spec.template.spec);
  },
  prepareForStatusUpdate: copyTemplateLabels,
  validate: (object) => jobErrors(object, strictOptions, true),
  validateUpdate: (object, old) => {
    const { options, requirePrefixedLabels, mayReschedule } = updateOptions(old);
    // Upstream validates the whole job and then its spec once more, and the causes list both.
    return [
      ...repeatMetadata(object.metadata),
      ...jobErrors(object, options, requirePrefixedLabels),
      ...specErrors(object.spec, options),
      ...specUpdateErrors(object.spec, old.spec, mayReschedule),
    ];
  },
  validateStatusUpdate: jobStatusErrors,
  warnings: ({ metadata, spec }, old) => {
    if (old !== undefined && deepEqual(spec, old.spec)) return [];
    return [
      ...(old === undefined ? podNameWarnings(metadata.name) : []),
      ...jobWarnings(spec, 'spec'),
    ];
  },
  selectableFields: { 'status.successful': ({ status }) => `${status.succeeded ?? 0}` },
  unselectable: (field) => `field label ${goQuote(field)} not supported for Job`,
  cells: (object, { now }) => [
    object.metadata.name ?? '',
    statusCell(object),
    completionsCell(object),
    durationCell(object, now),
    age(object.metadata.creationTimestamp, now),
    ...containerCells(object.spec.template.spec.containers),
    formatLabelSelector(object.spec.selector),
  ],
});

/** Defaults of a job; those of a cron job's template are fewer. */
function setJobDefaults(spec: JobSpec): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : MAX_INT32;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  spec.manualSelector ??= false;
  setJobTemplateDefaults(spec);
}

/** Defaults that also the job inside a cron job gets. */
export function setJobTemplateDefaults(spec: JobSpec): void {
  for (const rule of spec.podFailurePolicy?.rules ?? []) {
    for (const pattern of rule.onPodConditions ?? []) pattern.status ||= 'True';
  }
  setTemplateDefaults(spec.template);
}

/**
 * A job without labels takes those of its template. Upstream does it when decoding and lets both share one map, so that
 * the labels a new job gives its template become its own; done here, after them, it comes to the same.
 */
function copyTemplateLabels({ metadata, spec }: Job): void {
  const labels = spec.template.metadata?.labels;
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return;
  metadata.labels = { ...labels };
}

/** Warnings about a job's spec. */
export function jobWarnings(spec: JobSpec, path: string): string[] {
  const many =
    spec.completionMode === 'Indexed' &&
    (spec.completions ?? 0) > MANY_COMPLETIONS &&
    (spec.parallelism ?? 0) > MANY_PODS;
  return [
    ...(many
      ? [
          `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
        ]
      : []),
    ...podTemplateWarnings(spec.template, child(path, 'template')),
  ];
}

/** A job finds its pods by its own uid, which nobody can know beforehand. */
function generateSelector({ metadata, spec }: Job): void {
  const { name = '', uid = '' } = metadata;
  spec.template.metadata ??= {};
  spec.template.metadata.labels = {
    [legacyNameLabel]: name,
    [nameLabel]: name,
    [legacyUidLabel]: uid,
    [uidLabel]: uid,
    ...spec.template.metadata.labels,
  };
  spec.selector ??= {};
  spec.selector.matchLabels = { [uidLabel]: uid, ...spec.selector.matchLabels };
}

function jobErrors(object: Job, options: PodOptions, prefixedLabels: boolean): FieldError[] {
  const { metadata, spec } = object;
  const errors = [...generatedSelectorErrors(object, prefixedLabels), ...specErrors(spec, options)];
  const completions = spec.completions ?? 0;
  if (spec.completionMode === 'Indexed' && completions > 0) {
    const hostname = `${metadata.name ?? ''}-${completions - 1}`;
    if (isDNS1123Label(hostname).length > 0) {
      const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
      errors.push(invalid('metadata.name', metadata.name ?? '', detail));
    }
  }
  return errors;
}

function specErrors(spec: JobSpec, options: PodOptions): FieldError[] {
  const { selector, template } = spec;
  const rules = { allowInvalidLabelValueInSelector: options.allowInvalidSelectorValues };
  const labels = template.metadata?.labels;
  return [
    ...jobSpecErrors(spec, 'spec', options),
    ...(selector == null
      ? [required('spec.selector')]
      : validateLabelSelector(selector, rules, 'spec.selector')),
    ...(selectorMatches(selector, labels) === false
      ? [mismatchError(labels, 'spec.template')]
      : []),
  ];
}

function generatedSelectorErrors(object: Job, prefixedLabels: boolean): FieldError[] {
  const { metadata, spec } = object;
  if (spec.manualSelector === true || spec.selector == null) return [];
  const { name = '', uid = '' } = metadata;
  const legacy = { [legacyUidLabel]: uid, [legacyNameLabel]: name };
  const expected = prefixedLabels ? { ...legacy, [uidLabel]: uid, [nameLabel]: name } : legacy;
  const errors = uid === '' ? [required('metadata.uid')] : [];
  for (const [key, value] of Object.entries(expected)) {
    errors.push(...labelErrors(spec.template, key, value));
  }
  if (selectorMatches(spec.selector, expected) === false) {
    errors.push(invalid('spec.selector', spec.selector, '`selector` not auto-generated'));
  }
  return errors;
}

function labelErrors(template: PodTemplateSpec, key: string, expected: string): FieldError[] {
  const labels = template.metadata?.labels;
  const path = keyed('spec.template.metadata.labels', key);
  const detail = `must be '${expected}'`;
  if (!hasKey(labels, key)) return [required(path, detail)];
  return labels?.[key] === expected ? [] : [invalid(path, labels, detail)];
}

function updateOptions(old: Job) {
  const options = podOptions(existingTemplate(old.spec.template));
  const labels = old.spec.template.metadata?.labels;
  return {
    options: {
      ...options,
      allowInvalidSelectorValues:
        options.allowInvalidSelectorValues || hasInvalidLabelValue(old.spec.selector),
    },
    requirePrefixedLabels: hasKey(labels, nameLabel) && hasKey(labels, uidLabel),
    mayReschedule: old.spec.suspend === true && old.status.startTime == null,
  };
}

function specUpdateErrors(spec: JobSpec, old: JobSpec, mayReschedule: boolean): FieldError[] {
  const same = (field: keyof JobSpec, shown?: (value: unknown) => unknown) =>
    immutable(`spec.${field}`, { next: spec[field], old: old[field] }, shown);
  const internal = (type: string) => (value: unknown) =>
    value === undefined ? null : internalForm(type, value);
  const template = mayReschedule ? reschedulable(old.template, spec.template) : old.template;
  return [
    ...completionsErrors(spec, old),
    ...same('selector'),
    ...immutable(
      'spec.template',
      { next: spec.template, old: template },
      internal('PodTemplateSpec'),
    ),
    ...same('completionMode'),
    ...same('podFailurePolicy', internal('PodFailurePolicy')),
    ...same('backoffLimitPerIndex'),
    ...same('managedBy'),
    ...same('successPolicy', internal('SuccessPolicy')),
  ];
}

function completionsErrors(spec: JobSpec, old: JobSpec): FieldError[] {
  const { completions } = spec;
  const path = 'spec.completions';
  if (spec.completionMode !== 'Indexed') {
    return immutable(path, { next: completions, old: old.completions });
  }
  if (completions === undefined || completions === old.completions) return [];
  return completions === spec.parallelism
    ? []
    : [invalid(path, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** A suspended job that never ran may still be told where to run. */
function reschedulable(old: PodTemplateSpec, next: PodTemplateSpec): PodTemplateSpec {
  const copy = deepCopy(old);
  const { nodeAffinity: _, ...others } = copy.spec.affinity ?? {};
  const nodeAffinity = next.spec.affinity?.nodeAffinity;
  const affinity = nodeAffinity === undefined ? others : { ...others, nodeAffinity };
  if (next.spec.affinity === undefined && Object.keys(affinity).length === 0) {
    delete copy.spec.affinity;
  } else {
    copy.spec.affinity = affinity;
  }
  for (const field of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    delete copy.spec[field];
    if (next.spec[field] !== undefined) Object.assign(copy.spec, { [field]: next.spec[field] });
  }
  const { annotations, labels } = next.metadata ?? {};
  copy.metadata = {
    ...copy.metadata,
    ...(annotations === undefined ? {} : { annotations }),
    ...(labels === undefined ? {} : { labels }),
  };
  if (annotations === undefined) delete copy.metadata.annotations;
  if (labels === undefined) delete copy.metadata.labels;
  return copy;
}

function statusCell({ metadata, status }: Job): string {
  const first = (types: readonly string[]) =>
    types.find(
      (type) => (status.conditions ?? []).find((each) => each.type === type)?.status === 'True',
    );
  const ended = first(statusOrder);
  if (ended !== undefined) return ended;
  if (metadata.deletionTimestamp != null) return 'Terminating';
  return first(laterStatusOrder) ?? 'Running';
}

function completionsCell({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationCell({ status }: Job, now: Date): string {
  const { startTime, completionTime } = status;
  if (startTime == null) return '';
  const end = completionTime == null ? now.getTime() : Date.parse(completionTime);
  return humanDuration(end - Date.parse(startTime));
}
