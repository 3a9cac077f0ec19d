/** Volume sources that name storage outside the cluster; most of them live on only as fields. */
import {
  child,
  type FieldError,
  invalid,
  keyed,
  notSupported,
  required,
} from '@flotilla/machinery';
import { isIscsiName } from '../core/iscsi-name.ts';
import { descendingPathErrors } from './paths.ts';
import { dnsLabelErrors, rangeDetail } from './support.ts';
import type { AzureDiskSource, IscsiSource, ScaleIoSource, Volume } from './volume-types.ts';

type Source<K extends keyof Volume> = NonNullable<Volume[K]>;

function requiredText(value: string | undefined, path: string, detail = ''): FieldError[] {
  return (value ?? '') === '' ? [required(path, detail)] : [];
}

function partitionErrors(partition: number | undefined, path: string): FieldError[] {
  const value = partition ?? 0;
  return value < 0 || value > 255 ? [invalid(path, value, rangeDetail(1, 255))] : [];
}

/** A git repository. */
export function gitRepoErrors(source: Source<'gitRepo'>, path: string): FieldError[] {
  return [
    ...requiredText(source.repository, child(path, 'repository')),
    ...descendingPathErrors(source.directory ?? '', child(path, 'directory')),
  ];
}

/** A disk of Google's cloud. */
export function gceDiskErrors(source: Source<'gcePersistentDisk'>, path: string): FieldError[] {
  return [
    ...requiredText(source.pdName, child(path, 'pdName')),
    ...partitionErrors(source.partition, child(path, 'partition')),
  ];
}

/** A disk of Amazon's cloud. */
export function awsDiskErrors(source: Source<'awsElasticBlockStore'>, path: string): FieldError[] {
  return [
    ...requiredText(source.volumeID, child(path, 'volumeID')),
    ...partitionErrors(source.partition, child(path, 'partition')),
  ];
}

/** An NFS export. */
export function nfsErrors(source: Source<'nfs'>, path: string): FieldError[] {
  return [
    ...requiredText(source.server, child(path, 'server')),
    ...requiredText(source.path, child(path, 'path')),
    ...(source.path.startsWith('/')
      ? []
      : [invalid(child(path, 'path'), source.path, 'must be an absolute path')]),
  ];
}

/** An iSCSI disk. */
export function iscsiErrors(source: IscsiSource, path: string): FieldError[] {
  const errors = [
    ...requiredText(source.targetPortal, child(path, 'targetPortal')),
    ...requiredText(source.iqn, child(path, 'iqn')),
  ];
  if (source.iqn !== '') errors.push(...iscsiNameErrors(source.iqn, child(path, 'iqn')));
  if (source.lun < 0 || source.lun > 255) {
    errors.push(invalid(child(path, 'lun'), source.lun, rangeDetail(0, 255)));
  }
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    errors.push(required(child(path, 'secretRef')));
  }
  if (source.initiatorName !== undefined) {
    errors.push(...iscsiNameErrors(source.initiatorName, child(path, 'initiatorname')));
  }
  return errors;
}

function iscsiNameErrors(name: string, path: string): FieldError[] {
  if (isIscsiName(name)) return [];
  const isPrefixed = /^(iqn|eui|naa)/.test(name);
  const detail = `must be valid format${isPrefixed ? '' : ' starting with iqn, eui, or naa'}`;
  return [invalid(path, name, detail)];
}

/** A GlusterFS volume. */
export function glusterfsErrors(source: Source<'glusterfs'>, path: string): FieldError[] {
  return [
    ...requiredText(source.endpoints, child(path, 'endpoints')),
    ...requiredText(source.path, child(path, 'path')),
  ];
}

/** A Flocker dataset. */
export function flockerErrors(source: Source<'flocker'>, path: string): FieldError[] {
  const { datasetName = '', datasetUUID = '' } = source;
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalid(path, 'resource', detail));
  }
  if (datasetName.includes('/')) {
    errors.push(invalid(child(path, 'datasetName'), datasetName, "must not contain '/'"));
  }
  return errors;
}

/** A Ceph block device. */
export function rbdErrors(source: Source<'rbd'>, path: string): FieldError[] {
  return [
    ...((source.monitors ?? []).length === 0 ? [required(child(path, 'monitors'))] : []),
    ...requiredText(source.image, child(path, 'image')),
  ];
}

/** A disk of OpenStack. */
export function cinderErrors(source: Source<'cinder'>, path: string): FieldError[] {
  return [
    ...requiredText(source.volumeID, child(path, 'volumeID')),
    ...(source.secretRef === undefined
      ? []
      : requiredText(source.secretRef.name, child(path, 'secretRef', 'name'))),
  ];
}

/** A Ceph file system. */
export function cephfsErrors(source: Source<'cephfs'>, path: string): FieldError[] {
  return (source.monitors ?? []).length === 0 ? [required(child(path, 'monitors'))] : [];
}

/** A Quobyte volume. */
export function quobyteErrors(source: Source<'quobyte'>, path: string): FieldError[] {
  const pairs = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (source.registry === '') {
    errors.push(required(child(path, 'registry'), pairs));
  } else if ((source.tenant ?? '').length >= 65) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(required(child(path, 'tenant'), detail));
  } else {
    for (const pair of source.registry.split(',')) {
      if (isHostPort(pair)) continue;
      errors.push(invalid(child(path, 'registry'), source.registry, pairs));
    }
  }
  return [...errors, ...requiredText(source.volume, child(path, 'volume'))];
}

function isHostPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^[\]:]*):[^[\]:]*$/.test(text);
}

/** A disk over Fibre Channel. */
export function fibreChannelErrors(source: Source<'fc'>, path: string): FieldError[] {
  const names = source.targetWWNs ?? [];
  const ids = source.wwids ?? [];
  const errors: FieldError[] = [];
  const namesPath = child(path, 'targetWWNs');
  if (names.length === 0 && ids.length === 0) {
    errors.push(required(namesPath, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (names.length > 0 && ids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalid(namesPath, names, detail));
  }
  if (names.length > 0 && source.lun === undefined) {
    errors.push(required(child(path, 'lun'), 'lun is required if targetWWNs is specified'));
  } else if (names.length > 0 && ((source.lun ?? 0) < 0 || (source.lun ?? 0) > 255)) {
    errors.push(invalid(child(path, 'lun'), source.lun, rangeDetail(0, 255)));
  }
  return errors;
}

/** A volume of a FlexVolume driver. */
export function flexVolumeErrors(source: Source<'flexVolume'>, path: string): FieldError[] {
  const errors = requiredText(source.driver, child(path, 'driver'));
  for (const key of Object.keys(source.options ?? {})) {
    const namespace = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`;
    if (namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io')) {
      const detail = 'kubernetes.io and k8s.io namespaces are reserved';
      errors.push(invalid(keyed(child(path, 'options'), key), key, detail));
    }
  }
  return errors;
}

/** A file share of Azure. */
export function azureFileErrors(source: Source<'azureFile'>, path: string): FieldError[] {
  return [
    ...requiredText(source.secretName, child(path, 'secretName')),
    ...requiredText(source.shareName, child(path, 'shareName')),
  ];
}

/** A disk of vSphere. */
export function vsphereErrors(source: Source<'vsphereVolume'>, path: string): FieldError[] {
  return requiredText(source.volumePath, child(path, 'volumePath'));
}

/** A disk of Photon. */
export function photonErrors(source: Source<'photonPersistentDisk'>, path: string): FieldError[] {
  return requiredText(source.pdID, child(path, 'pdID'));
}

/** A Portworx volume. */
export function portworxErrors(source: Source<'portworxVolume'>, path: string): FieldError[] {
  return requiredText(source.volumeID, child(path, 'volumeID'));
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedUri =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** A data disk of Azure. */
export function azureDiskErrors(source: AzureDiskSource, path: string): FieldError[] {
  const errors = [
    ...requiredText(source.diskName, child(path, 'diskName')),
    ...requiredText(source.diskURI, child(path, 'diskURI')),
  ];
  const { cachingMode, kind, diskURI } = source;
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupported(child(path, 'cachingMode'), cachingMode, cachingModes));
  }
  if (kind !== undefined && !diskKinds.includes(kind)) {
    errors.push(notSupported(child(path, 'kind'), kind, diskKinds));
  }
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
    errors.push(notSupported(child(path, 'diskURI'), diskURI, [managedUri]));
  }
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')) {
    errors.push(notSupported(child(path, 'diskURI'), diskURI, [blobUri]));
  }
  return errors;
}

/** A StorageOS volume. */
export function storageosErrors(source: Source<'storageos'>, path: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source;
  return [
    ...(volumeName === ''
      ? [required(child(path, 'volumeName'))]
      : dnsLabelErrors(volumeName, child(path, 'volumeName'))),
    ...(volumeNamespace === ''
      ? []
      : dnsLabelErrors(volumeNamespace, child(path, 'volumeNamespace'))),
    ...(secretRef === undefined
      ? []
      : requiredText(secretRef.name, child(path, 'secretRef', 'name'))),
  ];
}

/** A ScaleIO volume. */
export function scaleioErrors(source: ScaleIoSource, path: string): FieldError[] {
  return [
    ...requiredText(source.gateway, child(path, 'gateway')),
    ...requiredText(source.system, child(path, 'system')),
    ...requiredText(source.volumeName, child(path, 'volumeName')),
  ];
}
