import type { Container } from '../../kinds/workloads/container-types.ts';
import { visitContainers } from '../../kinds/workloads/containers-of.ts';
import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { ServiceAccount } from './service-account.ts';

/** The names of all Secrets a pod mentions, wherever it does. */
export function secretsOf({ spec }: Pod): string[] {
  const names: (string | undefined)[] = [];
  for (const { name } of spec.imagePullSecrets ?? []) names.push(name);
  for (const { container } of visitContainers(spec)) {
    for (const { secretRef } of container.envFrom ?? []) names.push(secretRef?.name);
    for (const { valueFrom } of container.env ?? []) names.push(valueFrom?.secretKeyRef?.name);
  }
  for (const volume of spec.volumes ?? []) {
    names.push(
      volume.secret?.secretName,
      volume.azureFile?.secretName,
      volume.csi?.nodePublishSecretRef?.name,
      volume.iscsi?.secretRef?.name,
      volume.cinder?.secretRef?.name,
      volume.storageos?.secretRef?.name,
      // The tables keep these sources; their types here name only what validation looks at.
      secretRefName(volume.cephfs),
      secretRefName(volume.flexVolume),
      secretRefName(volume.rbd),
      secretRefName(volume.scaleIO),
      ...(volume.projected?.sources ?? []).map((source) =>
        'secret' in source ? (source.secret as { name?: string } | undefined)?.name : undefined,
      ),
    );
  }
  return names.filter((name) => name !== undefined);
}

function secretRefName(source: object | undefined): string | undefined {
  return (source as { secretRef?: { name?: string } } | undefined)?.secretRef?.name;
}

/** Why a pod may not use a Secret that its account does not list; undefined when it may use all it names. */
export function secretProblem(
  pod: Pod,
  account: ServiceAccount,
  subresource: string,
): string | undefined {
  const allowed = new Set((account.secrets ?? []).map(({ name = '' }) => name));
  const name = account.metadata.name ?? '';
  const { spec } = pod;
  if (subresource === 'ephemeralcontainers') {
    return inContainers('ephemeral container', spec.ephemeralContainers, { allowed, name });
  }
  for (const { secret } of spec.volumes ?? []) {
    if (secret === undefined || allowed.has(secret.secretName ?? '')) continue;
    return `volume with secret.secretName="${secret.secretName ?? ''}" is not allowed because service account ${name} does not reference that secret`;
  }
  return (
    inContainers('init container', spec.initContainers, { allowed, name }) ??
    inContainers('container', spec.containers, { allowed, name }) ??
    inPullSecrets(pod, account)
  );
}

function inContainers(
  what: string,
  containers: readonly Container[] | null | undefined,
  { allowed, name }: { allowed: ReadonlySet<string>; name: string },
): string | undefined {
  const end = `is not allowed because service account ${name} does not reference that secret`;
  for (const container of containers ?? []) {
    for (const { name: variable, valueFrom } of container.env ?? []) {
      const secret = valueFrom?.secretKeyRef;
      if (secret === undefined || allowed.has(secret.name ?? '')) continue;
      return `${what} ${container.name} with envVar ${variable} referencing secret.secretName="${secret.name ?? ''}" ${end}`;
    }
    for (const { secretRef } of container.envFrom ?? []) {
      if (secretRef === undefined || allowed.has(secretRef.name ?? '')) continue;
      return `${what} ${container.name} with envFrom referencing secret.secretName="${secretRef.name ?? ''}" ${end}`;
    }
  }
  return undefined;
}

function inPullSecrets({ spec }: Pod, account: ServiceAccount): string | undefined {
  const allowed = new Set((account.imagePullSecrets ?? []).map(({ name = '' }) => name));
  for (const [index, { name = '' }] of (spec.imagePullSecrets ?? []).entries()) {
    if (allowed.has(name)) continue;
    return `imagePullSecrets[${index}].name="${name}" is not allowed because service account ${account.metadata.name ?? ''} does not reference that imagePullSecret`;
  }
  return undefined;
}
