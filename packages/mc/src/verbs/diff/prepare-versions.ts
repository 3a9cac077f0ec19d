import { deepEqual, isJsonObject, type Json, setOwn, toYaml } from '@flotilla/machinery';
import { maskSecrets } from './mask-secrets.ts';

/** One object as it is and as it would become. */
export interface Versions {
  /** Undefined where there is none. */
  readonly live: Json | undefined;
  readonly merged: Json;
}

/** Which fields are shown. */
export interface VersionOptions {
  readonly showManagedFields: boolean;
  /** Leaves out what every server makes up by itself, so that the same change is the same text on all clusters. */
  readonly isComparable: boolean;
}

/** Of the server's own making; no manifest sets them. */
const OWN_FIELDS = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink'];

/** The texts that are compared, in kubectl's form. Values of Secrets are not in them. */
export function prepareVersions(
  versions: Versions,
  options: VersionOptions,
): { readonly from: string; readonly to: string } {
  const { live, merged } = maskSecrets({
    live: versions.live === undefined ? undefined : withoutFields(versions.live, options),
    merged: withoutFields(versions.merged, options),
  });
  if (options.isComparable && live !== undefined && deepEqual(live['status'], merged['status'])) {
    delete live['status'];
    delete merged['status'];
  }
  return { from: live === undefined ? '' : toYaml(live), to: toYaml(merged) };
}

function withoutFields(object: Json, { showManagedFields, isComparable }: VersionOptions): Json {
  const { metadata } = object;
  const copy = { ...object };
  if (!isJsonObject(metadata)) return copy;
  const fields = { ...metadata };
  if (!showManagedFields) delete fields['managedFields'];
  if (isComparable) for (const field of OWN_FIELDS) delete fields[field];
  setOwn(copy, 'metadata', fields);
  return copy;
}
