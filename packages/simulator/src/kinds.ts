// The parts of built-in kinds that the simulator reads and writes; whatever else an object has is kept as it is.
import {
  defineKind,
  type IntOrString,
  type KubeObject,
  type LabelSelector,
  type ObjectMeta,
} from '@flotilla/machinery';

/** A condition as workloads and pods report it. */
export interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastUpdateTime?: string;
  lastProbeTime?: string | null;
  lastTransitionTime?: string;
  lastHeartbeatTime?: string;
  observedGeneration?: number;
}

/** What a container is made from. */
export interface Container {
  name: string;
  image?: string;
  /** Of init containers: `Always` makes one run beside the others. */
  restartPolicy?: string;
  ports?: { name?: string; containerPort: number; protocol?: string }[];
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> };
  [field: string]: unknown;
}

/** A rule about nodes. */
export interface NodeSelectorTerm {
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
  matchFields?: { key: string; operator: string; values?: string[] }[];
}

/** Lets a pod onto nodes with a taint. */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
}

/** Keeps pods off a node. */
export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

/** What a pod is to be. */
export interface PodSpec {
  nodeName?: string;
  containers: Container[];
  initContainers?: Container[];
  restartPolicy?: string;
  schedulerName?: string;
  schedulingGates?: unknown[];
  nodeSelector?: Record<string, string>;
  tolerations?: Toleration[];
  affinity?: {
    nodeAffinity?: {
      requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms?: NodeSelectorTerm[] };
      [field: string]: unknown;
    };
    [field: string]: unknown;
  };
  hostNetwork?: boolean;
  hostname?: string;
  subdomain?: string;
  terminationGracePeriodSeconds?: number;
  volumes?: { name: string; [field: string]: unknown }[];
  [field: string]: unknown;
}

/** Where a container is in its life; one of the three. */
export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string };
  terminated?: {
    exitCode: number;
    reason?: string;
    startedAt?: string;
    finishedAt?: string;
    containerID?: string;
  };
}

/** What a kubelet says of a container. */
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
}

/** What a kubelet says of a pod. */
export interface PodStatus {
  phase?: string;
  reason?: string;
  message?: string;
  observedGeneration?: number;
  conditions?: Condition[];
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  [field: string]: unknown;
}

/** Containers on a node. */
export interface Pod extends KubeObject {
  spec: PodSpec;
  status?: PodStatus;
}

/** What pods are made from. */
export interface PodTemplate {
  metadata?: ObjectMeta;
  spec: PodSpec;
}

/** A machine that is made up. */
export interface Node extends KubeObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean; podCIDR?: string; [field: string]: unknown };
  status?: {
    allocatable?: Record<string, string>;
    capacity?: Record<string, string>;
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    [field: string]: unknown;
  };
}

/** apps/v1 Deployment. */
export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrString; maxSurge?: IntOrString };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    paused?: boolean;
    progressDeadlineSeconds?: number;
  };
  status?: DeploymentStatus;
}

/** What a Deployment reports. */
export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  conditions?: Condition[];
  collisionCount?: number;
}

/** apps/v1 ReplicaSet. */
export interface ReplicaSet extends KubeObject {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    selector: LabelSelector;
    template: PodTemplate;
  };
  status?: {
    replicas: number;
    fullyLabeledReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    observedGeneration?: number;
    conditions?: Condition[];
  };
}

/** apps/v1 StatefulSet. */
export interface StatefulSet extends KubeObject {
  spec: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplate;
    serviceName?: string;
    podManagementPolicy?: string;
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    ordinals?: { start?: number };
    updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } };
    volumeClaimTemplates?: KubeObject[];
  };
  status?: StatefulSetStatus;
}

/** What a StatefulSet reports. */
export interface StatefulSetStatus {
  observedGeneration?: number;
  replicas: number;
  readyReplicas?: number;
  currentReplicas?: number;
  updatedReplicas?: number;
  currentRevision?: string;
  updateRevision?: string;
  collisionCount?: number;
  availableReplicas?: number;
  conditions?: Condition[];
}

/** apps/v1 DaemonSet. */
export interface DaemonSet extends KubeObject {
  spec: {
    selector: LabelSelector;
    template: PodTemplate;
    updateStrategy?: {
      type?: string;
      rollingUpdate?: { maxUnavailable?: IntOrString; maxSurge?: IntOrString };
    };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
  };
  status?: DaemonSetStatus;
}

/** What a DaemonSet reports. */
export interface DaemonSetStatus {
  currentNumberScheduled: number;
  numberMisscheduled: number;
  desiredNumberScheduled: number;
  numberReady: number;
  observedGeneration?: number;
  updatedNumberScheduled?: number;
  numberAvailable?: number;
  numberUnavailable?: number;
  collisionCount?: number;
  conditions?: Condition[];
}

/** batch/v1 Job. */
export interface Job extends KubeObject {
  spec: {
    parallelism?: number;
    completions?: number;
    completionMode?: string;
    activeDeadlineSeconds?: number;
    backoffLimit?: number;
    suspend?: boolean;
    ttlSecondsAfterFinished?: number;
    managedBy?: string;
    selector?: LabelSelector;
    template: PodTemplate;
  };
  status?: JobStatus;
}

/** What a Job reports. */
export interface JobStatus {
  conditions?: Condition[];
  startTime?: string;
  completionTime?: string;
  active?: number;
  succeeded?: number;
  failed?: number;
  terminating?: number;
  ready?: number;
  completedIndexes?: string;
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
}

/** batch/v1 CronJob. */
export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number;
    concurrencyPolicy?: string;
    suspend?: boolean;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate: { metadata?: ObjectMeta; spec: Job['spec'] };
  };
  status?: {
    active?: Record<string, unknown>[];
    lastScheduleTime?: string;
    lastSuccessfulTime?: string;
  };
}

/** apps/v1 ControllerRevision: a template as it once was. */
export interface ControllerRevision extends KubeObject {
  data?: unknown;
  revision: number;
}

/** v1 Service, as far as endpoints go. */
export interface Service extends KubeObject {
  spec?: {
    type?: string;
    selector?: Record<string, string>;
    clusterIP?: string;
    publishNotReadyAddresses?: boolean;
    ports?: ServicePort[];
    [field: string]: unknown;
  };
}

/** One port of a Service. */
export interface ServicePort {
  name?: string;
  port: number;
  protocol?: string;
  targetPort?: IntOrString;
  appProtocol?: string;
}

/** discovery.k8s.io/v1 EndpointSlice. */
export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints: Record<string, unknown>[];
  ports?: Record<string, unknown>[];
}

/** A claim on leadership or a sign of life. */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    renewTime?: string;
    acquireTime?: string;
    leaseTransitions?: number;
  };
}

const core = { group: '', version: 'v1', namespaced: true };
const apps = { group: 'apps', version: 'v1', namespaced: true };
const batch = { group: 'batch', version: 'v1', namespaced: true };

/** v1 Pods. */
export const Pods = defineKind<Pod>({ ...core, kind: 'Pod', plural: 'pods' });
/** v1 Nodes. */
export const Nodes = defineKind<Node>({
  ...core,
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
});
/** v1 Services. */
export const Services = defineKind<Service>({ ...core, kind: 'Service', plural: 'services' });
/** v1 PersistentVolumeClaims. */
export const PersistentVolumeClaims = defineKind({
  ...core,
  kind: 'PersistentVolumeClaim',
  plural: 'persistentvolumeclaims',
});
/** apps/v1 Deployments. */
export const Deployments = defineKind<Deployment>({
  ...apps,
  kind: 'Deployment',
  plural: 'deployments',
});
/** apps/v1 ReplicaSets. */
export const ReplicaSets = defineKind<ReplicaSet>({
  ...apps,
  kind: 'ReplicaSet',
  plural: 'replicasets',
});
/** apps/v1 StatefulSets. */
export const StatefulSets = defineKind<StatefulSet>({
  ...apps,
  kind: 'StatefulSet',
  plural: 'statefulsets',
});
/** apps/v1 DaemonSets. */
export const DaemonSets = defineKind<DaemonSet>({
  ...apps,
  kind: 'DaemonSet',
  plural: 'daemonsets',
});
/** apps/v1 ControllerRevisions. */
export const ControllerRevisions = defineKind<ControllerRevision>({
  ...apps,
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
});
/** batch/v1 Jobs. */
export const Jobs = defineKind<Job>({ ...batch, kind: 'Job', plural: 'jobs' });
/** batch/v1 CronJobs. */
export const CronJobs = defineKind<CronJob>({ ...batch, kind: 'CronJob', plural: 'cronjobs' });
/** discovery.k8s.io/v1 EndpointSlices. */
export const EndpointSlices = defineKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  version: 'v1',
  namespaced: true,
  kind: 'EndpointSlice',
  plural: 'endpointslices',
});
/** coordination.k8s.io/v1 Leases. */
export const Leases = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  namespaced: true,
  kind: 'Lease',
  plural: 'leases',
});
