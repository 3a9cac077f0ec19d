import type { Int64, IntOrString, ResourceList } from './api-values.ts';

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
