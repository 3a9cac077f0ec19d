import {
  at,
  child,
  type FieldError,
  forbidden,
  invalid,
  notFoundField,
  notSupported,
  required,
} from '@flotilla/machinery';
import { validatePathNoBacksteps } from '../core/volume-fields.ts';
import type { Container, VolumeMount } from './container-types.ts';
import { descendingPathErrors } from './paths.ts';
import type { Volume } from './volume-types.ts';

type Volumes = ReadonlyMap<string, Volume>;

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const readOnlyModes = ['Disabled', 'Enabled', 'IfPossible'];

/** Where a container's volumes appear in it. */
export function mountErrors(container: Container, volumes: Volumes, path: string): FieldError[] {
  const devices = pathsByName(container.volumeDevices, 'devicePath');
  const seen = new Set<string>();
  return (container.volumeMounts ?? []).flatMap((mount, index) => {
    const here = at(path, index);
    const errors: FieldError[] = [];
    if (mount.name === '') errors.push(required(child(here, 'name')));
    if (!volumes.has(mount.name)) errors.push(notFoundField(child(here, 'name'), mount.name));
    if (mount.mountPath === '') errors.push(required(child(here, 'mountPath')));
    if (seen.has(mount.mountPath)) {
      errors.push(invalid(child(here, 'mountPath'), mount.mountPath, 'must be unique'));
    }
    seen.add(mount.mountPath);
    if (devices.has(mount.name)) {
      const detail = 'must not already exist in volumeDevices';
      errors.push(invalid(child(here, 'name'), mount.name, detail));
    }
    if ([...devices.values()].includes(mount.mountPath)) {
      const detail = 'must not already exist as a path in volumeDevices';
      errors.push(invalid(child(here, 'mountPath'), mount.mountPath, detail));
    }
    // Upstream reports the rest at the list, not at the mount.
    return [...errors, ...subPathErrors(mount, path, here), ...modeErrors(mount, container, path)];
  });
}

/** Block devices of a container. */
export function deviceErrors(container: Container, volumes: Volumes, path: string): FieldError[] {
  const mounts = pathsByName(container.volumeMounts, 'mountPath');
  const names = new Set<string>();
  const paths = new Set<string>();
  return (container.volumeDevices ?? []).flatMap(({ name, devicePath }, index) => {
    const here = at(path, index);
    const namePath = child(here, 'name');
    const devicePathPath = child(here, 'devicePath');
    const volume = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(namePath));
    if (names.has(name)) errors.push(invalid(namePath, name, 'must be unique'));
    if (volume === undefined) {
      errors.push(notFoundField(namePath, name));
    } else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail =
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(namePath, name, detail));
    }
    if (devicePath === '') errors.push(required(devicePathPath));
    if (paths.has(devicePath)) errors.push(invalid(devicePathPath, devicePath, 'must be unique'));
    if (validatePathNoBacksteps(devicePath, '').length > 0) {
      errors.push(invalid(devicePathPath, devicePath, "can not contain backsteps ('..')"));
    } else {
      paths.add(devicePath);
    }
    if (mounts.has(name)) {
      errors.push(invalid(namePath, name, 'must not already exist in volumeMounts'));
    }
    if ([...mounts.values()].includes(devicePath)) {
      const detail = 'must not already exist as a path in volumeMounts';
      errors.push(invalid(devicePathPath, devicePath, detail));
    }
    if (name !== '') names.add(name);
    return errors;
  });
}

/** Of several entries with one name the last one counts, as in upstream's map. */
function pathsByName<K extends string>(
  entries: readonly ({ name: string } & Record<K, string>)[] | undefined,
  field: K,
): Map<string, string> {
  return new Map((entries ?? []).map((entry) => [entry.name, entry[field]]));
}

function subPathErrors(mount: VolumeMount, path: string, here: string): FieldError[] {
  const { subPath = '', subPathExpr = '' } = mount;
  const errors = subPath === '' ? [] : descendingPathErrors(subPath, child(path, 'subPath'));
  if (subPathExpr === '') return errors;
  if (subPath !== '') {
    const detail = 'subPathExpr and subPath are mutually exclusive';
    errors.push(invalid(child(here, 'subPathExpr'), subPathExpr, detail));
  }
  return [...errors, ...descendingPathErrors(subPathExpr, child(path, 'subPathExpr'))];
}

function modeErrors(mount: VolumeMount, container: Container, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { mountPropagation, recursiveReadOnly } = mount;
  if (mountPropagation !== undefined) {
    const below = child(path, 'mountPropagation');
    if (!propagations.includes(mountPropagation)) {
      errors.push(notSupported(below, mountPropagation, propagations));
    }
    if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers';
      errors.push(forbidden(below, detail));
    }
  }
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return errors;
  const below = child(path, 'recursiveReadOnly');
  if (!readOnlyModes.includes(recursiveReadOnly)) {
    return [...errors, notSupported(below, recursiveReadOnly, readOnlyModes)];
  }
  if (mount.readOnly !== true) {
    errors.push(forbidden(below, 'may only be specified when readOnly is true'));
  }
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    const detail = 'may only be specified when mountPropagation is None or not specified';
    errors.push(forbidden(below, detail));
  }
  return errors;
}
