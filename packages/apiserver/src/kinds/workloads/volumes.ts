import {
  at,
  byteLength,
  child,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  required,
} from '@flotilla/machinery';
import { validateHostPath } from '../core/volume-fields.ts';
import { volumeClaimTemplateErrors } from './claim-spec.ts';
import type { PodOptions } from './pod-options.ts';
import { downwardApiErrors, projectedErrors } from './projected-volumes.ts';
import { compareQuantityTexts } from './quantities.ts';
import * as remote from './remote-volumes.ts';
import { dnsLabelErrors, invalidEach, oneOf } from './support.ts';
import { configMapErrors, csiErrors, secretErrors } from './volume-sources.ts';
import type { Volume } from './volume-types.ts';

/** What the checks of a pod's volumes need to know of the pod. */
export interface VolumeContext {
  /** Name of the pod, or '' for templates and generated names. */
  readonly podName: string;
  readonly options: PodOptions;
}

/** The volumes that are sound, by name, and what is wrong with the others. */
export interface CheckedVolumes {
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly errors: FieldError[];
}

type SourceCheck = (volume: Volume, path: string, context: VolumeContext) => FieldError[];

interface SourceRule {
  readonly field: keyof Volume;
  /** The name upstream uses in its message where it differs from the field. */
  readonly named?: string;
  /** The path below which upstream reports errors of the source where it differs. */
  readonly below?: string;
  readonly check: SourceCheck;
  /** Checked also when another source is set already. */
  readonly always?: SourceCheck;
}

/** Wraps a check that looks only at its own source. */
function source<K extends keyof Volume>(
  field: K,
  check: (source: NonNullable<Volume[K]>, path: string) => FieldError[],
): SourceRule {
  return {
    field,
    check: (volume, path) => {
      const value = volume[field];
      return value == null ? [] : check(value, path);
    },
  };
}

// In the order upstream looks at them: the second source found is the one that is refused.
const sourceRules: readonly SourceRule[] = [
  source('emptyDir', (emptyDir, path) =>
    emptyDir.sizeLimit !== undefined && compareQuantityTexts(emptyDir.sizeLimit, '0') < 0
      ? [forbidden(child(path, 'sizeLimit'), 'SizeLimit field must be a valid resource quantity')]
      : [],
  ),
  source('hostPath', validateHostPath),
  source('gitRepo', remote.gitRepoErrors),
  { ...source('gcePersistentDisk', remote.gceDiskErrors), below: 'persistentDisk' },
  source('awsElasticBlockStore', remote.awsDiskErrors),
  source('secret', secretErrors),
  source('nfs', remote.nfsErrors),
  { ...source('iscsi', remote.iscsiErrors), always: iscsiNameErrors },
  source('glusterfs', remote.glusterfsErrors),
  source('flocker', remote.flockerErrors),
  source('persistentVolumeClaim', (claim, path) =>
    claim.claimName === '' ? [required(child(path, 'claimName'))] : [],
  ),
  source('rbd', remote.rbdErrors),
  source('cinder', remote.cinderErrors),
  { ...source('cephfs', remote.cephfsErrors), named: 'cephFS' },
  source('quobyte', remote.quobyteErrors),
  {
    field: 'downwardAPI',
    named: 'downwarAPI',
    check: (volume, path) => downwardApiErrors(volume, path),
  },
  source('fc', remote.fibreChannelErrors),
  source('flexVolume', remote.flexVolumeErrors),
  source('configMap', configMapErrors),
  source('azureFile', remote.azureFileErrors),
  source('vsphereVolume', remote.vsphereErrors),
  source('photonPersistentDisk', remote.photonErrors),
  source('portworxVolume', remote.portworxErrors),
  source('azureDisk', remote.azureDiskErrors),
  source('storageos', remote.storageosErrors),
  {
    field: 'projected',
    check: (volume, path, { options }) => projectedErrors(volume, path, options),
  },
  source('scaleIO', remote.scaleioErrors),
  source('csi', csiErrors),
  { field: 'ephemeral', check: ephemeralErrors },
  {
    field: 'image',
    check: (volume, path, { options }) => [
      ...(options.resourceIsPod && (volume.image?.reference ?? '') === ''
        ? [required(child(path, 'reference'))]
        : []),
      ...oneOf(child(path, 'pullPolicy'), volume.image?.pullPolicy, [
        'Always',
        'IfNotPresent',
        'Never',
      ]),
    ],
  },
];

/** Checks a pod's volumes: names, and exactly one sound source each. */
export function checkVolumes(
  volumes: readonly Volume[],
  path: string,
  context: VolumeContext,
): CheckedVolumes {
  const errors: FieldError[] = [];
  const sound = new Map<string, Volume>();
  const created = new Set(
    context.podName === ''
      ? []
      : volumes.filter((each) => each.ephemeral).map((each) => `${context.podName}-${each.name}`),
  );
  volumes.forEach((volume, index) => {
    const here = at(path, index);
    const found = volumeSourceErrors(volume, here, context);
    if (volume.name === '') found.push(required(child(here, 'name')));
    else found.push(...dnsLabelErrors(volume.name, child(here, 'name')));
    if (sound.has(volume.name)) found.push(duplicate(child(here, 'name'), volume.name));
    if (found.length === 0) sound.set(volume.name, volume);
    errors.push(...found);
    const claimName = volume.persistentVolumeClaim?.claimName;
    if (claimName !== undefined && created.has(claimName)) {
      errors.push(
        invalid(
          child(here, 'persistentVolumeClaim', 'claimName'),
          claimName,
          'must not reference a PVC that gets created for an ephemeral volume',
        ),
      );
    }
  });
  return { volumes: sound, errors };
}

function volumeSourceErrors(volume: Volume, path: string, context: VolumeContext): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const rule of sourceRules) {
    if (volume[rule.field] == null) continue;
    if (found) {
      errors.push(
        forbidden(child(path, rule.named ?? rule.field), 'may not specify more than 1 volume type'),
      );
    } else {
      errors.push(...rule.check(volume, child(path, rule.below ?? rule.field), context));
    }
    found = true;
    if (rule.always !== undefined) errors.push(...rule.always(volume, path, context));
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function iscsiNameErrors({ name, iscsi }: Volume, path: string): FieldError[] {
  if (iscsi?.initiatorName === undefined) return [];
  if (byteLength(`${name}:${iscsi.targetPortal}`) <= 64) return [];
  return [
    invalid(
      child(path, 'name'),
      name,
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ),
  ];
}

function ephemeralErrors(volume: Volume, path: string, { podName }: VolumeContext): FieldError[] {
  const template = volume.ephemeral?.volumeClaimTemplate;
  const below = child(path, 'volumeClaimTemplate');
  const errors = template == null ? [required(below)] : volumeClaimTemplateErrors(template, below);
  if (podName === '' || volume.name === '') return errors;
  const claim = `${podName}-${volume.name}`;
  const namePath = child(path.slice(0, path.lastIndexOf('.')), 'name');
  const messages = isDNS1123Subdomain(claim).map((text) => `PVC name "${claim}": ${text}`);
  return [...errors, ...invalidEach(namePath, volume.name, messages)];
}
