import {
  at,
  child,
  deepEqual,
  duplicate,
  type FieldError,
  hasInvalidLabelValue,
  invalid,
  isDNS1035Label,
  type KubeObject,
  type LabelSelector,
  notSupported,
  required,
  validateFullyQualifiedName,
  validateLabelSelector,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import {
  defaultRule,
  failurePolicies,
  type MatchCondition,
  matchPolicies,
  type RuleWithOperations,
  validateMatchConditions,
  validateRule,
} from './admission-rules.ts';
import {
  defaultClientConfig,
  validateClientConfig,
  type WebhookClientConfig,
} from './webhook-client.ts';

const DEFAULT_TIMEOUT_SECONDS = 10;
const MAX_TIMEOUT_SECONDS = 30;

const harmless = ['None', 'NoneOnDryRun'];
const allSideEffects = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const reviewVersions = ['v1', 'v1beta1'];
const reinvocations = ['IfNeeded', 'Never'];

interface Webhook {
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions: string[] | null;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: string;
}

interface WebhookConfiguration extends KubeObject {
  webhooks?: Webhook[];
}

/** What stored objects may keep although newer rules refuse it. */
interface Tolerance {
  readonly sideEffects: boolean;
  readonly reviewVersions: boolean;
  readonly repeatedNames: boolean;
  readonly labelValues: boolean;
  /** Conditions that did not change are not looked at again. */
  readonly conditions: boolean;
  readonly expressions: ReadonlySet<string>;
}

/** Who may change objects on their way in. */
export const mutatingWebhookConfiguration = webhookConfiguration(true);

/** Who may refuse objects on their way in. */
export const validatingWebhookConfiguration = webhookConfiguration(false);

function webhookConfiguration(mutating: boolean): KindBehaviour<WebhookConfiguration> {
  return {
    generation: 'spec',
    unconditionalUpdate: false,
    defaults: (object) => {
      for (const hook of object.webhooks ?? []) setDefaults(hook, mutating);
    },
    validate: (object) => validate(object, undefined),
    validateOnUpdate: false,
    validateUpdate: (object, old) => validate(object, old),
    cells: (object, { now }) => [nameCell(object), object.webhooks?.length ?? 0, age(object, now)],
  };
}

function setDefaults(hook: Webhook, mutating: boolean): void {
  hook.failurePolicy ??= 'Fail';
  hook.matchPolicy ??= 'Equivalent';
  hook.namespaceSelector ??= {};
  hook.objectSelector ??= {};
  hook.timeoutSeconds ??= DEFAULT_TIMEOUT_SECONDS;
  if (mutating) hook.reinvocationPolicy ??= 'Never';
  defaultClientConfig(hook.clientConfig);
  for (const rule of hook.rules ?? []) defaultRule(rule);
}

function toleranceOf(
  object: WebhookConfiguration,
  old: WebhookConfiguration | undefined,
): Tolerance {
  const hooks = old?.webhooks ?? [];
  const conditionsOf = (each: WebhookConfiguration | undefined) =>
    (each?.webhooks ?? []).map(({ matchConditions = [] }) => matchConditions);
  const names = hooks.map(({ name }) => name);
  return {
    sideEffects: hooks.some(({ sideEffects }) => !harmless.includes(sideEffects ?? '')),
    reviewVersions: hooks.some(
      ({ admissionReviewVersions }) =>
        !(admissionReviewVersions ?? []).some((version) => reviewVersions.includes(version)),
    ),
    repeatedNames: new Set(names).size < names.length,
    conditions: old !== undefined && deepEqual(conditionsOf(object), conditionsOf(old)),
    expressions: new Set(conditionsOf(old).flatMap((all) => all.map((each) => each.expression))),
    labelValues: hooks.some(
      (hook) =>
        hasInvalidLabelValue(hook.namespaceSelector) || hasInvalidLabelValue(hook.objectSelector),
    ),
  };
}

function validate(
  object: WebhookConfiguration,
  old: WebhookConfiguration | undefined,
): FieldError[] {
  const tolerance = toleranceOf(object, old);
  const names = new Set<string>();
  return (object.webhooks ?? []).flatMap((hook, index) => {
    const path = at('webhooks', index);
    const errors = [
      ...validateHook(hook, tolerance, path),
      ...validateReviewVersions(
        hook.admissionReviewVersions ?? [],
        tolerance.reviewVersions,
        child(path, 'admissionReviewVersions'),
      ),
    ];
    if (!tolerance.repeatedNames && hook.name !== '' && names.has(hook.name)) {
      errors.push(duplicate(child(path, 'name'), hook.name));
    }
    names.add(hook.name);
    return errors;
  });
}

function validateHook(hook: Webhook, tolerance: Tolerance, path: string): FieldError[] {
  const errors = validateFullyQualifiedName(hook.name, child(path, 'name'));
  for (const [index, rule] of (hook.rules ?? []).entries()) {
    errors.push(...validateRule(rule, at(child(path, 'rules'), index)));
  }
  errors.push(
    ...oneOf(hook.failurePolicy, failurePolicies, child(path, 'failurePolicy')),
    ...oneOf(hook.matchPolicy, matchPolicies, child(path, 'matchPolicy')),
    ...validateSideEffects(hook.sideEffects, tolerance.sideEffects, child(path, 'sideEffects')),
  );
  const { timeoutSeconds: timeout } = hook;
  if (timeout !== undefined && (timeout < 1 || timeout > MAX_TIMEOUT_SECONDS)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalid(child(path, 'timeoutSeconds'), timeout, detail));
  }
  const options = { allowInvalidLabelValueInSelector: tolerance.labelValues };
  errors.push(
    ...validateLabelSelector(hook.namespaceSelector, options, child(path, 'namespaceSelector')),
    ...validateLabelSelector(hook.objectSelector, options, child(path, 'objectSelector')),
    ...oneOf(hook.reinvocationPolicy, reinvocations, child(path, 'reinvocationPolicy')),
    ...validateClientConfig(hook.clientConfig, child(path, 'clientConfig')),
    ...(tolerance.conditions
      ? []
      : validateMatchConditions(hook.matchConditions ?? [], child(path, 'matchConditions'), {
          hasParams: false,
          preexisting: tolerance.expressions,
        })),
  );
  return errors;
}

function oneOf(value: string | undefined, allowed: readonly string[], path: string): FieldError[] {
  return value === undefined || allowed.includes(value) ? [] : [notSupported(path, value, allowed)];
}

function validateSideEffects(
  value: string | null | undefined,
  tolerant: boolean,
  path: string,
): FieldError[] {
  const allowed = tolerant ? allSideEffects : harmless;
  if (value === null || value === undefined) {
    return [required(path, `must specify one of ${allowed.join(', ')}`)];
  }
  return oneOf(value, allowed, path);
}

function validateReviewVersions(
  versions: readonly string[],
  tolerant: boolean,
  path: string,
): FieldError[] {
  if (versions.length === 0) {
    return [required(path, `must specify one of ${reviewVersions.join(', ')}`)];
  }
  const seen = new Set<string>();
  const errors = versions.flatMap((version, index) => {
    if (seen.has(version)) return [invalid(at(path, index), version, 'duplicate version')];
    seen.add(version);
    return isDNS1035Label(version).map((message) => invalid(at(path, index), version, message));
  });
  if (!tolerant && !versions.some((version) => reviewVersions.includes(version))) {
    const detail = `must include at least one of ${reviewVersions.join(', ')}`;
    errors.push(invalid(path, versions, detail));
  }
  return errors;
}
