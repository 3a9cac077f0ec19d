import type { Container } from './container-types.ts';
import { isRestartable, visitContainers } from './containers-of.ts';
import { usesRestartRules } from './pod-options.ts';
import type { PodSpec } from './pod-types.ts';

/**
 * Removes fields whose feature is off by default in this release, unless the stored object already uses them. The
 * features: HostnameOverride, EnvFiles, ImageVolume, ContainerStopSignals, ContainerRestartRules,
 * ClusterTrustBundleProjection and PodCertificateRequest.
 */
export function dropDisabledFields(spec: PodSpec | undefined, old: PodSpec | undefined): void {
  if (spec === undefined) return;
  const containers = containersOf(spec);
  dropProjections(spec, old);
  if (old === undefined || !usesRestartRules(old)) dropRestartRules(spec);
  if (old?.hostnameOverride === undefined) delete spec.hostnameOverride;
  if (!containersOf(old).some(usesFileKeys)) containers.forEach(dropFileKeys);
  if (!(old?.volumes ?? []).some((volume) => volume.image)) dropImageVolumes(spec);
  if (!containersOf(old).some((each) => each.lifecycle?.stopSignal !== undefined)) {
    containers.forEach(dropStopSignal);
  }
}

function containersOf(spec: PodSpec | undefined): Container[] {
  return spec === undefined ? [] : visitContainers(spec).map(({ container }) => container);
}

function dropProjections(spec: PodSpec, old: PodSpec | undefined): void {
  const sourcesOf = (pod: PodSpec | undefined) =>
    (pod?.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
  for (const field of ['clusterTrustBundle', 'podCertificate'] as const) {
    if (sourcesOf(old).some((source) => source[field] !== undefined)) continue;
    for (const source of sourcesOf(spec)) delete source[field];
  }
}

function dropRestartRules(spec: PodSpec): void {
  for (const container of spec.initContainers ?? []) {
    if (!isRestartable(container)) delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
  for (const container of [...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]) {
    delete container.restartPolicy;
    delete container.restartPolicyRules;
  }
}

function usesFileKeys(container: Container): boolean {
  return (container.env ?? []).some((variable) => variable.valueFrom?.fileKeyRef !== undefined);
}

function dropFileKeys(container: Container): void {
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom) delete valueFrom.fileKeyRef;
  }
}

function dropImageVolumes(spec: PodSpec): void {
  const volumes = spec.volumes ?? [];
  const dropped = new Set(volumes.filter((volume) => volume.image).map((volume) => volume.name));
  if (dropped.size === 0) return;
  keepOrDelete(
    spec,
    'volumes',
    volumes.filter((volume) => !volume.image),
  );
  for (const container of containersOf(spec)) {
    keepOrDelete(
      container,
      'volumeMounts',
      (container.volumeMounts ?? []).filter((mount) => !dropped.has(mount.name)),
    );
  }
}

function keepOrDelete<T extends object, K extends keyof T>(
  target: T,
  field: K,
  items: T[K] & unknown[],
): void {
  if (items.length === 0) delete target[field];
  else target[field] = items;
}

function dropStopSignal(container: Container): void {
  if (container.lifecycle?.stopSignal === undefined) return;
  delete container.lifecycle.stopSignal;
  if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
}
