import { goQuote } from '@flotilla/machinery';
import type { Container } from '../../../kinds/workloads/container-types.ts';
import { visitContainers } from '../../../kinds/workloads/containers-of.ts';
import type { PodSpec } from '../../../kinds/workloads/pod-types.ts';

/** What is checked: a pod, or the template of one. */
export interface PodLike {
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
}

/** Why a pod does not meet a standard. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Undefined when there is nothing to say against the pod. */
export type CheckPod = (pod: PodLike) => Violation | undefined;

/** Names in quotes, as all details show them. */
export function quoted(names: Iterable<string>): string {
  return [...names].map((name) => `"${name}"`).join(', ');
}

/** One or several of something, by their names. */
export function named(
  singular: string,
  names: readonly string[] | ReadonlySet<string>,
  plural = `${singular}s`,
): string {
  const count = 'size' in names ? names.size : names.length;
  return `${count === 1 ? singular : plural} ${quoted(names)}`;
}

/** The names of the containers that meet a condition. */
export function containersWhere(spec: PodSpec, isBad: (container: Container) => boolean): string[] {
  return visitContainers(spec)
    .filter(({ container }) => isBad(container))
    .map(({ container }) => container.name);
}

/** Who set something they should not have: the pod itself, some of its containers, or both. */
export function setters(pod: boolean, containers: readonly string[]): string[] {
  return [
    ...(pod ? ['pod'] : []),
    ...(containers.length > 0 ? [named('container', containers)] : []),
  ];
}

/** In the order Go sorts them. */
export function sorted(values: Iterable<string>): string[] {
  return [...new Set(values)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** An annotation as details show it. */
export function shownAnnotation(key: string, value: string): string {
  return `${key}=${goQuote(value)}`;
}

/** Kubernetes says by the pod's os that fields only Linux has do not matter. */
export function unlessWindows(check: CheckPod): CheckPod {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : check(pod));
}
