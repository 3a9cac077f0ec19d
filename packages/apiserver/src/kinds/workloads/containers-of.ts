import { at, child } from '@flotilla/machinery';
import type { Container } from './container-types.ts';
import type { PodSpec } from './pod-types.ts';

/** A container and where it stands in the pod. */
export interface PlacedContainer {
  readonly container: Container;
  readonly path: string;
}

/** All containers of a pod in upstream's order of visit: init containers, containers, ephemeral containers. */
export function visitContainers(spec: PodSpec, path = 'spec'): PlacedContainer[] {
  // Many checks go this way for every pod written, so it builds no more than it returns.
  const placed: PlacedContainer[] = [];
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    const containers = spec[field];
    if (containers == null || containers.length === 0) continue;
    const below = child(path, field);
    for (const [index, container] of containers.entries()) {
      placed.push({ container, path: at(below, index) });
    }
  }
  return placed;
}

/** True for a sidecar: an init container that keeps running. */
export function isRestartable(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}
