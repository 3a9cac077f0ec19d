import {
  byteLength,
  child,
  type FieldError,
  invalid,
  isDNS1123Subdomain,
  isDomainPrefixedPath,
  notSupported,
  required,
  tooLong,
} from '@flotilla/machinery';
import { internalForm } from './internal-form.ts';
import { podFailurePolicyErrors, successPolicyErrors } from './job-policies.ts';
import type { PodOptions } from './pod-options.ts';
import { podTemplateErrors } from './pod-spec.ts';
import { invalidEach, nonNegative } from './support.ts';
import type { JobSpec } from './workload-types.ts';

const MAX_INDEXED = 100_000;
const MAX_WITH_MANY_COMPLETIONS = 10_000;
const MAX_MANAGED_BY = 63;

const plainCounts = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** What holds for a job and for the template of a cron job alike: everything but the selector. */
export function jobSpecErrors(spec: JobSpec, path: string, options: PodOptions): FieldError[] {
  const errors = plainCounts.flatMap((field) => nonNegative(spec[field], child(path, field)));
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    const below = child(path, 'backoffLimitPerIndex');
    errors.push(required(below, 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) {
    const below = child(path, 'managedBy');
    errors.push(...managedByErrors(spec.managedBy, below));
    if (byteLength(spec.managedBy) > MAX_MANAGED_BY) {
      errors.push(tooLong(below, '', MAX_MANAGED_BY));
    }
  }
  errors.push(...completionModeErrors(spec, path));
  if (spec.podFailurePolicy) {
    errors.push(...podFailurePolicyErrors(spec, child(path, 'podFailurePolicy')));
  }
  if (spec.successPolicy) {
    const below = child(path, 'successPolicy');
    if (spec.completionMode === 'Indexed') errors.push(...successPolicyErrors(spec, below));
    else {
      const shown = internalForm('SuccessPolicy', spec.successPolicy);
      errors.push(invalid(below, shown, 'requires indexed completion mode'));
    }
  }
  return [
    ...errors,
    ...replacementErrors(spec, child(path, 'podReplacementPolicy')),
    ...podTemplateErrors(spec.template, child(path, 'template'), options),
    ...restartErrors(spec, child(path, 'template', 'spec', 'restartPolicy')),
  ];
}

function managedByErrors(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  // Upstream shows only the half that is wrong.
  const slash = name.indexOf('/');
  const host = name.slice(0, Math.max(slash, 0));
  const rest = name.slice(slash + 1);
  if (host === '' || rest === '') return invalidEach(path, name, isDomainPrefixedPath(name));
  const hostProblems = isDNS1123Subdomain(host);
  return [
    ...invalidEach(path, host, hostProblems),
    ...invalidEach(path, rest, isDomainPrefixedPath(name).slice(hostProblems.length)),
  ];
}

function completionModeErrors(spec: JobSpec, path: string): FieldError[] {
  const mode = spec.completionMode;
  const errors: FieldError[] = [];
  if (mode !== undefined && mode !== 'NonIndexed' && mode !== 'Indexed') {
    errors.push(notSupported(child(path, 'completionMode'), mode, ['NonIndexed', 'Indexed']));
  }
  if (mode === 'Indexed') return [...errors, ...indexedErrors(spec, path)];
  if (mode !== undefined && mode !== 'NonIndexed') return errors;
  for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
    const value = spec[field];
    if (value === undefined) continue;
    errors.push(invalid(child(path, field), value, 'requires indexed completion mode'));
  }
  return errors;
}

function indexedErrors(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism, maxFailedIndexes: maxFailed } = spec;
  const parallelismPath = child(path, 'parallelism');
  const maxFailedPath = child(path, 'maxFailedIndexes');
  const errors: FieldError[] = [];
  if (completions === undefined) {
    errors.push(required(child(path, 'completions'), 'when completion mode is Indexed'));
  }
  if (parallelism !== undefined && parallelism > MAX_INDEXED) {
    const detail = `must be less than or equal to ${MAX_INDEXED} when completion mode is Indexed`;
    errors.push(invalid(parallelismPath, parallelism, detail));
  }
  if (completions !== undefined && maxFailed !== undefined && maxFailed > completions) {
    errors.push(invalid(maxFailedPath, maxFailed, 'must be less than or equal to completions'));
  }
  if (maxFailed !== undefined && maxFailed > MAX_INDEXED) {
    errors.push(invalid(maxFailedPath, maxFailed, `must be less than or equal to ${MAX_INDEXED}`));
  }
  if ((completions ?? 0) <= MAX_INDEXED || spec.backoffLimitPerIndex === undefined) return errors;
  const detail = `must be less than or equal to ${MAX_WITH_MANY_COMPLETIONS} when completions are above ${MAX_INDEXED} and used with backoff limit per index`;
  if (maxFailed === undefined) {
    const text = `must be specified when completions is above ${MAX_INDEXED}`;
    errors.push(required(maxFailedPath, text));
  }
  if (parallelism !== undefined && parallelism > MAX_WITH_MANY_COMPLETIONS) {
    errors.push(invalid(parallelismPath, parallelism, detail));
  }
  if (maxFailed !== undefined && maxFailed > MAX_WITH_MANY_COMPLETIONS) {
    errors.push(invalid(maxFailedPath, maxFailed, detail));
  }
  return errors;
}

function replacementErrors(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.podReplacementPolicy;
  const supported = spec.podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return policy === undefined || supported.includes(policy)
    ? []
    : [notSupported(path, policy, supported)];
}

function restartErrors(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.template.spec.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') {
    return [required(path, 'valid values: "OnFailure", "Never"')];
  }
  if (policy !== 'OnFailure' && policy !== 'Never') {
    return [notSupported(path, policy, ['OnFailure', 'Never'])];
  }
  if (!spec.podFailurePolicy || policy === 'Never') return [];
  return [invalid(path, policy, 'only "Never" is supported when podFailurePolicy is specified')];
}
