import { type FieldError, validateNonnegative } from '@flotilla/machinery';
import type { Cell, KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { completeBehavior } from './autoscaler-behavior.ts';
import {
  autoscalerV2Of,
  cpuUtilization,
  DEFAULT_CPU_UTILIZATION,
  dropRoundTrip,
} from './autoscaler-conversion.ts';
import type { AutoscalerV1, AutoscalerV2, MetricSpec, MetricStatus } from './autoscaler-types.ts';
import { validateAutoscaler } from './autoscaler-validation.ts';

const SHOWN_METRICS = 2;
const UNKNOWN = '<unknown>';

/** How many replicas something should have, by what its pods use. */
export const autoscalerV2: KindBehaviour<AutoscalerV2> = {
  defaults: ({ metadata, spec }) => {
    spec.minReplicas ??= 1;
    if (!spec.metrics?.length) spec.metrics = [cpuUtilization(DEFAULT_CPU_UTILIZATION)];
    if (spec.behavior !== undefined) spec.behavior = completeBehavior(spec.behavior);
    if (metadata.annotations !== undefined) {
      metadata.annotations = dropRoundTrip(metadata.annotations);
    }
  },
  prepareForCreate: (object) => {
    object.status = { desiredReplicas: 0, currentMetrics: null };
    dropTolerance(object, undefined);
  },
  prepareForUpdate: dropTolerance,
  validate: (object) => validateAutoscaler(object, undefined),
  validateOnUpdate: false,
  validateUpdate: validateAutoscaler,
  validateStatusUpdate: ({ status }) => validateStatus(status),
  cells,
};

/** The same objects through autoscaling/v1, held to the rules of their stored form. */
export const autoscalerV1: KindBehaviour<AutoscalerV1> = {
  defaults: ({ spec }) => {
    spec.minReplicas ??= 1;
  },
  prepareForCreate: (object) => {
    object.status = { currentReplicas: 0, desiredReplicas: 0 };
  },
  validate: (object) => validateAutoscaler(autoscalerV2Of(object), undefined),
  validateOnUpdate: false,
  validateUpdate: (object, old) => validateAutoscaler(autoscalerV2Of(object), autoscalerV2Of(old)),
  validateStatusUpdate: ({ status }) => validateStatus(status),
  cells: (object, context) => cells(autoscalerV2Of(object), context),
};

/** Configurable tolerance is switched off: it is kept only where it already stands. */
function dropTolerance({ spec }: AutoscalerV2, old: AutoscalerV2 | undefined): void {
  const before = old?.spec.behavior;
  if (before?.scaleUp?.tolerance !== undefined || before?.scaleDown?.tolerance !== undefined)
    return;
  delete spec.behavior?.scaleUp?.tolerance;
  delete spec.behavior?.scaleDown?.tolerance;
}

function validateStatus(status: {
  currentReplicas?: number;
  desiredReplicas: number;
}): FieldError[] {
  return [
    ...validateNonnegative(status.currentReplicas ?? 0, 'status.currentReplicas'),
    ...validateNonnegative(status.desiredReplicas, 'status.desiredReplicas'),
  ];
}

function cells(object: AutoscalerV2, { now }: { now: Date }): Cell[] {
  const { spec, status } = object;
  return [
    nameCell(object),
    `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
    metricsCell(spec.metrics ?? [], status.currentMetrics ?? []),
    spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas),
    spec.maxReplicas,
    status.currentReplicas ?? 0,
    age(object, now),
  ];
}

function metricsCell(specs: readonly MetricSpec[], statuses: readonly MetricStatus[]): string {
  if (specs.length === 0) return '<none>';
  const texts = specs.map((spec, index) => metricText(spec, statuses[index]));
  const shown = texts.slice(0, SHOWN_METRICS).join(', ');
  return texts.length > SHOWN_METRICS
    ? `${shown} + ${texts.length - SHOWN_METRICS} more...`
    : shown;
}

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  switch (spec.type) {
    case 'External':
      return valueText(spec.external?.target, status?.external?.current);
    case 'Object':
      return valueText(spec.object?.target, status?.object?.current);
    case 'Pods':
      return `${status?.pods?.current.averageValue ?? UNKNOWN}/${spec.pods?.target.averageValue ?? ''}`;
    case 'Resource':
      return resourceText(spec.resource, status?.resource);
    case 'ContainerResource':
      return resourceText(spec.containerResource, status?.containerResource);
    default:
      return '<unknown type>';
  }
}

type Values = { value?: string; averageValue?: string; averageUtilization?: number };

function valueText(target: Values | undefined, current: Values | undefined): string {
  return target?.averageValue === undefined
    ? `${current?.value ?? UNKNOWN}/${target?.value ?? ''}`
    : `${current?.averageValue ?? UNKNOWN}/${target.averageValue} (avg)`;
}

function resourceText(
  spec: { name: string; target: Values } | undefined,
  status: { current: Values } | undefined,
): string {
  if (spec === undefined) return '<unknown type>';
  const { name, target } = spec;
  if (target.averageValue !== undefined) {
    return `${name}: ${status?.current.averageValue ?? UNKNOWN}/${target.averageValue}`;
  }
  return `${name}: ${percent(status?.current.averageUtilization, UNKNOWN)}/${percent(target.averageUtilization, '<auto>')}`;
}

function percent(value: number | undefined, absent: string): string {
  return value === undefined ? absent : `${value}%`;
}
