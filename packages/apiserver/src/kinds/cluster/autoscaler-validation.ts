import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  parseGroupVersion,
  parseQuantity,
  quantitySign,
  required,
} from '@flotilla/machinery';
import { validateDNSLabel, validatePathSegment } from '../core/fields.ts';
import { validateNonnegativeAmount } from '../core/quantity-fields.ts';
import { validateContainerResourceName } from '../core/resource-names.ts';
import type {
  AutoscalerV2,
  CrossVersionReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ScalingRules,
} from './autoscaler-types.ts';

const MAX_WINDOW_SECONDS = 3600;
const MAX_PERIOD_SECONDS = 1800;

const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource'];
const policyTypes = ['Percent', 'Pods'];
const selectPolicies = ['Disabled', 'Max', 'Min'];
const targetTypes = ['Utilization', 'Value', 'AverageValue'];

/** The field each type of metric uses, in the order upstream looks at them. */
const metricFields = ['object', 'external', 'pods', 'resource', 'containerResource'] as const;
const fieldOfType: Readonly<Record<string, (typeof metricFields)[number]>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
};

/** What a reference's apiVersion may be. */
interface ReferenceOptions {
  readonly anyVersion: boolean;
  readonly coreGroup: boolean;
}

/** The rules of autoscalers, in upstream's order; `old` is what is stored, on an update. */
export function validateAutoscaler(
  object: AutoscalerV2,
  old: AutoscalerV2 | undefined,
): FieldError[] {
  const { minReplicas, maxReplicas, scaleTargetRef, metrics = [], behavior } = object.spec;
  const lowest = old?.spec.minReplicas === 0 ? 0 : 1;
  const errors: FieldError[] = [];
  if (minReplicas !== undefined && minReplicas < lowest) {
    const detail = `must be greater than or equal to ${lowest}`;
    errors.push(invalid('spec.minReplicas', minReplicas, detail));
  }
  if (maxReplicas < 1) {
    errors.push(invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'));
  }
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    const detail = 'must be greater than or equal to `minReplicas`';
    errors.push(invalid('spec.maxReplicas', maxReplicas, detail));
  }
  const sameTarget =
    old !== undefined &&
    old.spec.scaleTargetRef.apiVersion === scaleTargetRef.apiVersion &&
    old.spec.scaleTargetRef.kind === scaleTargetRef.kind;
  const targetOptions = {
    anyVersion: sameTarget,
    coreGroup: scaleTargetRef.kind === 'ReplicationController',
  };
  errors.push(
    ...validateReference(scaleTargetRef, targetOptions, 'spec.scaleTargetRef'),
    ...validateMetrics(metrics, minReplicas, {
      anyVersion: (old?.spec.metrics ?? []).some(hasBadVersion),
      coreGroup: true,
    }),
    ...validateRules(behavior?.scaleUp, 'spec.behavior.scaleUp'),
    ...validateRules(behavior?.scaleDown, 'spec.behavior.scaleDown'),
  );
  return errors;
}

function hasBadVersion({ type, object }: MetricSpec): boolean {
  return (
    type === 'Object' &&
    object !== undefined &&
    parseGroupVersion(object.describedObject.apiVersion ?? '') === undefined
  );
}

function validateReference(
  { kind, name, apiVersion = '' }: CrossVersionReference,
  options: ReferenceOptions,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [field, text] of [
    ['kind', kind],
    ['name', name],
  ] as const) {
    if (text === '') errors.push(required(child(path, field)));
    else errors.push(...validatePathSegment(text, child(path, field)));
  }
  if (options.anyVersion) return errors;
  const gv = parseGroupVersion(apiVersion);
  if (gv === undefined) {
    const detail = `unexpected GroupVersion string: ${apiVersion}`;
    errors.push(invalid(child(path, 'apiVersion'), apiVersion, detail));
  } else if (!options.coreGroup && gv.group === '') {
    const detail = 'apiVersion must specify API group';
    errors.push(invalid(child(path, 'apiVersion'), apiVersion, detail));
  }
  return errors;
}

function validateMetrics(
  metrics: readonly MetricSpec[],
  minReplicas: number | undefined,
  options: ReferenceOptions,
): FieldError[] {
  const path = 'spec.metrics';
  const errors = metrics.flatMap((metric, index) =>
    validateMetric(metric, options, at(path, index)),
  );
  const idle = metrics.some(({ type }) => type === 'Object' || type === 'External');
  if (minReplicas === 0 && !idle) {
    const detail =
      'must specify at least one Object or External metric to support scaling to zero replicas';
    errors.push(forbidden(path, detail));
  }
  return errors;
}

function validateMetric(metric: MetricSpec, options: ReferenceOptions, path: string): FieldError[] {
  const typePath = child(path, 'type');
  const known = metricTypes.includes(metric.type);
  const errors: FieldError[] = [];
  if (metric.type === '') errors.push(required(typePath, 'must specify a metric source type'));
  if (!known) errors.push(notSupported(typePath, metric.type, metricTypes));
  const present = metricFields.filter((field) => metric[field] !== undefined);
  errors.push(...validateSource(metric, options, path));
  const expected = fieldOfType[metric.type];
  if (expected === undefined) errors.push(notSupported(typePath, metric.type, metricTypes));
  else if (metric[expected] === undefined) {
    const detail = 'must populate information for the given metric source';
    errors.push(required(child(path, expected), detail));
  }
  if (present.length === 1) return errors;
  for (const field of present.filter((name) => name !== expected)) {
    errors.push(forbidden(child(path, field), 'must populate the given metric source only'));
  }
  return errors;
}

/** Only the first source that is set is looked into. */
function validateSource(metric: MetricSpec, options: ReferenceOptions, path: string): FieldError[] {
  const { object, external, pods, resource, containerResource } = metric;
  if (object !== undefined) {
    const p = child(path, 'object');
    return [
      ...validateReference(object.describedObject, options, child(p, 'describedObject')),
      ...validateIdentifier(object.metric, child(p, 'metric')),
      ...validateTarget(object.target, child(p, 'target')),
      ...needsOne(object.target, p, 'must set either a target value or averageValue'),
    ];
  }
  if (external !== undefined) {
    const p = child(path, 'external');
    const { value, averageValue } = external.target;
    const both = 'may not set both a target value for metric and a per-pod target';
    return [
      ...validateIdentifier(external.metric, child(p, 'metric')),
      ...validateTarget(external.target, child(p, 'target')),
      ...needsOne(
        external.target,
        p,
        'must set either a target value for metric or a per-pod target',
      ),
      ...(value !== undefined && averageValue !== undefined
        ? [forbidden(child(p, 'target', 'value'), both)]
        : []),
    ];
  }
  if (pods !== undefined) {
    const p = child(path, 'pods');
    const missing = 'must specify a positive target averageValue';
    return [
      ...validateIdentifier(pods.metric, child(p, 'metric')),
      ...validateTarget(pods.target, child(p, 'target')),
      ...(pods.target.averageValue === undefined
        ? [required(child(p, 'target', 'averageValue'), missing)]
        : []),
    ];
  }
  if (resource !== undefined) return validateResourceSource(resource, child(path, 'resource'));
  if (containerResource === undefined) return [];
  const p = child(path, 'containerResource');
  const { name, container } = containerResource;
  return [
    ...(name === '' ? [] : validateContainerResourceName(name, child(p, 'name'))),
    ...validateResourceSource(containerResource, p, container),
  ];
}

/** Containers are checked between name and target, as upstream does. */
function validateResourceSource(
  { name, target }: { name: string; target: MetricTarget },
  path: string,
  container?: string,
): FieldError[] {
  const errors: FieldError[] =
    name === '' ? [required(child(path, 'name'), 'must specify a resource name')] : [];
  if (container === '') {
    errors.push(required(child(path, 'container'), 'must specify a container'));
  } else if (container !== undefined) {
    errors.push(...validateDNSLabel(container, child(path, 'container')));
  }
  errors.push(...validateTarget(target, child(path, 'target')));
  if (target.averageUtilization === undefined && target.averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization';
    errors.push(required(child(path, 'target', 'averageUtilization'), detail));
  }
  if (target.averageUtilization !== undefined && target.averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization';
    errors.push(forbidden(child(path, 'target', 'averageValue'), detail));
  }
  return errors;
}

function needsOne(target: MetricTarget, path: string, detail: string): FieldError[] {
  return target.value === undefined && target.averageValue === undefined
    ? [required(child(path, 'target', 'averageValue'), detail)]
    : [];
}

function validateIdentifier({ name }: MetricIdentifier, path: string): FieldError[] {
  return name === ''
    ? [required(child(path, 'name'), 'must specify a metric name')]
    : validatePathSegment(name, child(path, 'name'));
}

function validateTarget(target: MetricTarget, path: string): FieldError[] {
  const { type, value, averageValue, averageUtilization } = target;
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(child(path, 'type'), 'must specify a metric target type'));
  if (!targetTypes.includes(type)) {
    const detail = 'must be either Utilization, Value, or AverageValue';
    errors.push(invalid(child(path, 'type'), type, detail));
  }
  for (const [field, amount] of [
    ['value', value],
    ['averageValue', averageValue],
  ] as const) {
    if (amount !== undefined && quantitySign(parseQuantity(amount)) !== 1) {
      errors.push(invalid(child(path, field), amount, 'must be positive'));
    }
  }
  if (averageUtilization !== undefined && averageUtilization < 1) {
    const detail = 'must be greater than 0';
    errors.push(invalid(child(path, 'averageUtilization'), averageUtilization, detail));
  }
  return errors;
}

function validateRules(rules: ScalingRules | undefined, path: string): FieldError[] {
  if (rules === undefined) return [];
  const { stabilizationWindowSeconds: window, selectPolicy, policies = [], tolerance } = rules;
  const windowPath = child(path, 'stabilizationWindowSeconds');
  const errors: FieldError[] = [];
  if (window !== undefined && window < 0) {
    errors.push(invalid(windowPath, window, 'must be greater than or equal to zero'));
  }
  if (window !== undefined && window > MAX_WINDOW_SECONDS) {
    const detail = `must be less than or equal to ${MAX_WINDOW_SECONDS}`;
    errors.push(invalid(windowPath, window, detail));
  }
  if (selectPolicy !== undefined && !selectPolicies.includes(selectPolicy)) {
    errors.push(notSupported(child(path, 'selectPolicy'), selectPolicy, selectPolicies));
  }
  if (policies.length === 0) {
    errors.push(required(child(path, 'policies'), 'must specify at least one Policy'));
  }
  for (const [index, { type, value, periodSeconds }] of policies.entries()) {
    const policyPath = at(child(path, 'policies'), index);
    const periodPath = child(policyPath, 'periodSeconds');
    if (!policyTypes.includes(type)) {
      errors.push(notSupported(child(policyPath, 'type'), type, policyTypes));
    }
    if (value <= 0) {
      errors.push(invalid(child(policyPath, 'value'), value, 'must be greater than zero'));
    }
    if (periodSeconds <= 0) {
      errors.push(invalid(periodPath, periodSeconds, 'must be greater than zero'));
    }
    if (periodSeconds > MAX_PERIOD_SECONDS) {
      const detail = `must be less than or equal to ${MAX_PERIOD_SECONDS}`;
      errors.push(invalid(periodPath, periodSeconds, detail));
    }
  }
  if (tolerance !== undefined) {
    errors.push(...validateNonnegativeAmount(tolerance, child(path, 'tolerance')));
  }
  return errors;
}
