import { encodeJson, type Json } from '@flotilla/machinery';
import { readBehavior, readConditions, readMetrics } from './autoscaler-annotations.ts';
import { completeBehavior } from './autoscaler-behavior.ts';
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
  const others = readMetrics(annotations[METRICS])?.map(metricFromV1) ?? [];
  const metrics = [...others, ...(cpu === undefined ? [] : [cpuUtilization(cpu)])];
  const behavior = behaviorFromV1(readBehavior(annotations[BEHAVIOR]));
  const current = readMetrics(annotations[CURRENT_METRICS])?.map(metricStatusFromV1);
  const conditions = readConditions(annotations[CONDITIONS])?.map(conditionFromV1);
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

function behaviorFromV1(value: Json | undefined): ScalingBehavior | undefined {
  const scaleUp = rulesFromV1(value?.['ScaleUp'] as Json | undefined);
  const scaleDown = rulesFromV1(value?.['ScaleDown'] as Json | undefined);
  if (scaleUp === undefined && scaleDown === undefined) return undefined;
  // What is stored has its defaults, whichever version it came through.
  return completeBehavior({
    ...(scaleUp === undefined ? {} : { scaleUp }),
    ...(scaleDown === undefined ? {} : { scaleDown }),
  });
}

function rulesFromV1(value: Json | undefined): ScalingRules | undefined {
  if (value === undefined) return undefined;
  const {
    StabilizationWindowSeconds: window,
    SelectPolicy: select,
    Policies: policies,
    Tolerance: tolerance,
  } = value;
  return {
    ...(typeof window === 'number' ? { stabilizationWindowSeconds: window } : {}),
    ...(typeof select === 'string' ? { selectPolicy: select } : {}),
    ...(Array.isArray(policies) ? { policies: policies.map(policyFromV1) } : {}),
    ...(typeof tolerance === 'string' ? { tolerance } : {}),
  };
}

function policyFromV1(value: Json): { type: string; value: number; periodSeconds: number } {
  return {
    type: String(value['Type'] ?? ''),
    value: Number(value['Value'] ?? 0),
    periodSeconds: Number(value['PeriodSeconds'] ?? 0),
  };
}

function conditionFromV1(json: Json): AutoscalerCondition {
  return { ...json, type: String(json['type'] ?? ''), status: String(json['status'] ?? '') };
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
