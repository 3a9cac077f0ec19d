import { deepEqual, duplicate, type FieldError, invalid, required } from '@flotilla/machinery';
import { internalForm } from './internal-form.ts';
import { countIndexes, sharedIndex } from './job-indexes.ts';
import { isConditionTrue, nonNegative } from './support.ts';
import type { Job, JobStatus } from './workload-types.ts';

/** What is true of a job, before or after a status write. */
interface Facts {
  readonly complete: boolean;
  readonly failed: boolean;
  readonly failureTarget: boolean;
  readonly successMet: boolean;
}

/** A status as a job controller writes it. Rules that came later apply only to what a write changes. */
export function jobStatusErrors(job: Job, old: Job): FieldError[] {
  return [
    ...countErrors(job.status),
    ...conditionErrors(job, old),
    ...timeErrors(job, old),
    ...finishedErrors(job, old),
    ...indexErrors(job, old),
    ...laterErrors(job, old),
    ...regressionErrors(job, old),
  ];
}

function factsOf({ status }: Job): Facts {
  const is = (type: string) => isConditionTrue(status.conditions, type);
  return {
    complete: is('Complete'),
    failed: is('Failed'),
    failureTarget: is('FailureTarget'),
    successMet: is('SuccessCriteriaMet'),
  };
}

function conditionsError(detail: string): FieldError {
  const message = `Invalid value: ${detail}`;
  return { type: 'FieldValueInvalid', field: 'status.conditions', message };
}

function countErrors(status: JobStatus): FieldError[] {
  const errors = (['active', 'succeeded', 'failed', 'ready', 'terminating'] as const).flatMap(
    (field) => nonNegative(status[field], `status.${field}`),
  );
  const seen = new Set<string>();
  for (const field of ['succeeded', 'failed'] as const) {
    (status.uncountedTerminatedPods?.[field] ?? []).forEach((uid, index) => {
      const path = `status.uncountedTerminatedPods.${field}[${index}]`;
      if (uid === '') errors.push(invalid(path, uid, 'must not be empty'));
      else if (seen.has(uid)) errors.push(duplicate(path, uid));
      seen.add(uid);
    });
  }
  return errors;
}

function conditionErrors(job: Job, old: Job): FieldError[] {
  const now = factsOf(job);
  const before = factsOf(old);
  const errors: FieldError[] = [];
  const completeChanged = now.complete !== before.complete;
  if (now.complete && now.failed && (completeChanged || now.failed !== before.failed)) {
    errors.push(conditionsError('cannot set Complete=True and Failed=true conditions'));
  }
  const targetChanged = now.failureTarget !== before.failureTarget;
  if (now.complete && now.failureTarget && (completeChanged || targetChanged)) {
    errors.push(conditionsError('cannot set Complete=True and FailureTarget=true conditions'));
  }
  return errors;
}

function timeErrors(job: Job, old: Job): FieldError[] {
  const { complete } = factsOf(job);
  const { startTime, completionTime } = job.status;
  const completionChanged = completionTime !== old.status.completionTime;
  const changed = complete !== factsOf(old).complete || completionChanged;
  const path = 'status.completionTime';
  const errors: FieldError[] = [];
  if (changed && completionTime && !complete) {
    const detail = 'cannot set completionTime when there is no Complete=True condition';
    errors.push(invalid(path, completionTime, detail));
  }
  if (changed && !completionTime && complete) {
    errors.push(required(path, 'completionTime is required for Complete jobs'));
  }
  const startChanged = startTime !== old.status.startTime;
  const reversed =
    startTime && completionTime && Date.parse(completionTime) < Date.parse(startTime);
  if ((startChanged || completionChanged) && reversed) {
    errors.push(invalid(path, completionTime, 'must be equal to or after `startTime`'));
  }
  return errors;
}

function finishedErrors(job: Job, old: Job): FieldError[] {
  const now = factsOf(job);
  const before = factsOf(old);
  const { status, spec } = job;
  const errors: FieldError[] = [];
  const failedIndexesChanged = status.failedIndexes !== old.status.failedIndexes;
  if (now.failed && !now.failureTarget && (!before.failed || failedIndexesChanged)) {
    const detail = 'cannot set Failed=True condition without the FailureTarget=true condition';
    errors.push(conditionsError(detail));
  }
  const successChanged = now.successMet !== before.successMet;
  if (now.complete && !now.successMet && (!before.complete || successChanged)) {
    const detail =
      'cannot set Complete=True condition without the SuccessCriteriaMet=true condition';
    errors.push(conditionsError(detail));
  }
  const finished = now.complete || now.failed;
  const finishedChanged = finished !== (before.complete || before.failed);
  if (!finished) return errors;
  const { active = 0, uncountedTerminatedPods: uncounted } = status;
  if (active > 0 && (finishedChanged || active !== (old.status.active ?? 0))) {
    errors.push(invalid('status.active', active, 'active>0 is invalid for finished job'));
  }
  const startChanged = status.startTime !== old.status.startTime;
  const idle = spec.suspend === true && spec.completions === 0;
  if (!status.startTime && (finishedChanged || startChanged) && !idle) {
    errors.push(required('status.startTime', 'startTime is required for finished job'));
  }
  const left = (uncounted?.failed ?? []).length + (uncounted?.succeeded ?? []).length;
  const uncountedChanged = !deepEqual(uncounted, old.status.uncountedTerminatedPods);
  if (left > 0 && (finishedChanged || uncountedChanged)) {
    const shown = internalForm('UncountedTerminatedPods', uncounted);
    const path = 'status.uncountedTerminatedPods';
    errors.push(invalid(path, shown, 'must be empty for finished job'));
  }
  return errors;
}

function indexErrors(job: Job, old: Job): FieldError[] {
  const { spec, status } = job;
  const { completedIndexes: completed = '', failedIndexes: failed } = status;
  const completedChanged = completed !== (old.status.completedIndexes ?? '');
  const failedChanged = failed !== old.status.failedIndexes;
  const { completions } = spec;
  const errors: FieldError[] = [];
  const check = (field: string, text: string) => {
    const counted = countIndexes(text, completions ?? 0);
    if (typeof counted === 'number') return;
    errors.push(invalid(`status.${field}`, text, `error parsing ${field}: ${counted}`));
  };
  if (completedChanged && completions !== undefined) check('completedIndexes', completed);
  const perIndex = spec.backoffLimitPerIndex !== undefined;
  if (failedChanged && completions !== undefined && perIndex && failed !== undefined) {
    check('failedIndexes', failed);
  }
  if (completedChanged && completed !== '' && spec.completionMode !== 'Indexed') {
    const detail = 'cannot set non-empty completedIndexes when non-indexed completion mode';
    errors.push(invalid('status.completedIndexes', completed, detail));
  }
  if (failed === undefined) return errors;
  if (failedChanged && !perIndex) {
    const detail = 'cannot set non-null failedIndexes when backoffLimitPerIndex is null';
    errors.push(invalid('status.failedIndexes', failed, detail));
  }
  if ((failedChanged || completedChanged) && completions !== undefined) {
    const shared = sharedIndex(completed, failed, completions);
    if (shared !== undefined) {
      const detail = `failedIndexes and completedIndexes overlap at index: ${shared}`;
      errors.push(invalid('status.failedIndexes', failed, detail));
    }
  }
  return errors;
}

function laterErrors(job: Job, old: Job): FieldError[] {
  const now = factsOf(job);
  const before = factsOf(old);
  const { active = 0, ready, terminating } = job.status;
  const finished = now.complete || now.failed;
  const finishedChanged = finished !== (before.complete || before.failed);
  const errors: FieldError[] = [];
  const terminatingChanged = terminating !== old.status.terminating;
  if ((terminating ?? 0) > 0 && finished && (finishedChanged || terminatingChanged)) {
    const detail = 'terminating>0 is invalid for finished job';
    errors.push(invalid('status.terminating', terminating, detail));
  }
  const countsChanged = ready !== old.status.ready || active !== (old.status.active ?? 0);
  if (countsChanged && ready !== undefined && ready > active) {
    errors.push(invalid('status.ready', ready, 'cannot set more ready pods than active'));
  }
  if (now.successMet && now.failed) {
    errors.push(conditionsError('cannot set SuccessCriteriaMet=True and Failed=true conditions'));
  }
  if (now.successMet && now.failureTarget) {
    const detail = 'cannot set SuccessCriteriaMet=True and FailureTarget=true conditions';
    errors.push(conditionsError(detail));
  }
  if (job.spec.successPolicy && !now.successMet && now.complete) {
    const detail =
      'cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True';
    errors.push(conditionsError(detail));
  }
  return errors;
}

function regressionErrors(job: Job, old: Job): FieldError[] {
  const { spec, status } = job;
  const errors: FieldError[] = [];
  const lost = (type: string) =>
    isConditionTrue(old.status.conditions, type) && !isConditionTrue(status.conditions, type);
  for (const type of ['Failed', 'Complete', 'FailureTarget']) {
    if (lost(type)) {
      errors.push(conditionsError(`cannot disable the terminal ${type}=True condition`));
    }
  }
  const { failed = 0, succeeded = 0 } = status;
  if (failed < (old.status.failed ?? 0)) {
    errors.push(invalid('status.failed', failed, 'cannot decrease the failed counter'));
  }
  // An elastic Indexed Job may be scaled down below what has succeeded.
  const elastic = spec.completionMode === 'Indexed' && spec.completions === spec.parallelism;
  if (!elastic && succeeded < (old.status.succeeded ?? 0)) {
    errors.push(invalid('status.succeeded', succeeded, 'cannot decrease the succeeded counter'));
  }
  const { completionTime, startTime } = status;
  const before = old.status;
  if (completionTime && before.completionTime && completionTime !== before.completionTime) {
    errors.push(invalid('status.completionTime', completionTime, 'field is immutable'));
  }
  const resuming =
    isConditionTrue(before.conditions, 'Suspended') &&
    (status.conditions ?? []).some((each) => each.type === 'Suspended' && each.status === 'False');
  if (before.startTime && before.startTime !== startTime && !resuming && !spec.suspend) {
    const detail = 'startTime cannot be removed for unsuspended job';
    errors.push(required('status.startTime', detail));
  }
  if (lost('SuccessCriteriaMet')) {
    errors.push(conditionsError('cannot disable the SuccessCriteriaMet=True condition'));
  }
  const then = factsOf(old);
  if (then.complete && !then.successMet && factsOf(job).successMet) {
    const detail =
      'cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions';
    errors.push(conditionsError(detail));
  }
  return errors;
}
