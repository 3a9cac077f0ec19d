import {
  byteLength,
  deepEqual,
  type FieldError,
  formatLabelSelector,
  invalid,
  notSupported,
  required,
} from '@flotilla/machinery';
import { defineKind } from '../core/define-kind.ts';
import { age, containerCells } from './cells.ts';
import { scheduleProblem } from './cron-schedule.ts';
import { dropDisabledFields } from './disabled-fields.ts';
import { jobWarnings, setJobTemplateDefaults } from './job.ts';
import { jobSpecErrors } from './job-spec.ts';
import { type PodOptions, podOptions, strictOptions } from './pod-options.ts';
import { podNameWarnings } from './replicas.ts';
import { nonNegative, oneOf } from './support.ts';
import { existingTemplate } from './templates.ts';
import { isTimeZone } from './time-zone.ts';
import type { CronJob } from './workload-types.ts';

/** Pods of a job get its name and 11 more characters, and must stay DNS labels. */
const MAX_NAME = 52;

const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'];

/** batch/v1 CronJob. */
export const cronJob = defineKind<CronJob>({
  generation: 'spec',
  validateOnUpdate: false,
  defaults: ({ spec }) => {
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    setJobTemplateDefaults(spec.jobTemplate.spec);
  },
  prepareForCreate: ({ spec }) =>
    dropDisabledFields(spec.jobTemplate.spec.template.spec, undefined),
  prepareForUpdate: ({ spec }, old) =>
    dropDisabledFields(
      spec.jobTemplate.spec.template.spec,
      old.spec.jobTemplate.spec.template.spec,
    ),
  validate: (object) => {
    const name = object.metadata.name ?? '';
    const errors = specErrors(object, undefined, strictOptions);
    if (byteLength(name) > MAX_NAME) {
      errors.push(invalid('metadata.name', name, `must be no more than ${MAX_NAME} characters`));
    }
    return errors;
  },
  validateUpdate: (object, old) =>
    specErrors(object, old, podOptions(existingTemplate(old.spec.jobTemplate.spec.template))),
  warnings: ({ metadata, spec }, old) => {
    const path = 'spec.jobTemplate.spec';
    if (old === undefined) {
      return [...podNameWarnings(metadata.name), ...jobWarnings(spec.jobTemplate.spec, path)];
    }
    return [
      ...(deepEqual(spec, old.spec) ? [] : jobWarnings(spec.jobTemplate.spec, path)),
      ...(spec.schedule.includes('TZ')
        ? [
            'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
          ]
        : []),
    ];
  },
  cells: ({ metadata, spec, status }, { now }) => [
    metadata.name ?? '',
    spec.schedule,
    spec.timeZone ?? '<none>',
    spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    (status.active ?? []).length,
    status.lastScheduleTime == null ? '<none>' : age(status.lastScheduleTime, now),
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.jobTemplate.spec.template.spec.containers),
    formatLabelSelector(spec.jobTemplate.spec.selector),
  ],
});

function specErrors(
  { spec }: CronJob,
  old: CronJob | undefined,
  options: PodOptions,
): FieldError[] {
  const template = spec.jobTemplate.spec;
  return [
    ...scheduleErrors(spec, old),
    ...nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds'),
    ...(old === undefined || old.spec.timeZone !== spec.timeZone
      ? timeZoneErrors(spec.timeZone)
      : []),
    ...oneOf('spec.concurrencyPolicy', spec.concurrencyPolicy, concurrencyPolicies),
    ...jobSpecErrors(template, 'spec.jobTemplate.spec', options),
    ...(template.selector == null
      ? []
      : [
          invalid(
            'spec.jobTemplate.spec.selector',
            template.selector,
            '`selector` will be auto-generated',
          ),
        ]),
    ...(template.manualSelector === true
      ? [notSupported('spec.jobTemplate.spec.manualSelector', true, ['nil', 'false'])]
      : []),
    ...nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit'),
    ...nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit'),
  ];
}

function scheduleErrors(
  { schedule, timeZone }: CronJob['spec'],
  old: CronJob | undefined,
): FieldError[] {
  const path = 'spec.schedule';
  if (schedule === '') return [required(path)];
  const problem = scheduleProblem(schedule);
  const errors = problem === '' ? [] : [invalid(path, schedule, problem)];
  if (!schedule.includes('TZ')) return errors;
  if (old?.spec.schedule.includes('TZ') !== true) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(path, schedule, detail));
  } else if (timeZone !== undefined) {
    const detail = 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
    errors.push(invalid(path, schedule, detail));
  }
  return errors;
}

function timeZoneErrors(zone: string | undefined): FieldError[] {
  if (zone === undefined) return [];
  const path = 'spec.timeZone';
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  const unknown = invalid(path, zone, `unknown time zone ${zone}`);
  const sound = zone
    .split('/')
    .every(
      (part) =>
        part !== '.' && part !== '..' && /^[A-Za-z._0-9+][A-Za-z.\-_0-9+]{0,13}$/.test(part),
    );
  if (!sound) return [unknown];
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(path, zone, detail));
  }
  return isTimeZone(zone) ? errors : [...errors, unknown];
}
