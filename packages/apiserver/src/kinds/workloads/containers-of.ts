import { at, child } from '@flotilla/machinery';
import type { Container, PodSpec } from './pod-types.ts';

/** A container and where it stands in the pod. */
export interface PlacedContainer {
  readonly container: Container;
  readonly path: string;
}

/** All containers of a pod in upstream's order of visit: init containers, containers, ephemeral containers. */
export function visitContainers(spec: PodSpec, path = 'spec'): PlacedContainer[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index) => ({
      container,
      path: at(child(path, field), index),
    })),
  );
}

/** True for a sidecar: an init container that keeps running. */
export function isRestartable(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always';
}
