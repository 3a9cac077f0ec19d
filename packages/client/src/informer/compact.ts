import { apiVersionOf, type Kind, type KubeObject, type ObjectMeta } from '@flotilla/machinery';
import type { Interner } from './intern.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * What the store keeps of an object that came as metadata: without managedFields and what kubectl applied last, which
 * are most of its bytes, and sharing with others what is the same in many. It says its own kind again, instead of
 * PartialObjectMetadata.
 */
export function compactMetadata<T extends KubeObject>(
  kind: Kind<T>,
  { string, json }: Interner,
): (object: T) => T {
  const apiVersion = apiVersionOf(kind);
  return (object) => {
    const metadata = reduced(object.metadata);
    const { annotations, labels, ownerReferences, finalizers } = metadata;
    if (metadata.namespace !== undefined) metadata.namespace = string(metadata.namespace);
    if (metadata.generateName !== undefined) metadata.generateName = string(metadata.generateName);
    if (metadata.creationTimestamp !== undefined) {
      metadata.creationTimestamp = string(metadata.creationTimestamp);
    }
    if (labels !== undefined) metadata.labels = json(labels);
    if (annotations !== undefined) metadata.annotations = json(withoutLastApplied(annotations));
    if (ownerReferences !== undefined) metadata.ownerReferences = json(ownerReferences);
    if (finalizers !== undefined) metadata.finalizers = json(finalizers);
    // The metadata is all there is, whatever T says: whoever asks for metadata alone says so in the type.
    return { apiVersion, kind: kind.kind, metadata } as T;
  };
}

/**
 * A transform for informers of whole objects: who set which field is often two thirds of an object's memory, and read by
 * nobody. A server keeps the entries of an object that is sent back without them.
 */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  object.metadata = reduced(object.metadata);
  return object;
}

function reduced(metadata: ObjectMeta): ObjectMeta {
  if (metadata.managedFields === undefined) return metadata;
  if (lastKey(metadata) === 'managedFields') {
    // The last property goes without a trace, and Go writes this one last; any other deletion makes the object a slow
    // and large one.
    delete metadata.managedFields;
    return metadata;
  }
  const { managedFields: _, ...rest } = metadata;
  return rest;
}

function lastKey(object: object): string | undefined {
  let last: string | undefined;
  for (const key in object) last = key;
  return last;
}

function withoutLastApplied(annotations: Record<string, string>): Record<string, string> {
  if (!Object.hasOwn(annotations, LAST_APPLIED)) return annotations;
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  return rest;
}
