import {
  formatQuantity,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '@flotilla/machinery';
import { amountOf, type ResourceList } from '../../kinds/core/quantity-fields.ts';
import type { Container } from '../../kinds/workloads/container-types.ts';
import { aggregateResources } from '../../kinds/workloads/pod-resources.ts';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { Admission } from '../../objects/engine.ts';
import { createObjectIndex } from '../../objects/object-index.ts';
import type { Store } from '../../storage/store.ts';
import { refuse } from '../refuse.ts';
import { podOf } from './pod-of.ts';

interface Limit {
  readonly type: string;
  readonly min?: ResourceList;
  readonly max?: ResourceList;
  readonly default?: ResourceList;
  readonly defaultRequest?: ResourceList;
  readonly maxLimitRequestRatio?: ResourceList;
}

/** What somebody asks for, and may use at most. */
interface Asked {
  readonly requests: ResourceList | undefined;
  readonly limits: ResourceList | undefined;
}

/** The two halves of the plug-in: defaults for containers, then the bounds. */
export interface LimitRangerPlugin extends Disposable {
  readonly mutate: (admission: Admission) => void;
  readonly validate: (admission: Admission) => void;
}

const ANNOTATION = 'kubernetes.io/limit-ranger';

/** Knows the tenants' limit ranges. */
export function createLimitRanger(store: Store): LimitRangerPlugin {
  const ranges = createObjectIndex(
    store,
    'core/limitranges/',
    (object) => ((object['spec'] as { limits?: Limit[] } | undefined)?.limits ?? []) as Limit[],
  );
  const concerns = (admission: Admission): boolean =>
    admission.old?.metadata.deletionTimestamp === undefined;

  return {
    mutate: (admission) => {
      const pod = limitedPod(admission);
      if (pod === undefined || !concerns(admission)) return;
      for (const limits of ranges.in(admission.tenant, admission.namespace))
        setDefaults(pod, limits);
    },
    validate: (admission) => {
      const check = checkOf(admission);
      if (check === undefined || !concerns(admission)) return;
      for (const limits of ranges.in(admission.tenant, admission.namespace)) {
        const problems = limits.flatMap(check);
        if (problems.length > 0) throw refuse(admission, aggregate(problems));
      }
    },
    [Symbol.dispose]: () => ranges[Symbol.dispose](),
  };
}

/** Containers cannot change after a pod is made, but for what they ask for, by a resize. */
function limitedPod(admission: Admission): Pod | undefined {
  return podOf(admission, ['CREATE']) ?? podOf(admission, ['UPDATE'], ['resize']);
}

function checkOf(admission: Admission): ((limit: Limit) => string[]) | undefined {
  const pod = limitedPod(admission);
  if (pod !== undefined) return (limit) => podProblems(pod, limit);
  const { def, operation, subresource, object } = admission;
  const isClaim = def.group === '' && def.resource === 'persistentvolumeclaims';
  if (!isClaim || operation === 'DELETE' || subresource !== '') return undefined;
  const spec = object?.['spec'] as { resources?: { requests?: ResourceList } } | undefined;
  return (limit) => claimProblems(spec?.resources?.requests, limit);
}

/** Several problems as Go's aggregate words them: each once, in brackets. */
function aggregate(problems: readonly string[]): string {
  const unique = [...new Set(problems)];
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`;
}

function setDefaults({ metadata, spec }: Pod, limits: readonly Limit[]): void {
  const requests: ResourceList = {};
  const most: ResourceList = {};
  for (const limit of limits) {
    if (limit.type !== 'Container') continue;
    Object.assign(requests, limit.defaultRequest);
    Object.assign(most, limit.default);
  }
  const said = [
    ...(spec.containers ?? []).flatMap((each) => fill(each, 'container', { requests, most })),
    ...(spec.initContainers ?? []).flatMap((each) =>
      fill(each, 'init container', { requests, most }),
    ),
  ];
  if (said.length === 0) return;
  metadata.annotations = {
    ...metadata.annotations,
    [ANNOTATION]: `LimitRanger plugin set: ${said.join('; ')}`,
  };
}

/** Fills in what a container leaves open, and says so. */
function fill(
  container: Container,
  what: string,
  { requests, most }: { requests: ResourceList; most: ResourceList },
): string[] {
  const resources = container.resources ?? {};
  const missing = (list: ResourceList | undefined, defaults: ResourceList): string[] =>
    Object.keys(defaults)
      .filter((name) => amountOf(list, name) === undefined)
      .sort();
  const noLimit = missing(resources.limits, most);
  const noRequest = missing(resources.requests, requests);
  if (noLimit.length === 0 && noRequest.length === 0) return [];
  container.resources = { ...resources };
  if (noLimit.length > 0) container.resources.limits = filled(resources.limits, noLimit, most);
  if (noRequest.length > 0) {
    container.resources.requests = filled(resources.requests, noRequest, requests);
  }
  return [
    ...(noRequest.length > 0
      ? [`${noRequest.join(', ')} request for ${what} ${container.name}`]
      : []),
    ...(noLimit.length > 0 ? [`${noLimit.join(', ')} limit for ${what} ${container.name}`] : []),
  ];
}

function filled(
  list: ResourceList | undefined,
  names: readonly string[],
  defaults: ResourceList,
): ResourceList {
  return { ...list, ...Object.fromEntries(names.map((name) => [name, defaults[name] ?? '0'])) };
}

function podProblems({ spec }: Pod, limit: Limit): string[] {
  if (limit.type === 'Container') {
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      problemsOf(limit, { requests: resources?.requests, limits: resources?.limits }),
    );
  }
  if (limit.type !== 'Pod') return [];
  return problemsOf(limit, {
    requests: ofPod(spec, 'requests'),
    limits: ofPod(spec, 'limits'),
  });
}

/** What the pod itself says about cpu and memory counts more than the sum over its containers. */
function ofPod(spec: Pod['spec'], field: 'requests' | 'limits'): ResourceList {
  const own = Object.entries(spec.resources?.[field] ?? {}).filter(([name]) =>
    ['cpu', 'memory'].includes(name),
  );
  return { ...aggregateResources(spec, field), ...Object.fromEntries(own) };
}

function problemsOf(limit: Limit, asked: Asked): string[] {
  return [
    ...each(limit.min, (name, amount) => belowMin(limit.type, { name, amount }, asked)),
    ...each(limit.max, (name, amount) => aboveMax(limit.type, { name, amount }, asked)),
    ...each(limit.maxLimitRequestRatio, (name, amount) =>
      aboveRatio(limit.type, { name, amount }, asked),
    ),
  ];
}

function claimProblems(requests: ResourceList | undefined, limit: Limit): string[] {
  if (limit.type !== 'PersistentVolumeClaim') return [];
  const asked: Asked = { requests, limits: {} };
  return [
    ...each(limit.min, (name, amount) => belowMin(limit.type, { name, amount }, asked)),
    ...each(limit.max, (name, amount) => {
      const request = amountOf(requests, name);
      const bound = `maximum ${name} usage per ${limit.type} is ${shown(amount)}`;
      if (request === undefined) return `${bound}.  No request is specified`;
      const [value = 0n, , most = 0n] = comparable(request, '0', amount);
      return value > most ? `${bound}, but request is ${shown(request)}` : undefined;
    }),
  ];
}

function each(
  list: ResourceList | undefined,
  check: (name: string, amount: string) => string | undefined,
): string[] {
  return Object.entries(list ?? {})
    .map(([name, amount]) => check(name, amount))
    .filter((problem) => problem !== undefined);
}

interface Bound {
  readonly name: string;
  readonly amount: string;
}

function belowMin(type: string, { name, amount }: Bound, asked: Asked): string | undefined {
  const request = amountOf(asked.requests, name);
  const limit = amountOf(asked.limits, name);
  const bound = `minimum ${name} usage per ${type} is ${shown(amount)}`;
  if (request === undefined) return `${bound}.  No request is specified`;
  const [requested = 0n, limited = 0n, least = 0n] = comparable(request, limit ?? '0', amount);
  if (requested < least) return `${bound}, but request is ${shown(request)}`;
  if (limit !== undefined && limited < least) return `${bound}, but limit is ${shown(limit)}`;
  return undefined;
}

function aboveMax(type: string, { name, amount }: Bound, asked: Asked): string | undefined {
  const request = amountOf(asked.requests, name);
  const limit = amountOf(asked.limits, name);
  const bound = `maximum ${name} usage per ${type} is ${shown(amount)}`;
  if (limit === undefined) return `${bound}.  No limit is specified`;
  const [requested = 0n, limited = 0n, most = 0n] = comparable(request ?? '0', limit, amount);
  if (limited > most) return `${bound}, but limit is ${shown(limit)}`;
  if (request !== undefined && requested > most)
    return `${bound}, but request is ${shown(request)}`;
  return undefined;
}

function aboveRatio(type: string, { name, amount }: Bound, asked: Asked): string | undefined {
  const request = amountOf(asked.requests, name) ?? '0';
  const limit = amountOf(asked.limits, name) ?? '0';
  const bound = `${name} max limit to request ratio per ${type} is ${shown(amount)}`;
  const [requested = 0n, limited = 0n] = comparable(request, limit, amount);
  if (requested === 0n) return `${bound}, but no request is specified or request is 0`;
  if (limited === 0n) return `${bound}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const most = Number(quantityMilliValue(parseQuantity(amount))) / 1000;
  return ratio > most ? `${bound}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** Beyond this a thousandth no longer fits Go's int64. */
const MAX_MILLI = (2n ** 63n - 1n) / 1000n;

/** Amounts at a common precision: thousandths where all of them fit. */
function comparable(...texts: readonly string[]): bigint[] {
  const quantities = texts.map(parseQuantity);
  const whole = quantities.map(quantityValue);
  return whole.every((value) => value <= MAX_MILLI) ? quantities.map(quantityMilliValue) : whole;
}

function shown(text: string): string {
  return formatQuantity(parseQuantity(text));
}
