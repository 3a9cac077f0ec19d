import { at, child, deepEqual, type FieldError, forbidden, invalid } from '@flotilla/machinery';
import { amountOf } from '../core/quantity-fields.ts';
import type { ResourceList } from './api-values.ts';
import type { Container, ResourceRequirements } from './container-types.ts';
import { isRestartable } from './containers-of.ts';
import type { Pod } from './pod-types.ts';
import { mirrorAnnotation } from './profile-annotations.ts';
import { qosClass } from './qos.ts';

const onlyCpuAndMemory = 'only cpu and memory resources are mutable';

/** Keeps only what a resize may change: resources and resize policies of containers that are still the same. */
export function keepResizedFields(pod: Pod, old: Pod): void {
  for (const field of ['containers', 'initContainers'] as const) {
    if ((pod.spec[field] ?? []).length !== (old.spec[field] ?? []).length) return;
  }
  const containers = resized(pod.spec.containers, old.spec.containers);
  const initContainers = resized(pod.spec.initContainers, old.spec.initContainers);
  pod.spec = { ...old.spec, containers };
  if (initContainers.length > 0) pod.spec.initContainers = initContainers;
  pod.status = old.status;
}

/** What a resize may not do; upstream's other checks of pods come before it. */
export function podResizeErrors(pod: Pod, old: Pod, before: FieldError[]): FieldError[] {
  const barrier = resizeBarrier(pod, old);
  if (barrier !== '') return [forbidden('', barrier)];
  const errors = [...before];
  if ((old.status.qosClass || qosClass(old.spec)) !== qosClass(pod.spec)) {
    const detail = 'Pod QOS Class may not change as a result of resizing';
    errors.push(invalid('spec', pod.status.qosClass ?? '', detail));
  }
  if (!nodeSupportsResize(old)) {
    errors.push(forbidden('spec', 'Pod running on node without support for resize'));
  }
  const order = orderErrors(pod, old);
  if (order.length > 0) return [...errors, ...order];
  errors.push(...removalErrors(pod, old), ...mutationErrors(pod, old));
  if (errors.length > 0) return errors;
  const rest = { ...pod.spec, containers: old.spec.containers };
  if (old.spec.initContainers) rest.initContainers = old.spec.initContainers;
  return deepEqual(rest, old.spec) ? [] : [forbidden('spec', onlyCpuAndMemory)];
}

function resized(
  next: readonly Container[] | null | undefined,
  old: readonly Container[] | null | undefined,
): Container[] {
  const containers = [...(next ?? [])];
  if (containers.some((container, index) => container.name !== old?.[index]?.name)) {
    return containers;
  }
  return containers.map((container, index) => {
    const { resources: _, resizePolicy: __, ...kept } = old?.[index] ?? container;
    return {
      ...kept,
      ...(container.resources === undefined ? {} : { resources: container.resources }),
      ...(container.resizePolicy === undefined ? {} : { resizePolicy: container.resizePolicy }),
    };
  });
}

function resizeBarrier(pod: Pod, old: Pod): string {
  const podLevel = ({ spec }: Pod) =>
    Object.keys({ ...spec.resources?.requests, ...spec.resources?.limits }).length > 0;
  if (podLevel(old) || podLevel(pod)) return 'pods with pod-level resources cannot be resized';
  if (old.metadata.annotations?.[mirrorAnnotation] !== undefined) {
    return 'static pods cannot be resized';
  }
  return old.spec.os?.name === 'windows' ? 'windows pods cannot be resized' : '';
}

function nodeSupportsResize({ status }: Pod): boolean {
  const running = (status.containerStatuses ?? []).find((each) => each.state?.running != null);
  return running === undefined || running.resources !== undefined;
}

function orderErrors(pod: Pod, old: Pod): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) => {
    const next = pod.spec[field] ?? [];
    const before = old.spec[field] ?? [];
    const path = child('spec', field);
    if (next.length !== before.length) {
      return [forbidden(path, `${field} may not be added or removed on resize`)];
    }
    return before.flatMap((container, index) =>
      next[index]?.name === container.name
        ? []
        : [
            forbidden(
              child(at(path, index), 'name'),
              `${field} may not be renamed or reordered on resize`,
            ),
          ],
    );
  });
}

function removalErrors(pod: Pod, old: Pod): FieldError[] {
  return (['initContainers', 'containers'] as const).flatMap((field) =>
    (old.spec[field] ?? []).flatMap((container, index) => {
      if (field === 'initContainers' && !isRestartable(container)) return [];
      const path = child(at(child('spec', field), index), 'resources');
      const next = pod.spec[field]?.[index]?.resources;
      return (['requests', 'limits'] as const).flatMap((list) =>
        isRemoved(next?.[list], container.resources?.[list])
          ? [forbidden(child(path, list), `resource ${list} cannot be removed`)]
          : [],
      );
    }),
  );
}

function isRemoved(next: ResourceList | undefined, old: ResourceList | undefined): boolean {
  return Object.keys(old ?? {}).some((name) => amountOf(next, name) === undefined);
}

function mutationErrors(pod: Pod, old: Pod): FieldError[] {
  const errors: FieldError[] = [];
  (pod.spec.containers ?? []).forEach((container, index) => {
    const before = old.spec.containers?.[index];
    if (before !== undefined && !deepEqual(withComputeOf(container, before), before)) {
      errors.push(forbidden('spec', onlyCpuAndMemory));
    }
  });
  (pod.spec.initContainers ?? []).forEach((container, index) => {
    const before = old.spec.initContainers?.[index];
    if (before === undefined) return;
    if (isRestartable(container)) {
      if (deepEqual(withComputeOf(container, before), before)) return;
      const detail = 'only cpu and memory resources for sidecar containers are mutable';
      errors.push(forbidden('spec', detail));
    } else if (!deepEqual(container, before)) {
      const detail = 'resources for non-sidecar init containers are immutable';
      errors.push(forbidden('spec', detail));
    }
  });
  return errors;
}

/** The container with the cpu and memory it had before, so that what else changed shows. */
function withComputeOf(container: Container, old: Container): Container {
  const resources: ResourceRequirements = {};
  for (const list of ['limits', 'requests'] as const) {
    const before = old.resources?.[list];
    if (before === undefined) continue;
    const { cpu: _, memory: __, ...others } = container.resources?.[list] ?? {};
    resources[list] = {
      ...others,
      ...(before['cpu'] === undefined ? {} : { cpu: before['cpu'] }),
      ...(before['memory'] === undefined ? {} : { memory: before['memory'] }),
    };
  }
  return { ...container, resources };
}
