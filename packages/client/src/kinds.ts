import { defineKind, type KubeObject } from '@flotilla/machinery';

/** What kinds with conditions report. */
export interface KubeCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  observedGeneration?: number;
}

/** A place for objects. */
export interface Namespace extends KubeObject {
  spec?: { finalizers?: string[] };
  status?: { phase?: string; conditions?: KubeCondition[] };
}

/** Bytes under names, base64. */
export interface Secret extends KubeObject {
  type?: string;
  data?: Record<string, string>;
  /** Written only: the server encodes it into `data`. */
  stringData?: Record<string, string>;
  immutable?: boolean;
}

/** Texts under names. */
export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
  immutable?: boolean;
}

/** Who a program in the cluster is. */
export interface ServiceAccount extends KubeObject {
  automountServiceAccountToken?: boolean;
}

/** One container of a pod, as far as most readers care. */
export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  [field: string]: unknown;
}

/** Containers that run together on one node. */
export interface Pod extends KubeObject {
  spec?: {
    nodeName?: string;
    containers: Container[];
    initContainers?: Container[];
    [field: string]: unknown;
  };
  status?: {
    phase?: string;
    podIP?: string;
    conditions?: KubeCondition[];
    [field: string]: unknown;
  };
}

/** A machine that runs pods. */
export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; [field: string]: unknown };
  status?: {
    allocatable?: Record<string, string>;
    capacity?: Record<string, string>;
    conditions?: KubeCondition[];
    [field: string]: unknown;
  };
}

/** A stable address of pods. */
export interface Service extends KubeObject {
  spec?: {
    selector?: Record<string, string>;
    clusterIP?: string;
    ports?: { name?: string; port: number; protocol?: string; [field: string]: unknown }[];
    [field: string]: unknown;
  };
}

/** Pods of one template, replaced step by step. */
export interface Deployment extends KubeObject {
  spec?: { replicas?: number; [field: string]: unknown };
  status?: {
    replicas?: number;
    readyReplicas?: number;
    observedGeneration?: number;
    conditions?: KubeCondition[];
    [field: string]: unknown;
  };
}

/** Something that happened to an object. */
export interface KubeEvent extends KubeObject {
  regarding?: Record<string, unknown>;
  reason?: string;
  note?: string;
  type?: string;
  action?: string;
  eventTime?: string;
  reportingController?: string;
  reportingInstance?: string;
}

/** A claim on something that one holder has at a time. */
export interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** A kind that was added to the server. */
export interface CustomResourceDefinition extends KubeObject {
  spec?: {
    group: string;
    scope: string;
    names: { plural: string; kind: string; [field: string]: unknown };
    versions: { name: string; served: boolean; storage: boolean; [field: string]: unknown }[];
    [field: string]: unknown;
  };
  status?: { conditions?: KubeCondition[]; [field: string]: unknown };
}

const core = { group: '', version: 'v1' };
const apps = { group: 'apps', version: 'v1' };
const batch = { group: 'batch', version: 'v1' };
const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };

/** v1 Namespaces. */
export const Namespaces = defineKind<Namespace>({
  ...core,
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
});

/** v1 Nodes. */
export const Nodes = defineKind<Node>({
  ...core,
  kind: 'Node',
  plural: 'nodes',
  namespaced: false,
});

/** v1 Pods. */
export const Pods = defineKind<Pod>({ ...core, kind: 'Pod', plural: 'pods', namespaced: true });

/** v1 Secrets. */
export const Secrets = defineKind<Secret>({
  ...core,
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
});

/** v1 ConfigMaps. */
export const ConfigMaps = defineKind<ConfigMap>({
  ...core,
  kind: 'ConfigMap',
  plural: 'configmaps',
  namespaced: true,
});

/** v1 Services. */
export const Services = defineKind<Service>({
  ...core,
  kind: 'Service',
  plural: 'services',
  namespaced: true,
});

/** v1 ServiceAccounts. */
export const ServiceAccounts = defineKind<ServiceAccount>({
  ...core,
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
});

/** apps/v1 Deployments. */
export const Deployments = defineKind<Deployment>({
  ...apps,
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
});

/** apps/v1 ReplicaSets. */
export const ReplicaSets = defineKind({
  ...apps,
  kind: 'ReplicaSet',
  plural: 'replicasets',
  namespaced: true,
});

/** apps/v1 StatefulSets. */
export const StatefulSets = defineKind({
  ...apps,
  kind: 'StatefulSet',
  plural: 'statefulsets',
  namespaced: true,
});

/** apps/v1 DaemonSets. */
export const DaemonSets = defineKind({
  ...apps,
  kind: 'DaemonSet',
  plural: 'daemonsets',
  namespaced: true,
});

/** batch/v1 Jobs. */
export const Jobs = defineKind({
  ...batch,
  kind: 'Job',
  plural: 'jobs',
  namespaced: true,
});

/** batch/v1 CronJobs. */
export const CronJobs = defineKind({
  ...batch,
  kind: 'CronJob',
  plural: 'cronjobs',
  namespaced: true,
});

/** rbac.authorization.k8s.io/v1 Roles. */
export const Roles = defineKind({
  ...rbac,
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
});

/** rbac.authorization.k8s.io/v1 RoleBindings. */
export const RoleBindings = defineKind({
  ...rbac,
  kind: 'RoleBinding',
  plural: 'rolebindings',
  namespaced: true,
});

/** rbac.authorization.k8s.io/v1 ClusterRoles. */
export const ClusterRoles = defineKind({
  ...rbac,
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
});

/** rbac.authorization.k8s.io/v1 ClusterRoleBindings. */
export const ClusterRoleBindings = defineKind({
  ...rbac,
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
});

/** events.k8s.io/v1 Events; the core group's are the same objects in an older form. */
export const Events = defineKind<KubeEvent>({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  namespaced: true,
});

/** coordination.k8s.io/v1 Leases. */
export const Leases = defineKind<Lease>({
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
});

/** apiextensions.k8s.io/v1 CustomResourceDefinitions. */
export const CustomResourceDefinitions = defineKind<CustomResourceDefinition>({
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
});
