import type { KubeObject } from '@flotilla/machinery';
import type { KindBehaviour } from '../behaviour.ts';

/** The behaviours of some kinds, by `${group}/${version}/${Kind}` (the core group is ''). */
export type KindTable = Readonly<Record<string, KindBehaviour>>;

/**
 * Forgets the precise type of a kind, so that kinds of all types fit into one table. It is sound because the
 * registry hands a behaviour only objects decoded by the type table of the very kind it is registered for.
 */
export function defineKind<T extends KubeObject>(behaviour: KindBehaviour<T>): KindBehaviour {
  return behaviour as unknown as KindBehaviour;
}
