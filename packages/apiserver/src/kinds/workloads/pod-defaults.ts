import { isHugePages, isOvercommitAllowed } from '../core/resource-names.ts';
import type { Container, Handler, Probe } from './container-types.ts';
import { visitContainers } from './containers-of.ts';
import { imageTag } from './image-name.ts';
import { aggregateResources } from './pod-resources.ts';
import type { Pod, PodSpec, PodStatus, PodTemplateSpec } from './pod-types.ts';
import { roundUpList, roundUpResources } from './quantities.ts';
import { isPodLevelResource } from './resources.ts';
import { setVolumeDefaults } from './volume-defaults.ts';

const initContainerAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Upstream's defaults for a pod, and what the way through its internal version does to one. */
export function setPodDefaults(pod: Pod): void {
  const { spec } = pod;
  for (const field of ['containers', 'initContainers'] as const) {
    for (const container of spec[field] ?? []) requestLimits(container);
  }
  setPodLevelLimits(spec);
  setPodLevelRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) setHostPorts(spec);
  setPodSpecDefaults(spec);
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0) {
    spec.terminationGracePeriodSeconds = 1;
  }
  dropInitAnnotations(pod.metadata.annotations);
  if (pod.status != null) setPodStatusDefaults(pod.status);
}

/** Upstream's defaults for a pod template. */
export function setTemplateDefaults(template: PodTemplateSpec): void {
  setPodSpecDefaults(template.spec);
  dropInitAnnotations(template.metadata?.annotations);
}

function setPodSpecDefaults(spec: PodSpec): void {
  if (isUnset(spec.dnsPolicy)) spec.dnsPolicy = 'ClusterFirst';
  if (isUnset(spec.restartPolicy)) spec.restartPolicy = 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  if (isUnset(spec.schedulerName)) spec.schedulerName = 'default-scheduler';
  for (const volume of spec.volumes ?? []) setVolumeDefaults(volume);
  for (const { container } of visitContainers(spec)) setContainerDefaults(container);
  roundUpList(spec.overhead);
  roundUpResources(spec.resources);
  copyServiceAccount(spec);
}

/** The old field is an alias of the new one, which wins where both are given. */
export function copyServiceAccount(spec: PodSpec): void {
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (isUnset(account)) return;
  Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
}

function setContainerDefaults(container: Container): void {
  if (isUnset(container.imagePullPolicy)) {
    const latest = imageTag(container.image ?? '') === 'latest';
    container.imagePullPolicy = latest ? 'Always' : 'IfNotPresent';
  }
  if (isUnset(container.terminationMessagePath)) {
    container.terminationMessagePath = '/dev/termination-log';
  }
  if (isUnset(container.terminationMessagePolicy)) container.terminationMessagePolicy = 'File';
  for (const port of container.ports ?? []) {
    if (isUnset(port.protocol)) port.protocol = 'TCP';
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef && isUnset(valueFrom.fieldRef.apiVersion)) {
      valueFrom.fieldRef.apiVersion = 'v1';
    }
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false;
  }
  roundUpResources(container.resources);
  setProbeDefaults(container.livenessProbe);
  setProbeDefaults(container.readinessProbe);
  setProbeDefaults(container.startupProbe);
  setHttpDefaults(container.lifecycle?.postStart);
  setHttpDefaults(container.lifecycle?.preStop);
}

function setProbeDefaults(probe: Probe | undefined): void {
  if (probe == null) return;
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpDefaults(probe);
  if (probe.grpc) probe.grpc.service ??= '';
}

function setHttpDefaults(handler: Handler | undefined): void {
  const http = handler?.httpGet;
  if (http == null) return;
  if (isUnset(http.path)) http.path = '/';
  if (isUnset(http.scheme)) http.scheme = 'HTTP';
}

/** What is limited but not requested is requested in full; only for pods, never for templates. */
function requestLimits(container: Container): void {
  const limits = container.resources?.limits;
  if (container.resources === undefined || limits === undefined) return;
  container.resources.requests = { ...limits, ...container.resources.requests };
}

function setPodLevelLimits({ resources, ...spec }: PodSpec): void {
  if (resources == null) return;
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0 && Object.keys(requests).length === 0) return;
  for (const [name, quantity] of Object.entries(aggregateResources(spec, 'limits'))) {
    if (!isHugePages(name) || Object.hasOwn(requests, name) || Object.hasOwn(limits, name))
      continue;
    resources.limits = { ...resources.limits, [name]: quantity };
  }
}

function setPodLevelRequests({ resources, ...spec }: PodSpec): void {
  if (resources?.limits === undefined || Object.keys(resources.limits).length === 0) return;
  const requests = { ...resources.requests };
  for (const [name, quantity] of Object.entries(aggregateResources(spec, 'requests'))) {
    if (Object.hasOwn(requests, name)) continue;
    if (!isPodLevelResource(name) || !isOvercommitAllowed(name)) continue;
    requests[name] = quantity;
  }
  for (const [name, quantity] of Object.entries(resources.limits)) {
    if (!Object.hasOwn(requests, name) && isPodLevelResource(name)) requests[name] = quantity;
  }
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

function setHostPorts(spec: PodSpec): void {
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of container.ports ?? []) port.hostPort ||= port.containerPort;
  }
}

function setPodStatusDefaults(status: PodStatus): void {
  for (const field of [
    'initContainerStatuses',
    'containerStatuses',
    'ephemeralContainerStatuses',
  ] as const) {
    for (const container of status[field] ?? []) {
      roundUpList(container.allocatedResources);
      roundUpResources(container.resources);
    }
  }
  // Old kubelets write only podIP; where the two differ it is the one to believe.
  const { podIP = '' } = status;
  const first = status.podIPs?.[0]?.ip;
  if (podIP !== '' && podIP !== first) status.podIPs = [{ ip: podIP }];
  else if (first !== undefined) status.podIP = first;
}

function dropInitAnnotations(annotations: Record<string, string> | undefined): void {
  if (annotations === undefined) return;
  for (const key of initContainerAnnotations) delete annotations[key];
}

function isUnset(text: string | undefined): boolean {
  return text === undefined || text === '';
}
