import { at, child, goQuote } from '@flotilla/machinery';
import type { ContainerPort } from './container-types.ts';
import { visitContainers } from './containers-of.ts';
import type { PodSpec } from './pod-types.ts';

interface PlacedPort {
  readonly port: ContainerPort;
  readonly path: string;
}

/** Ports of a pod that mean the same, or nobody knows what. */
export function portWarnings(spec: PodSpec, specPath: string): string[] {
  const ports = visitContainers(spec, specPath).flatMap(({ container, path }) =>
    (container.ports ?? []).map((port, index) => ({ port, path: at(child(path, 'ports'), index) })),
  );
  return [...overlapWarnings(ports), ...nameWarnings(ports)];
}

function overlapWarnings(ports: readonly PlacedPort[]): string[] {
  const seen = new Map<string, PlacedPort[]>();
  return ports.flatMap((placed) => {
    const { port, path } = placed;
    const key = `${port.containerPort}/${port.protocol ?? ''}`;
    const others = seen.get(key) ?? [];
    seen.set(key, [...others, placed]);
    return [
      ...(hostIpOf(port) !== '' && hostPortOf(port) === 0
        ? [`${path}: hostIP set without hostPort: ${goStruct(port)}`]
        : []),
      ...others.flatMap((other) => {
        const how = overlap(port, other.port);
        return how === '' ? [] : [`${path}: ${how} port definition with ${other.path}`];
      }),
    ];
  });
}

function overlap(a: ContainerPort, b: ContainerPort): string {
  const sameHostPort = hostPortOf(a) === hostPortOf(b);
  if (hostIpOf(a) === hostIpOf(b) && sameHostPort) return 'duplicate';
  if (hostPortOf(a) === 0 || hostPortOf(b) === 0) return 'overlapping';
  const oneIsOpen = (hostIpOf(a) === '') !== (hostIpOf(b) === '');
  return sameHostPort && oneIsOpen ? 'dangerously ambiguous' : '';
}

function nameWarnings(ports: readonly PlacedPort[]): string[] {
  const first = new Map<string, string>();
  return ports.flatMap(({ port, path }) => {
    const name = port.name ?? '';
    if (name === '') return [];
    const other = first.get(name);
    if (other === undefined) {
      first.set(name, path);
      return [];
    }
    return [
      `${path}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports by name will use ${other}`,
    ];
  });
}

function hostIpOf(port: ContainerPort): string {
  return port.hostIP ?? '';
}

function hostPortOf(port: ContainerPort): number {
  return port.hostPort ?? 0;
}

/** A port as Go prints a struct with its field names. */
function goStruct(port: ContainerPort): string {
  return `{Name:${port.name ?? ''} HostPort:${hostPortOf(port)} ContainerPort:${port.containerPort} Protocol:${port.protocol ?? ''} HostIP:${hostIpOf(port)}}`;
}
