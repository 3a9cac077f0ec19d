import type { Int64, LabelSelector, List, ResourceList } from './api-values.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './container-types.ts';

/** A key of a mounted object and the file it becomes. */
export interface KeyToPath {
  key: string;
  path: string;
  mode?: number;
}

/** One file of a downward API volume. */
export interface DownwardFile {
  path: string;
  fieldRef?: ObjectFieldSelector;
  resourceFieldRef?: ResourceFieldSelector;
  mode?: number;
}

/** One source of a projected volume. */
export interface VolumeProjection {
  secret?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  configMap?: { name?: string; items?: KeyToPath[]; optional?: boolean };
  downwardAPI?: { items?: DownwardFile[] };
  serviceAccountToken?: { audience?: string; expirationSeconds?: Int64; path: string };
  clusterTrustBundle?: Record<string, unknown>;
  podCertificate?: Record<string, unknown>;
}

/** What a claim asks for. */
export interface ClaimSpec {
  accessModes?: string[];
  selector?: LabelSelector;
  resources?: { limits?: ResourceList; requests?: ResourceList };
  volumeName?: string;
  storageClassName?: string;
  volumeMode?: string;
  dataSource?: { apiGroup?: string; kind: string; name: string };
  dataSourceRef?: { apiGroup?: string; kind: string; name: string; namespace?: string };
  volumeAttributesClassName?: string;
}

/** A volume of a pod; exactly one source is set. */
export interface Volume {
  name: string;
  hostPath?: { path: string; type?: string };
  emptyDir?: { medium?: string; sizeLimit?: string };
  gcePersistentDisk?: { pdName: string; partition?: number };
  awsElasticBlockStore?: { volumeID: string; partition?: number };
  gitRepo?: { repository: string; directory?: string };
  secret?: { secretName?: string; items?: KeyToPath[]; defaultMode?: number };
  nfs?: { server: string; path: string };
  iscsi?: IscsiSource;
  glusterfs?: { endpoints: string; path: string };
  persistentVolumeClaim?: { claimName: string };
  rbd?: { monitors: List<string>; image: string; pool?: string; user?: string; keyring?: string };
  flexVolume?: { driver: string; options?: Record<string, string> };
  cinder?: { volumeID: string; secretRef?: { name?: string } };
  cephfs?: { monitors: List<string> };
  flocker?: { datasetName?: string; datasetUUID?: string };
  downwardAPI?: { items?: DownwardFile[]; defaultMode?: number };
  fc?: { targetWWNs?: string[]; lun?: number; wwids?: string[] };
  azureFile?: { secretName: string; shareName: string };
  configMap?: { name?: string; items?: KeyToPath[]; defaultMode?: number };
  vsphereVolume?: { volumePath: string };
  quobyte?: { registry: string; volume: string; tenant?: string };
  azureDisk?: AzureDiskSource;
  photonPersistentDisk?: { pdID: string };
  projected?: { sources: VolumeProjection[] | null; defaultMode?: number };
  portworxVolume?: { volumeID: string };
  scaleIO?: ScaleIoSource;
  storageos?: { volumeName?: string; volumeNamespace?: string; secretRef?: { name?: string } };
  csi?: { driver: string; nodePublishSecretRef?: { name?: string } };
  ephemeral?: { volumeClaimTemplate?: { metadata?: Record<string, unknown>; spec: ClaimSpec } };
  image?: { reference?: string; pullPolicy?: string };
}

/** An iSCSI volume source. */
export interface IscsiSource {
  targetPortal: string;
  iqn: string;
  lun: number;
  iscsiInterface?: string;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: { name?: string };
  initiatorName?: string;
}

/** An Azure data disk source. */
export interface AzureDiskSource {
  diskName: string;
  diskURI: string;
  cachingMode?: string;
  fsType?: string;
  readOnly?: boolean;
  kind?: string;
}

/** A ScaleIO volume source. */
export interface ScaleIoSource {
  gateway: string;
  system: string;
  volumeName?: string;
  storageMode?: string;
  fsType?: string;
}
