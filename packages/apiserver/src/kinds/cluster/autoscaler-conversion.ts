import { encodeJson, type Json } from '@flotilla/machinery';
import {
  metricFromV1,
  metricStatusFromV1,
  metricStatusToV1,
  metricToV1,
} from './autoscaler-metrics.ts';
import type {
  AutoscalerCondition,
  AutoscalerV1,
  AutoscalerV2,
  MetricSpec,
  ScalingBehavior,
  ScalingRules,
} from './autoscaler-types.ts';

const METRICS = 'autoscaling.alpha.kubernetes.io/metrics';
const CURRENT_METRICS = 'autoscaling.alpha.kubernetes.io/current-metrics';
const CONDITIONS = 'autoscaling.alpha.kubernetes.io/conditions';
const BEHAVIOR = 'autoscaling.alpha.kubernetes.io/behavior';
const roundTrip = [
  METRICS,
  BEHAVIOR,
  'autoscaling.alpha.kubernetes.io/scale-down-tolerance',
  'autoscaling.alpha.kubernetes.io/scale-up-tolerance',
  CURRENT_METRICS,
  CONDITIONS,
];

/** The average cpu use, in percent, that autoscalers keep when nobody says otherwise. */
export const DEFAULT_CPU_UTILIZATION = 80;

/** A metric for the average use of cpu. */
export function cpuUtilization(percent: number): MetricSpec {
  return {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
  };
}

/** An autoscaler of autoscaling/v1 in its stored form; annotations that carried the rest are taken apart. */
export function autoscalerV2Of(v1: AutoscalerV1): AutoscalerV2 {
  const annotations = v1.metadata.annotations ?? {};
  const { spec, status } = v1;
  const cpu = spec.targetCPUUtilizationPercentage;
  const others = readList(annotations[METRICS])?.map(metricFromV1) ?? [];
  const metrics = [...others, ...(cpu === undefined ? [] : [cpuUtilization(cpu)])];
  const behavior = readBehavior(annotations[BEHAVIOR]);
  const current = readList(annotations[CURRENT_METRICS])?.map(metricStatusFromV1);
  const conditions = readList(annotations[CONDITIONS]) as AutoscalerCondition[] | undefined;
  const cpuNow = status.currentCPUUtilizationPercentage;
  const cpuStatus = {
    type: 'Resource',
    resource: { name: 'cpu', current: { averageUtilization: cpuNow ?? 0 } },
  };
  return {
    kind: v1.kind,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(v1.metadata, dropRoundTrip(annotations)),
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      ...(spec.minReplicas === undefined ? {} : { minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      metrics: metrics.length > 0 ? metrics : [cpuUtilization(DEFAULT_CPU_UTILIZATION)],
      ...(behavior === undefined ? {} : { behavior }),
    },
    status: {
      ...(status.observedGeneration === undefined
        ? {}
        : { observedGeneration: status.observedGeneration }),
      ...(status.lastScaleTime === undefined ? {} : { lastScaleTime: status.lastScaleTime }),
      ...(status.currentReplicas ? { currentReplicas: status.currentReplicas } : {}),
      desiredReplicas: status.desiredReplicas,
      currentMetrics: current ?? (cpuNow === undefined ? null : [cpuStatus]),
      ...(conditions === undefined ? {} : { conditions }),
    },
  };
}

/** A stored autoscaler as autoscaling/v1 shows it; what that version cannot say goes into annotations. */
export function autoscalerV1Of(v2: AutoscalerV2): AutoscalerV1 {
  const { spec, status } = v2;
  const annotations = dropRoundTrip(v2.metadata.annotations ?? {});
  const metrics = spec.metrics ?? [];
  const others = metrics.filter((metric) => cpuPercent(metric) === undefined);
  const current = status.currentMetrics ?? [];
  if (others.length > 0) annotations[METRICS] = encodeJson(others.map(metricToV1));
  if (current.length > 0) annotations[CURRENT_METRICS] = encodeJson(current.map(metricStatusToV1));
  if (spec.behavior !== undefined) annotations[BEHAVIOR] = encodeJson(shownBehavior(spec.behavior));
  if (status.conditions?.length) {
    annotations[CONDITIONS] = encodeJson(status.conditions.map(shownCondition));
  }
  const cpu = metrics.map(cpuPercent).find((percent) => percent !== undefined);
  const cpuNow = current.findLast(
    ({ type, resource }) =>
      type === 'Resource' &&
      resource?.name === 'cpu' &&
      resource.current.averageUtilization !== undefined,
  )?.resource?.current.averageUtilization;
  return {
    kind: v2.kind,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(v2.metadata, annotations),
    spec: {
      scaleTargetRef: spec.scaleTargetRef,
      ...(spec.minReplicas === undefined ? {} : { minReplicas: spec.minReplicas }),
      maxReplicas: spec.maxReplicas,
      ...(cpu === undefined ? {} : { targetCPUUtilizationPercentage: cpu }),
    },
    status: {
      ...(status.observedGeneration === undefined
        ? {}
        : { observedGeneration: status.observedGeneration }),
      ...(status.lastScaleTime === undefined ? {} : { lastScaleTime: status.lastScaleTime }),
      currentReplicas: status.currentReplicas ?? 0,
      desiredReplicas: status.desiredReplicas,
      ...(cpuNow === undefined ? {} : { currentCPUUtilizationPercentage: cpuNow }),
    },
  };
}

/** Annotations without those that only carry fields between versions. */
export function dropRoundTrip(
  annotations: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !roundTrip.includes(key)),
  );
}

function withAnnotations(
  metadata: AutoscalerV1['metadata'],
  annotations: Record<string, string>,
): AutoscalerV1['metadata'] {
  const { annotations: _before, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}

function cpuPercent({ type, resource }: MetricSpec): number | undefined {
  return type === 'Resource' && resource?.name === 'cpu'
    ? resource.target.averageUtilization
    : undefined;
}

/** Annotations anyone may have written: what cannot be read counts as absent. */
function readJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readList(text: string | undefined): Json[] | undefined {
  const value = readJson(text);
  const isList =
    Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
  return isList ? (value as Json[]) : undefined;
}

/** Upstream writes its internal type here, so the names are capital. */
function shownBehavior({ scaleUp, scaleDown }: ScalingBehavior): Json {
  return { ScaleUp: shownRules(scaleUp), ScaleDown: shownRules(scaleDown) };
}

function shownRules(rules: ScalingRules | undefined): Json | null {
  if (rules === undefined) return null;
  return {
    StabilizationWindowSeconds: rules.stabilizationWindowSeconds ?? null,
    SelectPolicy: rules.selectPolicy ?? null,
    Policies:
      rules.policies?.map(({ type, value, periodSeconds }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      })) ?? null,
    Tolerance: rules.tolerance ?? null,
  };
}

function readBehavior(text: string | undefined): ScalingBehavior | undefined {
  const value = readJson(text) as Json | undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const scaleUp = readRules(value['ScaleUp']);
  const scaleDown = readRules(value['ScaleDown']);
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  return {
    ...(scaleUp === undefined ? {} : { scaleUp }),
    ...(scaleDown === undefined ? {} : { scaleDown }),
  };
}

function readRules(value: unknown): ScalingRules | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    StabilizationWindowSeconds: window,
    SelectPolicy: select,
    Policies: policies,
    Tolerance: tolerance,
  } = value as Json;
  return {
    ...(typeof window === 'number' ? { stabilizationWindowSeconds: window } : {}),
    ...(typeof select === 'string' ? { selectPolicy: select } : {}),
    ...(Array.isArray(policies) ? { policies: policies.map(readPolicy) } : {}),
    ...(typeof tolerance === 'string' ? { tolerance } : {}),
  };
}

function readPolicy(value: Json): { type: string; value: number; periodSeconds: number } {
  return {
    type: String(value['Type'] ?? ''),
    value: Number(value['Value'] ?? 0),
    periodSeconds: Number(value['PeriodSeconds'] ?? 0),
  };
}

function shownCondition(condition: AutoscalerCondition): Json {
  const { type, status, lastTransitionTime, reason, message } = condition;
  return {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
  };
}
