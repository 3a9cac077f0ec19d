import {
  at,
  child,
  type FieldError,
  invalid,
  isDNS1123Subdomain,
  required,
} from '@flotilla/machinery';
import { validateCSIDriverName } from '../core/volume-fields.ts';
import { localPathErrors } from './paths.ts';
import { invalidEach } from './support.ts';
import type { KeyToPath, Volume } from './volume-types.ts';

const MAX_FILE_MODE = 0o777;

/** A file mode given as a plain number. */
export function fileModeErrors(mode: number | null | undefined, path: string): FieldError[] {
  if (mode == null || (mode >= 0 && mode <= MAX_FILE_MODE)) return [];
  return [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** A mounted Secret. */
export function secretErrors(source: NonNullable<Volume['secret']>, path: string): FieldError[] {
  return [
    ...((source.secretName ?? '') === '' ? [required(child(path, 'secretName'))] : []),
    ...fileModeErrors(source.defaultMode, child(path, 'defaultMode')),
    ...keyToPathErrors(source.items, child(path, 'items')),
  ];
}

/** A mounted ConfigMap. */
export function configMapErrors(
  source: NonNullable<Volume['configMap']>,
  path: string,
): FieldError[] {
  return [
    ...((source.name ?? '') === '' ? [required(child(path, 'name'))] : []),
    ...fileModeErrors(source.defaultMode, child(path, 'defaultMode')),
    ...keyToPathErrors(source.items, child(path, 'items')),
  ];
}

/** The keys of a mounted object that become files. */
export function keyToPathErrors(
  items: readonly KeyToPath[] | null | undefined,
  path: string,
): FieldError[] {
  return (items ?? []).flatMap((item, index) => keyToPathItemErrors(item, at(path, index)));
}

/** One key of a mounted object and the file it becomes. */
export function keyToPathItemErrors(item: KeyToPath, path: string): FieldError[] {
  return [
    ...(item.key === '' ? [required(child(path, 'key'))] : []),
    ...(item.path === '' ? [required(child(path, 'path'))] : []),
    ...localPathErrors(item.path, child(path, 'path')),
    ...fileModeErrors(item.mode, child(path, 'mode')),
  ];
}

/** A volume of a CSI driver, inline. */
export function csiErrors(source: NonNullable<Volume['csi']>, path: string): FieldError[] {
  const errors = validateCSIDriverName(source.driver, child(path, 'driver'));
  const secret = source.nodePublishSecretRef;
  if (secret === undefined) return errors;
  const name = secret.name ?? '';
  if (name === '') errors.push(required(child(path, 'nodePublishSecretRef', 'name')));
  else errors.push(...invalidEach(child(path, 'name'), name, isDNS1123Subdomain(name)));
  return errors;
}
