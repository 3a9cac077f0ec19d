import {
  byteLength,
  child,
  type FieldError,
  forbidden,
  invalid,
  isDNS1123Subdomain,
  notSupported,
  required,
  tooLong,
} from '@flotilla/machinery';

/** The annotation that named a storage class before the field did. */
export const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/** How volumes can be handed out, in the order messages list it. */
export const volumeModes = ['Block', 'Filesystem'];

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];
const MAX_DRIVER_BYTES = 63;
const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const shortModes: readonly (readonly [string, string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** Access modes, of which `ReadWriteOncePod` must stand alone. */
export function validateAccessModes(modes: readonly string[], path: string): FieldError[] {
  const errors = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(path, mode, accessModes));
  const known = new Set(modes.filter((mode) => accessModes.includes(mode)));
  if (known.has('ReadWriteOncePod') && known.size > 1) {
    errors.push(forbidden(path, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

/** Access modes as columns show them, always in the same order. */
export function accessModesCell(modes: readonly string[] | undefined): string {
  return shortModes
    .filter(([mode]) => modes?.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** A path that does not climb out of where it starts. */
export function validatePathNoBacksteps(text: string, path: string): FieldError[] {
  return text.split('/').includes('..') ? [invalid(path, text, "must not contain '..'")] : [];
}

/** A folder of the node. */
export function validateHostPath(
  source: { readonly path: string; readonly type?: string | null },
  path: string,
): FieldError[] {
  if (source.path === '') return [required(child(path, 'path'))];
  const errors = validatePathNoBacksteps(source.path, child(path, 'path'));
  if (source.type != null && !hostPathTypes.includes(source.type)) {
    errors.push(notSupported(child(path, 'type'), source.type, hostPathTypes));
  }
  return errors;
}

/** The name of a CSI driver: a short DNS name in which case does not matter. */
export function validateCSIDriverName(name: string, path: string): FieldError[] {
  const errors: FieldError[] = name === '' ? [required(path)] : [];
  if (byteLength(name) > MAX_DRIVER_BYTES) errors.push(tooLong(path, '', MAX_DRIVER_BYTES));
  for (const message of isDNS1123Subdomain(name.toLowerCase())) {
    errors.push(invalid(path, name, message));
  }
  return errors;
}
