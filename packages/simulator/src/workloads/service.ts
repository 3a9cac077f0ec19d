import { deepEqual, matchesLabels, selectorFromLabels } from '@flotilla/machinery';
import { controllerReference } from '@flotilla/runtime';
import {
  type EndpointSlice,
  EndpointSlices,
  type Pod,
  Pods,
  type Service,
  type ServicePort,
  Services,
} from '../kinds.ts';
import { isFinished, isReady } from '../pod-facts.ts';
import type { World } from '../world/world.ts';
import type { Workloads } from './context.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const MANAGER = 'endpointslice-controller.k8s.io';
/** As many addresses as upstream puts into one slice. */
const SLICE_SIZE = 100;

/** Keeps the EndpointSlices of a Service: the addresses of the pods it selects. */
export async function reconcileService({ world }: Workloads, service: Service): Promise<undefined> {
  const { selector = {}, type } = service.spec ?? {};
  if (Object.keys(selector).length === 0 || type === 'ExternalName') return undefined;
  if (service.metadata.deletionTimestamp !== undefined) return undefined;
  const pods = world
    .of(Pods)
    .list(service.metadata.namespace)
    .filter(
      (pod) =>
        matchesLabels(selectorFromLabels(selector), pod.metadata.labels ?? {}) &&
        (pod.status?.podIP ?? '') !== '' &&
        !isFinished(pod),
    )
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  const ports = portsOf(service, pods[0]);
  const wanted: EndpointSlice[] = [];
  for (let at = 0; at === 0 || at < pods.length; at += SLICE_SIZE) {
    const some = pods.slice(at, at + SLICE_SIZE).map((pod) => endpointOf(service, pod));
    wanted.push(sliceOf(service, some, ports));
  }
  await replaceSlices(world, service, wanted);
  return undefined;
}

async function replaceSlices(
  world: World,
  service: Service,
  wanted: readonly EndpointSlice[],
): Promise<void> {
  const present = world
    .of(EndpointSlices)
    .list(service.metadata.namespace)
    .filter(
      ({ metadata: { labels = {} } }) =>
        labels[SERVICE_NAME] === service.metadata.name && labels[MANAGED_BY] === MANAGER,
    );
  for (const [index, slice] of wanted.entries()) {
    const before = present[index];
    if (before === undefined) {
      await world.create(EndpointSlices, slice);
      continue;
    }
    const { endpoints, ports = [] } = slice;
    const isSame =
      deepEqual(before.endpoints ?? [], endpoints) && deepEqual(before.ports ?? [], ports);
    if (!isSame) await world.update(EndpointSlices, { ...before, endpoints, ports });
  }
  for (const slice of present.slice(wanted.length)) await world.delete(EndpointSlices, slice);
}

function sliceOf(
  service: Service,
  endpoints: EndpointSlice['endpoints'],
  ports: NonNullable<EndpointSlice['ports']>,
): EndpointSlice {
  const { name = '', namespace, labels } = service.metadata;
  const isHeadless = service.spec?.clusterIP === 'None';
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels: {
        ...labels,
        ...(isHeadless ? { 'service.kubernetes.io/headless': '' } : {}),
        [MANAGED_BY]: MANAGER,
        [SERVICE_NAME]: name,
      },
      ownerReferences: [controllerReference(Services, service)],
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

function endpointOf(service: Service, pod: Pod): Record<string, unknown> {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const isTerminating = deletionTimestamp !== undefined;
  const isServing = isReady(pod);
  const isPublished = service.spec?.publishNotReadyAddresses === true;
  const isNamed = pod.spec.hostname !== undefined && pod.spec.subdomain === service.metadata.name;
  return {
    addresses: [pod.status?.podIP],
    conditions: {
      ready: isPublished || (isServing && !isTerminating),
      serving: isServing,
      terminating: isTerminating,
    },
    ...(isNamed ? { hostname: pod.spec.hostname } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
    nodeName: pod.spec.nodeName,
  };
}

/** Names of ports are looked up in the pods. */
function portsOf({ spec }: Service, pod: Pod | undefined): Record<string, unknown>[] {
  return (spec?.ports ?? []).flatMap((port) => {
    const { name = '', protocol = 'TCP', appProtocol } = port;
    const number = targetOf(port, pod);
    if (number === undefined) return [];
    return [
      { name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) },
    ];
  });
}

function targetOf(
  { port, targetPort = port }: ServicePort,
  pod: Pod | undefined,
): number | undefined {
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort;
  return pod?.spec.containers
    .flatMap(({ ports = [] }) => ports)
    .find(({ name }) => name === targetPort)?.containerPort;
}
