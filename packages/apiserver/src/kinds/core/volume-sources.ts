import {
  child,
  type FieldError,
  forbidden,
  invalid,
  type Json,
  notSupported,
  required,
} from '@flotilla/machinery';
import { validateDNSLabel, validateDNSSubdomain } from './fields.ts';
import { isIscsiName } from './iscsi-name.ts';
import {
  validateCSIDriverName,
  validateHostPath,
  validatePathNoBacksteps,
} from './volume-fields.ts';

/** Checks one kind of volume source. */
type SourceRule = (source: Json, path: string, volume: string) => FieldError[];

const PARTITION_RANGE = 'must be between 1 and 255, inclusive';
const LUN_RANGE = 'must be between 0 and 255, inclusive';

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];

/**
 * Every source a PersistentVolume can have, in the order upstream looks at them. Some are reported under another name
 * than their field's; `shown` has the one for errors inside, `field` the one for a second source.
 */
export const volumeSources: readonly {
  readonly field: string;
  readonly refused?: string;
  readonly shown?: string;
  /** Upstream forgot to refuse this one beside another. */
  readonly alwaysChecked?: true;
  readonly rule: SourceRule;
}[] = [
  {
    field: 'hostPath',
    rule: (source, path) =>
      validateHostPath({ path: text(source, 'path'), type: text(source, 'type') }, path),
  },
  {
    field: 'gcePersistentDisk',
    shown: 'persistentDisk',
    rule: (source, path) => [...needs(source, path, ['pdName']), ...partition(source, path)],
  },
  {
    field: 'awsElasticBlockStore',
    rule: (source, path) => [...needs(source, path, ['volumeID']), ...partition(source, path)],
  },
  { field: 'glusterfs', rule: validateGlusterfs },
  { field: 'flocker', rule: validateFlocker },
  { field: 'nfs', rule: validateNfs },
  { field: 'rbd', rule: (source, path) => needs(source, path, ['monitors', 'image']) },
  { field: 'quobyte', rule: validateQuobyte },
  {
    field: 'cephfs',
    refused: 'cephFS',
    rule: (source, path) => needs(source, path, ['monitors']),
  },
  { field: 'iscsi', rule: validateIscsi },
  {
    field: 'cinder',
    rule: (source, path) => [
      ...needs(source, path, ['volumeID']),
      ...validateSecretPresence(source, path),
    ],
  },
  { field: 'fc', rule: validateFc },
  { field: 'flexVolume', alwaysChecked: true, rule: validateFlexVolume },
  { field: 'azureFile', rule: validateAzureFile },
  { field: 'vsphereVolume', rule: (source, path) => needs(source, path, ['volumePath']) },
  { field: 'photonPersistentDisk', rule: (source, path) => needs(source, path, ['pdID']) },
  { field: 'portworxVolume', rule: (source, path) => needs(source, path, ['volumeID']) },
  { field: 'azureDisk', rule: validateAzureDisk },
  {
    field: 'scaleIO',
    rule: (source, path) => needs(source, path, ['gateway', 'system', 'volumeName']),
  },
  { field: 'local', rule: validateLocal },
  { field: 'storageos', rule: validateStorageOs },
  { field: 'csi', rule: validateCsi },
];

function text(source: Json, field: string): string {
  const value = source[field];
  return typeof value === 'string' ? value : '';
}

function number(source: Json, field: string): number {
  const value = source[field];
  return typeof value === 'number' ? value : 0;
}

function list(source: Json, field: string): readonly unknown[] {
  const value = source[field];
  return Array.isArray(value) ? value : [];
}

function object(source: Json, field: string): Json | undefined {
  const value = source[field];
  return typeof value === 'object' && value !== null ? (value as Json) : undefined;
}

/** Fields that must be neither empty texts nor empty lists. */
function needs(source: Json, path: string, fields: readonly string[]): FieldError[] {
  return fields
    .filter((field) => text(source, field) === '' && list(source, field).length === 0)
    .map((field) => required(child(path, field)));
}

function partition(source: Json, path: string): FieldError[] {
  const value = number(source, 'partition');
  return value < 0 || value > 255
    ? [invalid(child(path, 'partition'), value, PARTITION_RANGE)]
    : [];
}

function validateGlusterfs(source: Json, path: string): FieldError[] {
  const errors = needs(source, path, ['endpoints', 'path']);
  const namespace = source['endpointsNamespace'];
  if (typeof namespace !== 'string') return errors;
  const namespacePath = child(path, 'endpointsNamespace');
  if (namespace === '') {
    const detail = 'if the endpointnamespace is set, it must be a valid namespace name';
    return [...errors, invalid(namespacePath, namespace, detail)];
  }
  return [...errors, ...validateDNSLabel(namespace, namespacePath)];
}

function validateFlocker(source: Json, path: string): FieldError[] {
  const name = text(source, 'datasetName');
  const uuid = text(source, 'datasetUUID');
  const errors: FieldError[] = [];
  if (name === '' && uuid === '') {
    const detail = 'one of datasetName and datasetUUID is required';
    errors.push(required(path, detail));
  }
  if (name !== '' && uuid !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    errors.push(invalid(path, 'resource', detail));
  }
  if (name.includes('/')) {
    errors.push(invalid(child(path, 'datasetName'), name, "must not contain '/'"));
  }
  return errors;
}

function validateNfs(source: Json, path: string): FieldError[] {
  const errors = needs(source, path, ['server', 'path']);
  const nfsPath = text(source, 'path');
  if (!nfsPath.startsWith('/')) {
    errors.push(invalid(child(path, 'path'), nfsPath, 'must be an absolute path'));
  }
  return errors;
}

function validateQuobyte(source: Json, path: string): FieldError[] {
  const registry = text(source, 'registry');
  const registryPath = child(path, 'registry');
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (registry === '') errors.push(required(registryPath, detail));
  else if (text(source, 'tenant').length >= 65) {
    const tenant = 'must be a UUID and may not exceed a length of 64 characters';
    errors.push(required(child(path, 'tenant'), tenant));
  } else {
    for (const pair of registry.split(',')) {
      if (!/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) {
        errors.push(invalid(registryPath, registry, detail));
      }
    }
  }
  return [...errors, ...needs(source, path, ['volume'])];
}

function validateIscsi(source: Json, path: string, volume: string): FieldError[] {
  const errors = needs(source, path, ['targetPortal']);
  const portal = text(source, 'targetPortal');
  const initiator = source['initiatorName'];
  if (typeof initiator === 'string' && `${volume}:${portal}`.length > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalid(child(path, 'targetportal'), portal, detail));
  }
  const iqn = text(source, 'iqn');
  if (iqn === '') errors.push(required(child(path, 'iqn')));
  else if (!isIscsiName(iqn)) errors.push(invalid(child(path, 'iqn'), iqn, 'must be valid format'));
  const lun = number(source, 'lun');
  if (lun < 0 || lun > 255) errors.push(invalid(child(path, 'lun'), lun, LUN_RANGE));
  const secret = object(source, 'secretRef');
  const chap = source['chapAuthDiscovery'] === true || source['chapAuthSession'] === true;
  if (chap && secret === undefined) errors.push(required(child(path, 'secretRef')));
  if (secret !== undefined && text(secret, 'name') === '') {
    errors.push(required(child(path, 'secretRef', 'name')));
  }
  if (typeof initiator === 'string' && !isIscsiName(initiator)) {
    errors.push(invalid(child(path, 'initiatorname'), initiator, 'must be valid format'));
  }
  return errors;
}

function validateFc(source: Json, path: string): FieldError[] {
  const wwns = list(source, 'targetWWNs');
  const wwids = list(source, 'wwids');
  const wwnsPath = child(path, 'targetWWNs');
  const errors: FieldError[] = [];
  if (wwns.length === 0 && wwids.length === 0) {
    errors.push(required(wwnsPath, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (wwns.length > 0 && wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    errors.push(invalid(wwnsPath, wwns, detail));
  }
  if (wwns.length === 0) return errors;
  const lun = source['lun'];
  if (typeof lun !== 'number') {
    errors.push(required(child(path, 'lun'), 'lun is required if targetWWNs is specified'));
  } else if (lun < 0 || lun > 255) errors.push(invalid(child(path, 'lun'), lun, LUN_RANGE));
  return errors;
}

function validateFlexVolume(source: Json, path: string): FieldError[] {
  const errors = needs(source, path, ['driver']);
  for (const key of Object.keys(object(source, 'options') ?? {})) {
    const domain = `.${(key.includes('/') ? (key.split('/')[0] ?? '') : key).toLowerCase()}`;
    if (!domain.endsWith('.kubernetes.io') && !domain.endsWith('.k8s.io')) continue;
    const detail = 'kubernetes.io and k8s.io namespaces are reserved';
    errors.push(invalid(`${child(path, 'options')}[${key}]`, key, detail));
  }
  return errors;
}

function validateAzureFile(source: Json, path: string): FieldError[] {
  const errors = needs(source, path, ['secretName', 'shareName']);
  if (source['secretNamespace'] === '') errors.push(required(child(path, 'secretNamespace')));
  return errors;
}

function validateAzureDisk(source: Json, path: string): FieldError[] {
  const errors = needs(source, path, ['diskName', 'diskURI']);
  const uri = text(source, 'diskURI');
  const uriPath = child(path, 'diskURI');
  const { cachingMode, kind } = source;
  if (typeof cachingMode === 'string' && !cachingModes.includes(cachingMode)) {
    errors.push(notSupported(child(path, 'cachingMode'), cachingMode, cachingModes));
  }
  if (typeof kind !== 'string') return errors;
  if (!diskKinds.includes(kind)) errors.push(notSupported(child(path, 'kind'), kind, diskKinds));
  if (kind === 'Managed' && !uri.startsWith('/subscriptions/')) {
    errors.push(
      notSupported(uriPath, uri, [
        '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
      ]),
    );
  }
  if (kind !== 'Managed' && !uri.startsWith('https://')) {
    errors.push(
      notSupported(uriPath, uri, [
        'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
      ]),
    );
  }
  return errors;
}

function validateLocal(source: Json, path: string): FieldError[] {
  const localPath = text(source, 'path');
  return localPath === ''
    ? [required(child(path, 'path'))]
    : validatePathNoBacksteps(localPath, child(path, 'path'));
}

function validateSecretPresence(source: Json, path: string): FieldError[] {
  const secret = object(source, 'secretRef');
  return secret === undefined ? [] : needs(secret, child(path, 'secretRef'), ['name', 'namespace']);
}

function validateStorageOs(source: Json, path: string): FieldError[] {
  const name = text(source, 'volumeName');
  const namespace = text(source, 'volumeNamespace');
  return [
    ...(name === ''
      ? [required(child(path, 'volumeName'))]
      : validateDNSLabel(name, child(path, 'volumeName'))),
    ...(namespace === '' ? [] : validateDNSLabel(namespace, child(path, 'volumeNamespace'))),
    ...validateSecretPresence(source, path),
  ];
}

function validateCsi(source: Json, path: string): FieldError[] {
  const errors = [
    ...validateCSIDriverName(text(source, 'driver'), child(path, 'driver')),
    ...needs(source, path, ['volumeHandle']),
  ];
  for (const field of [
    'controllerPublishSecretRef',
    'controllerExpandSecretRef',
    'nodePublishSecretRef',
    'nodeExpandSecretRef',
  ]) {
    const secret = object(source, field);
    if (secret !== undefined) errors.push(...validateSecretReference(secret, child(path, field)));
  }
  return errors;
}

function validateSecretReference(secret: Json, path: string): FieldError[] {
  const name = text(secret, 'name');
  const namespace = text(secret, 'namespace');
  return [
    ...(name === ''
      ? [required(child(path, 'name'))]
      : validateDNSSubdomain(name, child(path, 'name'))),
    ...(namespace === ''
      ? [required(child(path, 'namespace'))]
      : validateDNSLabel(namespace, child(path, 'namespace'))),
  ];
}

/** The refusal of a second source. */
export function secondSource(field: string, path: string): FieldError {
  return forbidden(child(path, field), 'may not specify more than 1 volume type');
}
