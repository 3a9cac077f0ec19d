import type { KubeObject } from '@flotilla/machinery';
import type { ResourceDef } from '../resources/resource.ts';

/** An object reduced to its metadata: what metadata informers and the garbage collector read. */
export function partialMetadata(
  { behaviour }: Pick<ResourceDef, 'behaviour'>,
  object: KubeObject,
  version: 'v1' | 'v1beta1',
): KubeObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: (behaviour.asPrinted?.(object) ?? object).metadata,
  };
}
