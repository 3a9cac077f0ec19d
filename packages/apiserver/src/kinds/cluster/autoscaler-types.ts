import type { KubeObject, LabelSelector } from '@flotilla/machinery';

/** What is scaled, or what a metric is about. */
export interface CrossVersionReference {
  kind: string;
  name: string;
  apiVersion?: string;
}

/** A metric by its name, and by labels where the name is not enough. */
export interface MetricIdentifier {
  name: string;
  selector?: LabelSelector;
}

/** The value a metric is to be kept at. */
export interface MetricTarget {
  type: string;
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

/** The value a metric has. */
export interface MetricValue {
  value?: string;
  averageValue?: string;
  averageUtilization?: number;
}

/** What decides how many replicas there are. */
export interface MetricSpec {
  type: string;
  object?: {
    describedObject: CrossVersionReference;
    target: MetricTarget;
    metric: MetricIdentifier;
  };
  pods?: { metric: MetricIdentifier; target: MetricTarget };
  resource?: { name: string; target: MetricTarget };
  containerResource?: { name: string; target: MetricTarget; container: string };
  external?: { metric: MetricIdentifier; target: MetricTarget };
}

/** What a metric was when last read. */
export interface MetricStatus {
  type: string;
  object?: {
    metric: MetricIdentifier;
    current: MetricValue;
    describedObject: CrossVersionReference;
  };
  pods?: { metric: MetricIdentifier; current: MetricValue };
  resource?: { name: string; current: MetricValue };
  containerResource?: { name: string; current: MetricValue; container: string };
  external?: { metric: MetricIdentifier; current: MetricValue };
}

/** How fast to scale in one direction. */
export interface ScalingRules {
  stabilizationWindowSeconds?: number;
  selectPolicy?: string;
  policies?: { type: string; value: number; periodSeconds: number }[];
  tolerance?: string;
}

/** How fast to scale. */
export interface ScalingBehavior {
  scaleUp?: ScalingRules;
  scaleDown?: ScalingRules;
}

/** A condition of an autoscaler. */
export interface AutoscalerCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** An autoscaler of autoscaling/v2, which is how it is stored. */
export interface AutoscalerV2 extends KubeObject {
  spec: {
    scaleTargetRef: CrossVersionReference;
    minReplicas?: number;
    maxReplicas: number;
    metrics?: MetricSpec[];
    behavior?: ScalingBehavior;
  };
  status: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas?: number;
    desiredReplicas: number;
    currentMetrics: MetricStatus[] | null;
    conditions?: AutoscalerCondition[];
  };
}

/** The same in autoscaling/v1, which knows only cpu; the rest travels in annotations. */
export interface AutoscalerV1 extends KubeObject {
  spec: {
    scaleTargetRef: CrossVersionReference;
    minReplicas?: number;
    maxReplicas: number;
    targetCPUUtilizationPercentage?: number;
  };
  status: {
    observedGeneration?: number;
    lastScaleTime?: string;
    currentReplicas: number;
    desiredReplicas: number;
    currentCPUUtilizationPercentage?: number;
  };
}
