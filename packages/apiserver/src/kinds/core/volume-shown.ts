import type { Json } from '@flotilla/machinery';
import type { NodeSelector, NodeSelectorRequirement } from './node-selector.ts';

/** Values as upstream's internal types print in messages: capital names, every field, in the types' order. */

interface VolumeNodeAffinity {
  required?: NodeSelector;
}

/** The name of each source's field inside, in order. */
const sourceNames: Readonly<Record<string, string>> = {
  gcePersistentDisk: 'GCEPersistentDisk',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  hostPath: 'HostPath',
  glusterfs: 'Glusterfs',
  nfs: 'NFS',
  rbd: 'RBD',
  quobyte: 'Quobyte',
  iscsi: 'ISCSI',
  flexVolume: 'FlexVolume',
  cinder: 'Cinder',
  cephfs: 'CephFS',
  fc: 'FC',
  flocker: 'Flocker',
  azureFile: 'AzureFile',
  vsphereVolume: 'VsphereVolume',
  azureDisk: 'AzureDisk',
  photonPersistentDisk: 'PhotonPersistentDisk',
  portworxVolume: 'PortworxVolume',
  scaleIO: 'ScaleIO',
  local: 'Local',
  storageos: 'StorageOS',
  csi: 'CSI',
};

/** Sources people use today, field by field with what an absent one shows as; others are shown as far as set. */
const sourceFields: Readonly<Record<string, readonly (readonly [string, string, unknown])[]>> = {
  hostPath: [
    ['path', 'Path', ''],
    ['type', 'Type', null],
  ],
  nfs: [
    ['server', 'Server', ''],
    ['path', 'Path', ''],
    ['readOnly', 'ReadOnly', false],
  ],
  local: [
    ['path', 'Path', ''],
    ['fsType', 'FSType', null],
  ],
  csi: [
    ['driver', 'Driver', ''],
    ['volumeHandle', 'VolumeHandle', ''],
    ['readOnly', 'ReadOnly', false],
    ['fsType', 'FSType', ''],
    ['volumeAttributes', 'VolumeAttributes', null],
    ['controllerPublishSecretRef', 'ControllerPublishSecretRef', null],
    ['nodeStageSecretRef', 'NodeStageSecretRef', null],
    ['nodePublishSecretRef', 'NodePublishSecretRef', null],
    ['controllerExpandSecretRef', 'ControllerExpandSecretRef', null],
    ['nodeExpandSecretRef', 'NodeExpandSecretRef', null],
  ],
};

const betaLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
};

/** The sources of a volume. */
export function shownVolumeSource(sources: Json): Json {
  const shown: Json = {};
  for (const [field, name] of Object.entries(sourceNames)) {
    const source = sources[field] as Json | undefined;
    shown[name] = source === undefined ? null : showSource(field, source);
  }
  return shown;
}

/** The node affinity of a volume. */
export function shownAffinity(affinity: VolumeNodeAffinity | undefined): unknown {
  if (affinity === undefined) return null;
  const terms = affinity.required?.nodeSelectorTerms ?? null;
  return {
    Required:
      affinity.required === undefined
        ? null
        : {
            NodeSelectorTerms:
              terms?.map(({ matchExpressions, matchFields }) => ({
                MatchExpressions: matchExpressions?.map(shownRequirement) ?? null,
                MatchFields: matchFields?.map(shownRequirement) ?? null,
              })) ?? null,
          },
  };
}

/** The affinity with beta labels renamed wherever the other one has the final name in the same place. */
export function withoutBetaLabels(
  affinity: VolumeNodeAffinity,
  next: VolumeNodeAffinity | undefined,
): VolumeNodeAffinity {
  const renamed = (
    requirements: NodeSelectorRequirement[] | undefined,
    others: NodeSelectorRequirement[] | undefined,
  ) =>
    requirements?.map((requirement, index) =>
      betaLabels[requirement.key] !== undefined &&
      betaLabels[requirement.key] === others?.[index]?.key
        ? { ...requirement, key: betaLabels[requirement.key] ?? requirement.key }
        : requirement,
    );
  if (affinity.required === undefined) return affinity;
  const terms = affinity.required.nodeSelectorTerms ?? [];
  return {
    required: {
      nodeSelectorTerms: terms.map((term, index) => {
        const other = next?.required?.nodeSelectorTerms?.[index];
        const matchExpressions = renamed(term.matchExpressions, other?.matchExpressions);
        return { ...term, ...(matchExpressions === undefined ? {} : { matchExpressions }) };
      }),
    },
  };
}

function shownRequirement({ key, operator, values }: NodeSelectorRequirement): unknown {
  return { Key: key, Operator: operator, Values: values ?? null };
}

function showSource(field: string, source: Json): Json {
  const fields = sourceFields[field];
  if (fields === undefined) return capitalized(source);
  return Object.fromEntries(
    fields.map(([key, name, absent]) => [name, showValue(key, source[key]) ?? absent]),
  );
}

function showValue(key: string, value: unknown): unknown {
  return key.endsWith('SecretRef') && typeof value === 'object' && value !== null
    ? capitalized(value as Json)
    : value;
}

function capitalized(source: Json): Json {
  return Object.fromEntries(
    Object.entries(source).map(([key, value]) => [
      `${key.charAt(0).toUpperCase()}${key.slice(1)}`,
      value,
    ]),
  );
}
