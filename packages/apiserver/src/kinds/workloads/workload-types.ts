import type { KubeObject } from '@flotilla/machinery';
import type { Int64, IntOrString, LabelSelector } from './api-values.ts';
import type { PodTemplateSpec } from './pod-types.ts';
import type { ClaimSpec } from './volume-types.ts';

/** One condition of a workload. */
export interface WorkloadCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

/** A PodTemplate object. */
export interface PodTemplate extends KubeObject {
  template: PodTemplateSpec;
}

/** A ReplicationController object. */
export interface ReplicationController extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    selector?: Record<string, string>;
    template?: PodTemplateSpec;
  };
  status: ReplicaStatus;
}

/** How many replicas there are, and how far they got. */
export interface ReplicaStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  updatedReplicas?: number;
  unavailableReplicas?: number;
  currentReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: Int64;
  collisionCount?: number;
  conditions?: WorkloadCondition[];
}

/** A Deployment object. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: LabelSelector | null;
    template: PodTemplateSpec;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrString; maxSurge?: IntOrString };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
  };
  status: ReplicaStatus;
}

/** A ReplicaSet object. */
export interface ReplicaSet extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    selector: LabelSelector | null;
    template?: PodTemplateSpec;
  };
  status: ReplicaStatus;
}

/** A claim made for each pod of a StatefulSet. */
export interface ClaimTemplate {
  kind?: string;
  apiVersion?: string;
  metadata?: { name?: string };
  spec: ClaimSpec;
  status?: { phase?: string };
}

/** A StatefulSet object. */
export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    selector: LabelSelector | null;
    template: PodTemplateSpec;
    volumeClaimTemplates?: ClaimTemplate[];
    serviceName?: string;
    podManagementPolicy?: string;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { partition?: number; maxUnavailable?: IntOrString };
    };
    revisionHistoryLimit?: number;
    minReadySeconds?: number;
    persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string };
    ordinals?: { start: number };
  };
  status: ReplicaStatus;
}

/** A DaemonSet object. */
export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector | null;
    template: PodTemplateSpec;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrString; maxSurge?: IntOrString };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status: {
    currentNumberScheduled?: number;
    numberMisscheduled?: number;
    desiredNumberScheduled?: number;
    numberReady?: number;
    observedGeneration?: Int64;
    updatedNumberScheduled?: number;
    numberAvailable?: number;
    numberUnavailable?: number;
    collisionCount?: number;
  };
}

/** A ControllerRevision object. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision: Int64;
}

/** A rule on what a failed pod means for its job. */
export interface PodFailurePolicyRule {
  action: string;
  onExitCodes?: { containerName?: string; operator: string; values: number[] | null };
  onPodConditions?: { type: string; status: string }[] | null;
}

/** A rule on when a job has succeeded. */
export interface SuccessPolicyRule {
  succeededIndexes?: string;
  succeededCount?: number;
}

/** What a job runs, how often and until when. */
export interface JobSpec {
  parallelism?: number;
  completions?: number;
  activeDeadlineSeconds?: Int64;
  podFailurePolicy?: { rules: PodFailurePolicyRule[] | null };
  successPolicy?: { rules: SuccessPolicyRule[] | null };
  backoffLimit?: number;
  backoffLimitPerIndex?: number;
  maxFailedIndexes?: number;
  selector?: LabelSelector;
  manualSelector?: boolean;
  template: PodTemplateSpec;
  ttlSecondsAfterFinished?: number;
  completionMode?: string;
  suspend?: boolean;
  podReplacementPolicy?: string;
  managedBy?: string;
}

/** How far a job got. */
export interface JobStatus {
  conditions?: WorkloadCondition[];
  startTime?: string | null;
  completionTime?: string | null;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  completedIndexes?: string;
  failedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
  ready?: number;
}

/** A Job object. */
export interface Job extends KubeObject {
  spec: JobSpec;
  status: JobStatus;
}

/** A CronJob object. */
export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: Int64;
    concurrencyPolicy?: string;
    suspend?: boolean;
    jobTemplate: { metadata?: Record<string, unknown>; spec: JobSpec };
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
  };
  status: { active?: unknown[]; lastScheduleTime?: string | null };
}
