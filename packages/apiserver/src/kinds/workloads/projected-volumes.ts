import { at, child, type FieldError, forbidden, invalid, required } from '@flotilla/machinery';
import { fieldSelectorErrors, resourceSelectorErrors } from './env.ts';
import { localPathErrors } from './paths.ts';
import type { PodOptions } from './pod-options.ts';
import { fileModeErrors, keyToPathItemErrors } from './volume-sources.ts';
import type { DownwardFile, KeyToPath, Volume, VolumeProjection } from './volume-types.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

const downwardFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** A volume whose files are fields of the pod. */
export function downwardApiErrors(volume: Volume, path: string): FieldError[] {
  const source = volume.downwardAPI;
  return [
    ...fileModeErrors(source?.defaultMode, child(path, 'defaultMode')),
    // Upstream reports every file at the path of the source, without its index.
    ...(source?.items ?? []).flatMap((file) => downwardFileErrors(file, path)),
  ];
}

/** A volume that joins several sources. */
export function projectedErrors(volume: Volume, path: string, options: PodOptions): FieldError[] {
  const paths = new Set<string>();
  return [
    ...fileModeErrors(volume.projected?.defaultMode, child(path, 'defaultMode')),
    ...(volume.projected?.sources ?? []).flatMap((source, index) =>
      projectionErrors(source, { path, here: at(child(path, 'sources'), index), paths, options }),
    ),
  ];
}

interface Projection {
  /** Path of the whole projected volume, where upstream reports some errors of single sources. */
  readonly path: string;
  readonly here: string;
  /** Files of the volume so far. */
  readonly paths: Set<string>;
  readonly options: PodOptions;
}

function projectionErrors(source: VolumeProjection, context: Projection): FieldError[] {
  const { here, path, paths, options } = context;
  const errors: FieldError[] = [];
  const claim = (file: string, shown: string) => {
    if (file !== '' && paths.has(file)) {
      errors.push(invalid(path, shown, 'conflicting duplicate paths'));
    }
    paths.add(file);
  };
  const keys = (items: readonly KeyToPath[] | undefined, below: string, name: string) => {
    if (name === '') errors.push(required(child(below, 'name')));
    (items ?? []).forEach((item, index) => {
      errors.push(...keyToPathItemErrors(item, at(child(below, 'items'), index)));
      claim(item.path, name);
    });
  };
  if (source.secret) keys(source.secret.items, child(here, 'secret'), source.secret.name ?? '');
  if (source.configMap) {
    keys(source.configMap.items, child(here, 'configMap'), source.configMap.name ?? '');
  }
  for (const file of source.downwardAPI?.items ?? []) {
    errors.push(...downwardFileErrors(file, child(here, 'downwardAPI')));
    claim(file.path, file.path);
  }
  const token = source.serviceAccountToken;
  if (token !== undefined) {
    const below = child(here, 'serviceAccountToken', 'expirationSeconds');
    const seconds = token.expirationSeconds ?? 0;
    if (seconds < MIN_TOKEN_SECONDS) {
      errors.push(invalid(below, seconds, 'may not specify a duration less than 10 minutes'));
    }
    if (seconds > MAX_TOKEN_SECONDS) {
      errors.push(invalid(below, seconds, 'may not specify a duration larger than 2^32 seconds'));
    }
    if (token.path === '') errors.push(required(child(path, 'path')));
    else if (!options.allowNonLocalTokenPath) {
      errors.push(...localPathErrors(token.path, child(path, 'path')));
    }
  }
  const kinds = [source.secret, source.configMap, source.downwardAPI, token];
  if (kinds.filter((kind) => kind !== undefined).length > 1) {
    errors.push(forbidden(here, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

function downwardFileErrors(file: DownwardFile, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (file.path === '') errors.push(required(child(path, 'path')));
  errors.push(...localPathErrors(file.path, child(path, 'path')));
  if (file.fieldRef !== undefined) {
    errors.push(...fieldSelectorErrors(file.fieldRef, downwardFields, child(path, 'fieldRef')));
    if (file.resourceFieldRef !== undefined) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      errors.push(invalid(path, 'resource', detail));
    }
  } else if (file.resourceFieldRef !== undefined) {
    const below = child(path, 'resourceFieldRef');
    errors.push(...resourceSelectorErrors(file.resourceFieldRef, below, true));
  } else {
    errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  }
  return [...errors, ...fileModeErrors(file.mode, child(path, 'mode'))];
}
