import type { KindBehaviour } from '../behaviour.ts';

/** Filled by the owner of this folder. */
export const clusterKinds: Record<string, KindBehaviour> = {};
