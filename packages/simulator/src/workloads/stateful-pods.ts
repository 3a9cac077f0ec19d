import { deepCopy, type KubeObject } from '@flotilla/machinery';
import { type ControllerRevision, type Pod, type StatefulSet, StatefulSets } from '../kinds.ts';
import { templateOf } from './controller-revisions.ts';
import { podOfTemplate } from './pod-of-template.ts';

/** Which revision a pod is of, by the revision's name. */
export const REVISION_LABEL = 'controller-revision-hash';

/** The place of a pod in its set, from its name; undefined for a name that is none of the set's. */
export function ordinalOf(set: StatefulSet, { metadata }: Pod): number | undefined {
  const prefix = `${set.metadata.name ?? ''}-`;
  const { name = '' } = metadata;
  const rest = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return /^(0|[1-9]\d*)$/.test(rest) ? Number(rest) : undefined;
}

/** The pod of one place. */
export function podOf(
  set: StatefulSet,
  { ordinal, revision }: { ordinal: number; revision: ControllerRevision },
): Pod {
  const name = `${set.metadata.name ?? ''}-${ordinal}`;
  const owner = { kind: StatefulSets, object: set };
  const generateName = `${set.metadata.name ?? ''}-`;
  const pod = podOfTemplate(templateOf(revision), owner, { name, generateName });
  const { serviceName = '', volumeClaimTemplates = [] } = set.spec;
  pod.metadata.labels = {
    ...pod.metadata.labels,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [REVISION_LABEL]: revision.metadata.name ?? '',
    'statefulset.kubernetes.io/pod-name': name,
  };
  pod.spec.hostname = name;
  if (serviceName !== '') pod.spec.subdomain = serviceName;
  const claims = volumeClaimTemplates.map(({ metadata }) => metadata.name ?? '');
  if (claims.length > 0) {
    const others = (pod.spec.volumes ?? []).filter((volume) => !claims.includes(volume.name));
    const own = claims.map((volume) => ({
      name: volume,
      persistentVolumeClaim: { claimName: `${volume}-${name}` },
    }));
    pod.spec.volumes = [...own, ...others];
  }
  return pod;
}

/** The claims of one place; they stay when its pod goes. */
export function claimsOf(set: StatefulSet, ordinal: number): KubeObject[] {
  const { namespace, name: setName = '' } = set.metadata;
  return (set.spec.volumeClaimTemplates ?? []).map((template) => {
    const { status: _, ...rest } = deepCopy(template);
    const name = `${template.metadata.name ?? ''}-${setName}-${ordinal}`;
    const labels = { ...template.metadata.labels, ...set.spec.selector.matchLabels };
    return {
      ...rest,
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { ...rest.metadata, name, namespace, labels },
    };
  });
}
