import { deepEqual, type KubeObject } from '@flotilla/machinery';

/** Whether a change of an object is worth a pass. Objects that appear or go always are. */
export type Predicate<T extends KubeObject = KubeObject> = (object: T, before: T) => boolean;

/** The spec changed, or deletion began: the server counts both. Kinds without a count change with every version. */
export const generationChanged: Predicate = ({ metadata }, { metadata: before }) =>
  metadata.generation === undefined
    ? metadata.resourceVersion !== before.resourceVersion
    : metadata.generation !== before.generation ||
      metadata.deletionTimestamp !== before.deletionTimestamp;

/** A label was added, changed or taken away. */
export const labelsChanged: Predicate = ({ metadata }, { metadata: before }) =>
  !deepEqual(metadata.labels ?? {}, before.labels ?? {});

/** An annotation was added, changed or taken away. */
export const annotationsChanged: Predicate = ({ metadata }, { metadata: before }) =>
  !deepEqual(metadata.annotations ?? {}, before.annotations ?? {});

/** Anything in the status changed; for watching what another controller reports. */
export const statusChanged: Predicate = (object, before) =>
  !deepEqual(object['status'], before['status']);

/** At least one of them. */
export function anyOf<T extends KubeObject>(...predicates: Predicate<T>[]): Predicate<T> {
  return (object, before) => predicates.some((predicate) => predicate(object, before));
}

/**
 * What is worth a pass unless a controller says otherwise: what users write, and not the status that we write
 * ourselves. Otherwise every failure would call for the next attempt at once, whatever the back-off says.
 */
export const userChanged: Predicate = anyOf(generationChanged, labelsChanged, annotationsChanged);
