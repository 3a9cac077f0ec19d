import type { Json, KubeObject } from '@flotilla/machinery';

/** Whether an object is kept until somebody has finished with it. */
export function hasFinalizer({ metadata }: KubeObject, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/** The change that keeps an object until we have finished with it. */
export function addingFinalizer({ metadata }: KubeObject, finalizer: string): Json {
  return { metadata: { finalizers: [...(metadata.finalizers ?? []), finalizer] } };
}

/** The change that lets an object go as far as we are concerned, on top of others to it. */
export function removingFinalizer(object: KubeObject, finalizer: string, main: Json = {}): Json {
  const changed = main['metadata'] as { finalizers?: string[] } | undefined;
  const finalizers = changed?.finalizers ?? object.metadata.finalizers ?? [];
  const rest = finalizers.filter((each) => each !== finalizer);
  return { ...main, metadata: { ...changed, finalizers: rest } };
}
