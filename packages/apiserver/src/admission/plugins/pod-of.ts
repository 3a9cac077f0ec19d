import type { Pod } from '../../kinds/workloads/pod-types.ts';
import type { Admission } from '../../objects/engine.ts';

/** The pod that is being written by one of these operations; undefined for everything else. */
export function podOf(
  { def, operation, subresource, object }: Admission,
  operations: readonly Admission['operation'][],
  subresources: readonly string[] = [''],
): Pod | undefined {
  if (def.group !== '' || def.resource !== 'pods' || object === undefined) return undefined;
  if (!operations.includes(operation) || !subresources.includes(subresource)) return undefined;
  return object as Pod;
}
