import { deepEqual, type KubeObject } from '@flotilla/machinery';
import { entriesOf, type ManagedFieldsEntry } from './entry.ts';

/**
 * Whether an object says nothing new but when it was said: otherwise every repeated apply would be a change. Upstream
 * compares what is stored; `same` does it for the rest of the object.
 */
export function isUnchanged(
  next: KubeObject,
  old: KubeObject,
  same: (a: unknown, b: unknown) => boolean,
): boolean {
  const entries = entriesOf(next) ?? [];
  const before = entriesOf(old) ?? [];
  if (entries.length !== before.length) return false;
  if (!entries.every((entry, index) => isSameButTime(entry, before[index]))) return false;
  const { managedFields: _managedFields, ...metadata } = next.metadata;
  const { managedFields: _before, ...oldMetadata } = old.metadata;
  return same({ ...next, metadata }, { ...old, metadata: oldMetadata });
}

function isSameButTime(entry: ManagedFieldsEntry, before: ManagedFieldsEntry | undefined): boolean {
  if (before === undefined) return false;
  const { time: _time, ...rest } = entry;
  const { time: _before, ...old } = before;
  return deepEqual(rest, old);
}
