import type { KubeObject } from '@flotilla/machinery';
import type { Volume } from './volume-types.ts';

/** A 64-bit integer of the API; beyond 2^53 it is a bigint. */
export type Int64 = number | bigint;

/** A list as canonical JSON holds it: null where Go writes a nil slice. */
export type List<T> = readonly T[] | null | undefined;

/** A map as canonical JSON holds it: null where Go writes a nil map. */
export type Dict<T = string> = Readonly<Record<string, T>> | null | undefined;

/** A label selector of the API. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** A number or a percentage (or a port name), as the API mixes them. */
export type IntOrString = number | string;

/** Resource quantities by resource name, in canonical text. */
export type ResourceList = Record<string, string>;

/** What a container (or a pod) asks for and may use. */
export interface ResourceRequirements {
  limits?: ResourceList;
  requests?: ResourceList;
  claims?: { name: string; request?: string }[];
}

/** A field of the pod made visible to its containers. */
export interface ObjectFieldSelector {
  apiVersion?: string;
  fieldPath: string;
}

/** A resource of a container made visible to it. */
export interface ResourceFieldSelector {
  containerName?: string;
  resource: string;
  divisor?: string;
}

/** A port a container listens on. */
export interface ContainerPort {
  name?: string;
  hostPort?: number;
  containerPort: number;
  protocol?: string;
  hostIP?: string;
}

/** Where the value of an environment variable comes from. */
export interface EnvVarSource {
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  configMapKeyRef?: { name?: string; key: string; optional?: boolean };
  secretKeyRef?: { name?: string; key: string; optional?: boolean };
  fileKeyRef?: { volumeName: string; path: string; key: string; optional?: boolean };
}

/** An environment variable. */
export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: EnvVarSource;
}

/** An object whose keys all become environment variables. */
export interface EnvFromSource {
  prefix?: string;
  configMapRef?: { name?: string };
  secretRef?: { name?: string };
}

/** Where a volume appears inside a container. */
export interface VolumeMount {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  mountPropagation?: string;
  subPathExpr?: string;
}

/** What a probe or a lifecycle hook does. */
export interface Handler {
  exec?: { command?: string[] };
  httpGet?: {
    path?: string;
    port: IntOrString;
    host?: string;
    scheme?: string;
    httpHeaders?: { name: string; value: string }[];
  };
  tcpSocket?: { port: IntOrString; host?: string };
  grpc?: { port: number; service?: string | null };
  sleep?: { seconds: Int64 };
}

/** A check of a container's health. */
export interface Probe extends Handler {
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: Int64;
}

/** What happens around a container's life. */
export interface Lifecycle {
  postStart?: Handler;
  preStop?: Handler;
  stopSignal?: string;
}

/** A profile that confines a container (seccomp and AppArmor have the same shape). */
export interface ConfinementProfile {
  type: string;
  localhostProfile?: string;
}

/** Windows' part of a security context. */
export interface WindowsOptions {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
}

/** A container's security context. */
export interface SecurityContext {
  capabilities?: { add?: string[]; drop?: string[] };
  privileged?: boolean;
  seLinuxOptions?: Record<string, string>;
  windowsOptions?: WindowsOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  procMount?: string;
  seccompProfile?: ConfinementProfile;
  appArmorProfile?: ConfinementProfile;
}

/** What decides on restarts by exit code. */
export interface RestartRule {
  action: string;
  exitCodes?: { operator: string; values?: number[] };
}

/** A container of a pod; ephemeral containers have the same fields and a target. */
export interface Container {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  ports?: ContainerPort[];
  envFrom?: EnvFromSource[];
  env?: EnvVar[];
  resources?: ResourceRequirements;
  resizePolicy?: { resourceName: string; restartPolicy: string }[];
  restartPolicy?: string;
  restartPolicyRules?: RestartRule[];
  volumeMounts?: VolumeMount[];
  volumeDevices?: { name: string; devicePath: string }[];
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: Lifecycle;
  terminationMessagePath?: string;
  terminationMessagePolicy?: string;
  imagePullPolicy?: string;
  securityContext?: SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
}

/** A pod's security context. */
export interface PodSecurityContext {
  seLinuxOptions?: Record<string, string>;
  windowsOptions?: WindowsOptions;
  runAsUser?: Int64;
  runAsGroup?: Int64;
  runAsNonRoot?: boolean;
  supplementalGroups?: Int64[];
  supplementalGroupsPolicy?: string;
  fsGroup?: Int64;
  fsGroupChangePolicy?: string;
  sysctls?: { name: string; value: string }[];
  seccompProfile?: ConfinementProfile;
  appArmorProfile?: ConfinementProfile;
  seLinuxChangePolicy?: string;
}

/** One requirement on a node's labels or fields. */
export interface NodeRequirement {
  key: string;
  operator: string;
  values?: string[];
}

/** Requirements on a node that must all hold. */
export interface NodeSelectorTerm {
  matchExpressions?: NodeRequirement[];
  matchFields?: NodeRequirement[];
}

/** Which nodes a pod needs or prefers. */
export interface NodeAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: { nodeSelectorTerms: List<NodeSelectorTerm> };
  preferredDuringSchedulingIgnoredDuringExecution?: {
    weight: number;
    preference: NodeSelectorTerm;
  }[];
}

/** Pods a pod wants near (or far). */
export interface PodAffinityTerm {
  labelSelector?: LabelSelector;
  namespaces?: string[];
  topologyKey: string;
  namespaceSelector?: LabelSelector;
  matchLabelKeys?: string[];
  mismatchLabelKeys?: string[];
}

/** Required and preferred neighbours. */
export interface PodAffinity {
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[];
  preferredDuringSchedulingIgnoredDuringExecution?: {
    weight: number;
    podAffinityTerm: PodAffinityTerm;
  }[];
}

/** Where a pod wants to run. */
export interface Affinity {
  nodeAffinity?: NodeAffinity;
  podAffinity?: PodAffinity;
  podAntiAffinity?: PodAffinity;
}

/** A taint a pod bears. */
export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: Int64;
}

/** How evenly pods are spread. */
export interface TopologySpreadConstraint {
  maxSkew: number;
  topologyKey: string;
  whenUnsatisfiable: string;
  labelSelector?: LabelSelector;
  minDomains?: number;
  nodeAffinityPolicy?: string;
  nodeTaintsPolicy?: string;
  matchLabelKeys?: string[];
}

/** The name of a resource claim of a pod and where the claim comes from. */
export interface PodResourceClaim {
  name: string;
  resourceClaimName?: string;
  resourceClaimTemplateName?: string;
}

/** What a pod runs and how. */
export interface PodSpec {
  volumes?: Volume[];
  initContainers?: Container[];
  containers: Container[] | null;
  ephemeralContainers?: Container[];
  restartPolicy?: string;
  terminationGracePeriodSeconds?: Int64;
  activeDeadlineSeconds?: Int64;
  dnsPolicy?: string;
  nodeSelector?: Record<string, string>;
  serviceAccountName?: string;
  serviceAccount?: string;
  automountServiceAccountToken?: boolean;
  nodeName?: string;
  hostNetwork?: boolean;
  hostPID?: boolean;
  hostIPC?: boolean;
  shareProcessNamespace?: boolean;
  securityContext?: PodSecurityContext;
  imagePullSecrets?: { name?: string }[];
  hostname?: string;
  subdomain?: string;
  affinity?: Affinity;
  schedulerName?: string;
  tolerations?: Toleration[];
  hostAliases?: { ip: string; hostnames?: string[] }[];
  priorityClassName?: string;
  priority?: number;
  dnsConfig?: {
    nameservers?: string[];
    searches?: string[];
    options?: { name?: string; value?: string }[];
  };
  readinessGates?: { conditionType: string }[];
  runtimeClassName?: string;
  enableServiceLinks?: boolean;
  preemptionPolicy?: string;
  overhead?: ResourceList;
  topologySpreadConstraints?: TopologySpreadConstraint[];
  setHostnameAsFQDN?: boolean;
  os?: { name: string };
  hostUsers?: boolean;
  schedulingGates?: { name: string }[];
  resourceClaims?: PodResourceClaim[];
  resources?: ResourceRequirements;
  hostnameOverride?: string;
}

/** Metadata of a template, as far as it counts. */
export interface TemplateMeta {
  name?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** A pod to be made. */
export interface PodTemplateSpec {
  metadata?: TemplateMeta;
  spec: PodSpec;
}

/** A state a container is or was in. */
export interface ContainerState {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt?: string | null };
  terminated?: {
    exitCode: number;
    signal?: number;
    reason?: string;
    finishedAt?: string | null;
  };
}

/** What the kubelet says about one container. */
export interface ContainerStatus {
  name: string;
  state?: ContainerState;
  lastState?: ContainerState;
  ready: boolean;
  restartCount: number;
  started?: boolean;
  allocatedResources?: ResourceList;
  resources?: ResourceRequirements;
  user?: { linux?: { uid: Int64; gid: Int64; supplementalGroups?: Int64[] } };
  allocatedResourcesStatus?: unknown[];
}

/** One condition of a pod. */
export interface PodCondition {
  type: string;
  status: string;
  observedGeneration?: Int64;
  lastProbeTime?: string | null;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
}

/** What is known about a running pod. */
export interface PodStatus {
  observedGeneration?: Int64;
  phase?: string;
  conditions?: PodCondition[];
  reason?: string;
  nominatedNodeName?: string;
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip?: string }[];
  initContainerStatuses?: ContainerStatus[];
  containerStatuses?: ContainerStatus[];
  ephemeralContainerStatuses?: ContainerStatus[];
  qosClass?: string;
  resourceClaimStatuses?: { name: string; resourceClaimName?: string }[];
  extendedResourceClaimStatus?: {
    requestMappings: { containerName: string; resourceName: string; requestName: string }[] | null;
    resourceClaimName: string;
  };
}

/** A Pod object. */
export interface Pod extends KubeObject {
  spec: PodSpec;
  status: PodStatus;
}
