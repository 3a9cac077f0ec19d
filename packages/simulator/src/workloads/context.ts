import type { KubeObject } from '@flotilla/machinery';
import type { World } from '../world/world.ts';

/** What the passes over workloads need. */
export interface Workloads {
  readonly world: World;
  /** Tells users of something, as the named component of Kubernetes would. */
  readonly tell: Tell;
}

/** What happened to an object. */
export interface Happening {
  readonly type?: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** Records an event; `component` is the controller of upstream's that would. */
export type Tell = (component: string, regarding: KubeObject, happening: Happening) => void;

/** When to look again although nothing changes; undefined for never. */
export type Recheck = number | undefined;

/** The earlier of two times to look again. */
export function sooner(a: Recheck, b: Recheck): Recheck {
  if (a === undefined) return b;
  return b === undefined ? a : Math.min(a, b);
}
