import type { KubeObject } from '@flotilla/machinery';

/** An object reduced to its metadata: what metadata informers and the garbage collector read. */
export function partialMetadata(object: KubeObject, version: 'v1' | 'v1beta1'): KubeObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: object.metadata,
  };
}
