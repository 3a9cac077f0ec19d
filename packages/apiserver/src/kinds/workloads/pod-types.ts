import type { KubeObject } from '@flotilla/machinery';
import type { Int64, ResourceList } from './api-values.ts';
import type {
  ConfinementProfile,
  Container,
  ResourceRequirements,
  WindowsOptions,
} from './container-types.ts';
import type { Affinity, Toleration, TopologySpreadConstraint } from './scheduling-types.ts';
import type { Volume } from './volume-types.ts';

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
