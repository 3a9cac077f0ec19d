import { type KubeObject, ParseError } from '@flotilla/machinery';
import { decodeSentEntries, type ManagedFieldsEntry } from './entry.ts';

/** Puts the entries back that stood before admission, where it left something that cannot be read. */
export function keepReadableEntries(
  object: KubeObject,
  before: KubeObject['metadata']['managedFields'],
  warn: (message: string) => void,
): void {
  const { managedFields } = object.metadata;
  if (managedFields === before) return;
  try {
    decodeSentEntries((managedFields ?? []) as ManagedFieldsEntry[]);
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    if (before === undefined) delete object.metadata.managedFields;
    else object.metadata.managedFields = before;
    warn(
      `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${error.message}`,
    );
  }
}
