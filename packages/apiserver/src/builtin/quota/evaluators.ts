import {
  compareQuantities,
  isQualifiedName,
  type KubeObject,
  type Quantity,
  quantityOf,
  quantityValue,
} from '@flotilla/machinery';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { ResourceDef } from '../../resources/resource.ts';
import { type Amounts, amountsOf, ONE, sum, ZERO } from './amounts.ts';
import { podResources } from './pod-resources.ts';
import { claimMatchesScope, podMatchesScope, type ScopeSelector } from './scopes.ts';

/** How objects of one resource count towards quotas. */
export interface QuotaEvaluator {
  /** What an object uses at a point in time. */
  readonly usage: (object: KubeObject, now: Date) => Amounts;
  /** Which of the names a quota limits this resource counts towards. */
  readonly matching: (names: readonly string[]) => string[];
  readonly matchesScope: (selector: ScopeSelector, object: KubeObject) => boolean;
  /** What the object must say before it may be counted against these names; undefined when nothing is missing. */
  readonly missing?: (required: readonly string[], object: KubeObject) => string | undefined;
}

type Kind = Pick<ResourceDef, 'group' | 'resource'>;

/** The evaluator of a resource; undefined for what no quota counts. */
export function evaluatorOf(def: Kind): QuotaEvaluator | undefined {
  const name = `${def.group}/${def.resource}`;
  if (IGNORED.has(name)) return undefined;
  return SPECIAL.get(name) ?? objectCount(def);
}

/** What an object uses: the sum admission charges and the controller counts. */
export function usageOf(def: Kind, object: KubeObject, now: Date): Amounts {
  return evaluatorOf(def)?.usage(object, now) ?? new Map();
}

/** The name under which objects of a resource are counted. */
export function countName({ group, resource }: Kind): string {
  return group === '' ? `count/${resource}` : `count/${resource}.${group}`;
}

const IGNORED = new Set(['/bindings', '/events', 'events.k8s.io/events']);

/** Resources that could be limited before there was a name for every kind. */
const ALIASES = new Map([
  ['/configmaps', 'configmaps'],
  ['/resourcequotas', 'resourcequotas'],
  ['/replicationcontrollers', 'replicationcontrollers'],
  ['/secrets', 'secrets'],
]);

function objectCount(def: Kind): QuotaEvaluator {
  const alias = ALIASES.get(`${def.group}/${def.resource}`);
  const names = [countName(def), ...(alias === undefined ? [] : [alias])];
  const usage: Amounts = new Map(names.map((name) => [name, ONE]));
  return {
    usage: () => usage,
    matching: (asked) => asked.filter((name) => names.includes(name)),
    matchesScope: () => false,
  };
}

const POD_NAMES = new Set([
  'count/pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
]);

/** Names that each container must have a value for where a quota limits them; upstream calls it a mistake it keeps. */
const DEMANDED = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

const pods: QuotaEvaluator = {
  usage: (object, now) => {
    const pod = object as Pod;
    const count: Amounts = new Map([['count/pods', ONE]]);
    if (!isCharged(pod, now)) return count;
    return sum(count, compute(podResources(pod, 'requests'), podResources(pod, 'limits')));
  },
  matching: (asked) =>
    asked.filter(
      (name) =>
        POD_NAMES.has(name) ||
        name.startsWith('hugepages-') ||
        name.startsWith('requests.hugepages-') ||
        (!isNative(name) && name.startsWith('requests.')),
    ),
  matchesScope: (selector, object) => podMatchesScope(selector, object as Pod),
  missing: (required, object) => missingOf(required, object as Pod),
};

/** A pod that has ended, or should have by now, takes nothing away from others. */
export function isCharged({ metadata, status }: Pod, now: Date): boolean {
  const { phase } = (status ?? {}) as { phase?: string };
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  const ends = new Date(deletionTimestamp).getTime() + Number(deletionGracePeriodSeconds) * 1000;
  return now.getTime() <= ends;
}

const NATIVE = ['cpu', 'memory', 'ephemeral-storage'];

/** What quotas call the sums of a pod or a container. */
function compute(requests: Amounts, limits: Amounts): Amounts {
  const result = new Map<string, Quantity>([['pods', ONE]]);
  for (const name of NATIVE) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) result.set(name, request).set(`requests.${name}`, request);
    if (limit !== undefined) result.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith('hugepages-')) result.set(name, request).set(`requests.${name}`, request);
    if (isExtended(name)) result.set(`requests.${name}`, request);
  }
  return result;
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return isQualifiedName(`requests.${name}`).length === 0;
}

function missingOf(required: readonly string[], { spec }: Pod): string | undefined {
  if (spec.resources?.requests !== undefined || spec.resources?.limits !== undefined) {
    return undefined;
  }
  const demanded = required.filter((name) => DEMANDED.has(name));
  const missing = new Map<string, Set<string>>();
  for (const { name, resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    const given = compute(amountsOf(resources?.requests), amountsOf(resources?.limits));
    for (const resource of demanded) {
      if (given.has(resource)) continue;
      missing.set(resource, (missing.get(resource) ?? new Set()).add(name));
    }
  }
  if (missing.size === 0) return undefined;
  const texts = [...missing.keys()]
    .sort()
    .map((name) => `${name} for: ${[...(missing.get(name) ?? [])].sort().join(',')}`);
  return `must specify ${texts.join('; ')}`;
}

interface ServiceSpec {
  readonly type?: string;
  readonly ports?: readonly { readonly nodePort?: number }[] | null;
  readonly allocateLoadBalancerNodePorts?: boolean | null;
}

const SERVICE_NAMES = [
  'count/services',
  'services',
  'services.nodeports',
  'services.loadbalancers',
];

const services: QuotaEvaluator = {
  usage: (object) => {
    const spec = (object['spec'] ?? {}) as ServiceSpec;
    const balances = spec.type === 'LoadBalancer';
    return new Map([
      ['count/services', ONE],
      ['services', ONE],
      ['services.loadbalancers', balances ? ONE : ZERO],
      ['services.nodeports', quantityOf(nodePorts(spec))],
    ]);
  },
  matching: (asked) => asked.filter((name) => SERVICE_NAMES.includes(name)),
  matchesScope: () => false,
};

/** Ports are not given out yet when a Service is charged, so it is what it will get that counts. */
function nodePorts({ type, ports, allocateLoadBalancerNodePorts }: ServiceSpec): number {
  const all = ports ?? [];
  if (type === 'NodePort') return all.length;
  if (type !== 'LoadBalancer') return 0;
  if (allocateLoadBalancerNodePorts !== false) return all.length;
  return all.filter(({ nodePort }) => (nodePort ?? 0) !== 0).length;
}

const CLASS_SUFFIX = '.storageclass.storage.k8s.io/';
const CLAIM_NAMES = ['persistentvolumeclaims', 'requests.storage'];
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

const claims: QuotaEvaluator = {
  usage: (object) => {
    const result = new Map<string, Quantity>([
      ['persistentvolumeclaims', ONE],
      ['count/persistentvolumeclaims', ONE],
    ]);
    const spec = (object['spec'] ?? {}) as { storageClassName?: string };
    const storageClass =
      object.metadata.annotations?.[CLASS_ANNOTATION] ?? spec.storageClassName ?? '';
    const byClass = (name: string): string => `${storageClass}${CLASS_SUFFIX}${name}`;
    if (storageClass !== '') result.set(byClass('persistentvolumeclaims'), ONE);
    const storage = storageOf(object);
    if (storage === undefined) return result;
    result.set('requests.storage', storage);
    if (storageClass !== '') result.set(byClass('requests.storage'), storage);
    return result;
  },
  matching: (asked) =>
    asked.filter(
      (name) =>
        name === 'count/persistentvolumeclaims' ||
        CLAIM_NAMES.includes(name) ||
        CLAIM_NAMES.some((each) => name.endsWith(`${CLASS_SUFFIX}${each}`)),
    ),
  matchesScope: claimMatchesScope,
};

/** What is asked for, or what was given already when that is more; in whole bytes. */
function storageOf(claim: KubeObject): Quantity | undefined {
  const { spec, status } = claim as unknown as {
    spec?: { resources?: { requests?: Record<string, string> } };
    status?: { allocatedResources?: Record<string, string> };
  };
  const wanted = amountsOf(spec?.resources?.requests).get('storage');
  if (wanted === undefined) return undefined;
  const given = amountsOf(status?.allocatedResources).get('storage');
  const larger = given !== undefined && compareQuantities(given, wanted) > 0 ? given : wanted;
  return larger.scale < 0 ? quantityOf(quantityValue(larger), larger.format) : larger;
}

const DEVICES = '.deviceclass.resource.k8s.io/devices';
/** The most devices one claim can get. */
const ALL_DEVICES = 32;

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number | bigint;
}

const resourceClaims: QuotaEvaluator = {
  usage: (object) => {
    const { devices } = (object['spec'] ?? {}) as {
      devices?: {
        requests?: { exactly?: DeviceRequest; firstAvailable?: DeviceRequest[] }[] | null;
      };
    };
    const parts = (devices?.requests ?? []).map(({ exactly, firstAvailable }) =>
      firstAvailable !== undefined && firstAvailable.length > 0
        ? worstOf(firstAvailable)
        : worstOf(exactly === undefined ? [] : [exactly]),
    );
    return sum(new Map([[COUNT_CLAIMS, ONE]]), ...parts);
  },
  matching: (asked) => asked.filter((name) => name === COUNT_CLAIMS || name.endsWith(DEVICES)),
  matchesScope: () => false,
};

const COUNT_CLAIMS = 'count/resourceclaims.resource.k8s.io';

/** Only one of the alternatives is taken; per class the largest counts. */
function worstOf(requests: readonly DeviceRequest[]): Amounts {
  const counts = new Map<string, number | bigint>();
  for (const { deviceClassName = '', allocationMode, count = 0 } of requests) {
    const devices =
      allocationMode === 'All' ? ALL_DEVICES : allocationMode === 'ExactCount' ? count : 0;
    const name = `${deviceClassName}${DEVICES}`;
    const most = counts.get(name) ?? 0;
    counts.set(name, devices > most ? devices : most);
  }
  return new Map([...counts].map(([name, count]) => [name, quantityOf(count)]));
}

const SPECIAL = new Map<string, QuotaEvaluator>([
  ['/pods', pods],
  ['/services', services],
  ['/persistentvolumeclaims', claims],
  ['resource.k8s.io/resourceclaims', resourceClaims],
]);
