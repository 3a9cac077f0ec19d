import {
  deepEqual,
  forbiddenError,
  invalidObject,
  type KubeObject,
  parseJson,
} from '@flotilla/machinery';
import type { Container } from '../../../kinds/workloads/container-types.ts';
import type { Pod, PodSpec } from '../../../kinds/workloads/pod-types.ts';
import type { Admission } from '../../../objects/engine.ts';
import { createObjectIndex } from '../../../objects/object-index.ts';
import { groupResource } from '../../../resources/resource.ts';
import type { Store, Tenant } from '../../../storage/store.ts';
import type { PodLike } from './checks.ts';
import { type Policy, policyOf, sameStandard, shownStandard, strictness } from './labels.ts';
import { describeViolations, type Standard, violationsOf } from './standards.ts';

/** Pods are checked in these writes; others leave what is checked alone. */
const POD_SUBRESOURCES = new Set(['', 'ephemeralcontainers', 'resize']);

/** Where the template of a pod stands in the kinds that have one. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/replicationcontrollers': ['spec', 'template'],
  '/podtemplates': ['template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
};

/** So many pods are looked at when a namespace becomes stricter. */
const MAX_PODS = 3000;

/** The Pod Security Standards, by the labels of namespaces. */
export interface PodSecurityPlugin extends Disposable {
  readonly validate: (admission: Admission) => void;
}

/** Knows the labels of the tenants' namespaces. */
export function createPodSecurity(store: Store): PodSecurityPlugin {
  const policies = createObjectIndex(store, 'core/namespaces/', (object) => {
    const { labels } = object['metadata'] as { labels?: Record<string, string> };
    return policyOf(labels).policy;
  });
  return {
    validate: (admission) => {
      const { def, tenant, namespace, operation, subresource } = admission;
      if (operation !== 'CREATE' && operation !== 'UPDATE') return;
      const resource = `${def.group}/${def.resource}`;
      if (resource === '/namespaces') return checkNamespace(store, admission);
      if (resource === '/pods') {
        if (!POD_SUBRESOURCES.has(subresource)) return;
        return checkPod(admission, policies.get(tenant, namespace));
      }
      const path = TEMPLATES[resource];
      if (path === undefined || subresource !== '') return;
      checkTemplate(admission, policies.get(tenant, namespace), path);
    },
    [Symbol.dispose]: () => policies[Symbol.dispose](),
  };
}

function checkPod(admission: Admission, policy: Policy | undefined): void {
  if (policy === undefined || isOpen(policy.enforce, policy.audit, policy.warn)) return;
  const pod = admission.object as Pod;
  if (admission.operation === 'UPDATE' && !isSignificant(pod.spec, (admission.old as Pod).spec)) {
    return;
  }
  const like = podLike(pod);
  const violations = violationsOf(like, policy.enforce);
  if (violations.length > 0) {
    throw forbiddenError(
      groupResource(admission.def),
      admission.name,
      `violates PodSecurity "${shownStandard(policy.enforce)}": ${describeViolations(violations)}`,
    );
  }
  warnOf(like, policy.warn, admission);
}

function checkTemplate(
  admission: Admission,
  policy: Policy | undefined,
  path: readonly string[],
): void {
  if (policy === undefined || isOpen(policy.audit, policy.warn)) return;
  let found: unknown = admission.object;
  for (const step of path) found = (found as Record<string, unknown> | undefined)?.[step];
  const template = found as Pod | undefined;
  if (template?.spec !== undefined) warnOf(podLike(template), policy.warn, admission);
}

function warnOf(pod: PodLike, standard: Standard, { warn }: Admission): void {
  const violations = violationsOf(pod, standard);
  if (violations.length === 0) return;
  const detail = describeViolations(violations);
  warn(`would violate PodSecurity "${shownStandard(standard)}": ${detail}`);
}

function isOpen(...standards: readonly Standard[]): boolean {
  return standards.every(({ level }) => level === 'privileged');
}

function podLike({ metadata, spec }: Pod): PodLike {
  return { annotations: metadata?.annotations ?? {}, spec };
}

/** Nothing that is checked can change later but images, and what containers there are. */
function isSignificant(spec: PodSpec, old: PodSpec): boolean {
  const images = (containers: readonly Container[] | null | undefined): (string | undefined)[] =>
    (containers ?? []).map(({ image }) => image);
  if (!deepEqual(images(spec.containers), images(old.containers))) return true;
  if (!deepEqual(images(spec.initContainers), images(old.initContainers))) return true;
  return (spec.ephemeralContainers ?? []).some(
    ({ name, image }) =>
      old.ephemeralContainers?.find((each) => each.name === name)?.image !== image,
  );
}

/** Labels must make sense, and a stricter namespace is told which of its pods no longer fit. */
function checkNamespace(store: Store, admission: Admission): void {
  const { object, old, operation, subresource, def, name, tenant, warn } = admission;
  if (subresource !== '' || object === undefined) return;
  const next = policyOf(object.metadata.labels);
  const before = operation === 'UPDATE' ? policyOf(old?.metadata.labels) : undefined;
  if (next.problems.length > 0 && !deepEqual(next.problems, before?.problems)) {
    throw invalidObject({ group: def.group, kind: def.kind }, name, next.problems);
  }
  if (before === undefined) return;
  const { enforce } = next.policy;
  const last = before.policy.enforce;
  if (sameStandard(enforce, last) || enforce.level === 'privileged') return;
  if (enforce.minor === last.minor && strictness(enforce) <= strictness(last)) return;
  for (const warning of misfits(store, { tenant, namespace: name }, enforce)) warn(warning);
}

interface Misfit {
  count: number;
  name: string;
}

function misfits(
  store: Store,
  { tenant, namespace }: { tenant: Tenant; namespace: string },
  standard: Standard,
): string[] {
  using snapshot = store.snapshot(tenant);
  const prefix = `core/pods/${namespace}/`;
  const total = snapshot.count(prefix, {});
  const entries = snapshot.range(prefix, { limit: MAX_PODS });
  const pods = byController(entries.map(({ value }) => decode(value)));
  const found = new Map<string, Misfit>();
  for (const pod of pods) {
    const violations = violationsOf(podLike(pod), standard);
    if (violations.length === 0) continue;
    const reason = violations.map((each) => each.reason).join(', ');
    const known = found.get(reason);
    const name = pod.metadata.name ?? '';
    if (known === undefined) found.set(reason, { count: 1, name });
    else {
      known.count += 1;
      if (name < known.name) known.name = name;
    }
  }
  const warnings: string[] = [];
  if (total > pods.length) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${pods.length} of ${total} existing pods`,
    );
  }
  if (found.size > 0) {
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${shownStandard(standard)}"`,
    );
  }
  const lines = [...found].map(([reason, { count: times, name }]) => {
    if (times === 1) return `${name}: ${reason}`;
    return `${name} (and ${times === 2 ? '1 other pod' : `${times - 1} other pods`}): ${reason}`;
  });
  return [...warnings, ...lines.sort()];
}

function decode(value: Buffer): Pod {
  return parseJson(value, { strict: false }).value as unknown as Pod;
}

/** One pod of each controller first: its others are alike. */
function byController(pods: readonly Pod[]): Pod[] {
  const seen = new Set<string>();
  const first: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner !== undefined && seen.has(owner)) others.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...others];
}

function controllerOf({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}
