import type { ClusterProfile } from '@flotilla/api';
import { deepEqual } from '@flotilla/machinery';
import type { DesiredProfile } from './desired-profile.ts';
import { ownedFields } from './owned-fields.ts';

/** Whether a profile says in its metadata and spec what we want it to, and nothing of ours that we want no more. */
export function isMainUpToDate(found: ClusterProfile, desired: DesiredProfile): boolean {
  const { labels, annotations } = ownedFields(found);
  return (
    found.spec.displayName === desired.spec.displayName &&
    hasAll(found.metadata.labels ?? {}, desired.labels) &&
    hasAll(found.metadata.annotations ?? {}, desired.annotations) &&
    labels.every((key) => key in desired.labels) &&
    annotations.every((key) => key in desired.annotations)
  );
}

/** The same for its status. */
export function isStatusUpToDate(found: ClusterProfile, desired: DesiredProfile): boolean {
  const owned = ownedFields(found);
  const { conditions = [], properties = [], accessProviders = [], version } = found.status ?? {};
  return (
    desired.conditions.every((claim) =>
      conditions.some(
        ({ type, status, reason, message }) =>
          type === claim.type &&
          status === claim.status &&
          reason === claim.reason &&
          message === claim.message,
      ),
    ) &&
    desired.properties.every(({ name, value }) =>
      properties.some((each) => each.name === name && each.value === value),
    ) &&
    desired.accessProviders.every((wanted) =>
      accessProviders.some((each) => each.name === wanted.name && deepEqual(each, wanted)),
    ) &&
    (desired.version === undefined
      ? !owned.hasVersion
      : version?.kubernetes === desired.version.kubernetes) &&
    isWithin(
      owned.conditions,
      desired.conditions.map(({ type }) => type),
    ) &&
    isWithin(
      owned.properties,
      desired.properties.map(({ name }) => name),
    ) &&
    isWithin(
      owned.accessProviders,
      desired.accessProviders.map(({ name }) => name),
    )
  );
}

function hasAll(
  found: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
): boolean {
  return Object.entries(wanted).every(([key, value]) => found[key] === value);
}

function isWithin(owned: readonly string[], wanted: readonly string[]): boolean {
  return owned.every((key) => wanted.includes(key));
}
