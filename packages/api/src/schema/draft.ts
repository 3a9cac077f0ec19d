import { apiVersionOf, type KubeObject, type ObjectMeta } from '@flotilla/machinery';
import type { KindSource } from './kind-source.ts';
import type { InputOf, OutputOf } from './schema.ts';

/**
 * An object to be created, whose defaults the server fills in.
 *
 * Its type is that of stored objects, so that clients take it; read defaults from the server's answer.
 */
export function draftOf<K extends KindSource>(
  source: K,
  metadata: ObjectMeta,
  spec: InputOf<K['spec']>,
): KubeObject & { spec: OutputOf<K['spec']> } {
  const { kind } = source;
  const draft = { apiVersion: apiVersionOf(source), kind, metadata, spec };
  return draft as unknown as KubeObject & { spec: OutputOf<K['spec']> };
}
