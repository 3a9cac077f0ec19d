import {
  byteLength,
  child,
  deepEqual,
  type FieldError,
  forbidden,
  immutableDetail,
  invalid,
  type KubeObject,
  required,
  tooLong,
} from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';
import { age, nameCell } from '../core/cells.ts';
import { validateDNSSubdomain } from '../core/fields.ts';
import {
  type PersistentVolumeSpec,
  validatePersistentVolumeSpec,
} from '../core/persistent-volume-spec.ts';
import { validateCSIDriverName } from '../core/volume-fields.ts';

const MAX_METADATA_BYTES = 256 * 1024;
const MAX_MESSAGE_BYTES = 1024;

interface VolumeError {
  time?: string | null;
  message?: string;
  errorCode?: number;
}

interface VolumeAttachment extends KubeObject {
  spec: {
    attacher: string;
    source: { persistentVolumeName?: string; inlineVolumeSpec?: PersistentVolumeSpec };
    nodeName: string;
  };
  status: {
    attached: boolean;
    attachmentMetadata?: Record<string, string>;
    attachError?: VolumeError;
    detachError?: VolumeError;
  };
}

/** The wish to have a volume on a node, and what came of it. */
export const volumeAttachment: KindBehaviour<VolumeAttachment> = {
  keepsMetadataOnStatus: true,
  unconditionalUpdate: false,
  prepareForCreate: (object) => {
    object.status = { attached: false };
  },
  prepareForStatusUpdate: (object, old) => {
    for (const field of ['attachError', 'detachError'] as const) {
      if (old.status[field]?.errorCode === undefined) delete object.status[field]?.errorCode;
    }
  },
  validate: (object) => [...validate(object), ...validateNew(object)],
  validateOnUpdate: false,
  validateUpdate: validateChange,
  validateStatusUpdate: validateChange,
  cells: (object, { now }) => [
    nameCell(object),
    object.spec.attacher,
    object.spec.source.persistentVolumeName ?? '',
    object.spec.nodeName,
    object.status.attached,
    age(object, now),
  ],
};

function validate({ spec, status }: VolumeAttachment): FieldError[] {
  return [
    ...(spec.attacher === '' ? [required('spec.attacher')] : []),
    ...validateSource(spec.source, 'spec.source'),
    ...validateDNSSubdomain(spec.nodeName, 'spec.nodeName'),
    ...validateMetadata(status.attachmentMetadata ?? {}),
    ...validateError(status.attachError, 'status.attachError'),
    ...validateError(status.detachError, 'status.detachError'),
  ];
}

/** Rules newer than the kind, for new objects only. */
function validateNew({ spec }: VolumeAttachment): FieldError[] {
  const errors = validateCSIDriverName(spec.attacher, 'spec.attacher');
  const name = spec.source.persistentVolumeName;
  if (name === undefined) return errors;
  return [...errors, ...validateDNSSubdomain(name, 'spec.source.persistentVolumeName')];
}

function validateChange(object: VolumeAttachment, old: VolumeAttachment): FieldError[] {
  // Upstream checks the object twice on update, and clients see each cause twice.
  const errors = [...validate(object), ...validate(object)];
  if (!deepEqual(object.spec, old.spec)) {
    const { attacher, source, nodeName } = object.spec;
    const shown = {
      Attacher: attacher,
      Source: {
        PersistentVolumeName: source.persistentVolumeName ?? null,
        InlineVolumeSpec: source.inlineVolumeSpec ?? null,
      },
      NodeName: nodeName,
    };
    errors.push(invalid('spec', shown, immutableDetail));
  }
  return errors;
}

function validateSource(source: VolumeAttachment['spec']['source'], path: string): FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (name === undefined && inline === undefined) return [required(path, detail)];
  if (name !== undefined && inline !== undefined) return [forbidden(path, detail)];
  if (inline !== undefined) {
    const options = { name: '', allowInvalidValues: false, inline: true };
    return validatePersistentVolumeSpec(inline, options, child(path, 'inlineVolumeSpec'));
  }
  if (name !== '') return [];
  const missing = 'must specify non empty persistentVolumeName';
  return [required(child(path, 'persistentVolumeName'), missing)];
}

function validateMetadata(metadata: Readonly<Record<string, string>>): FieldError[] {
  let bytes = 0;
  for (const [key, value] of Object.entries(metadata)) bytes += byteLength(key) + byteLength(value);
  return bytes > MAX_METADATA_BYTES
    ? [tooLong('status.attachmentMetadata', '', MAX_METADATA_BYTES)]
    : [];
}

function validateError(error: VolumeError | undefined, path: string): FieldError[] {
  if (error === undefined) return [];
  const errors: FieldError[] = [];
  // Upstream names the limit of another field.
  if (byteLength(error.message ?? '') > MAX_MESSAGE_BYTES) {
    errors.push(tooLong(child(path, 'message'), '', MAX_METADATA_BYTES));
  }
  if (error.errorCode !== undefined && error.errorCode < 0) {
    const detail = 'must be between 0 and 2147483647, inclusive';
    errors.push(invalid(child(path, 'errorCode'), error.errorCode, detail));
  }
  return errors;
}
