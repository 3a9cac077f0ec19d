import type { Target } from '../api-server/target.ts';

/** What one process of the load does. */
export interface Job {
  readonly target: Target;
  /** `nothing` only loads the client. */
  readonly kind: 'nothing' | 'get' | 'list' | 'create' | 'informers';
  /** Requests under way, or informers. */
  readonly atOnce: number;
  readonly seconds: number;
  /** Ends after so many requests instead. */
  readonly requests?: number;
  /** How much informers ask for. @default 'full' */
  readonly mode?: 'full' | 'metadata';
}

/** What a process says of itself at the end. */
export interface Report {
  readonly perSecond: number;
  /** Processor time per request, or for everything where there are none. */
  readonly cpuMs: number;
  /** Resident memory at its highest. */
  readonly peakMb: number;
  /** Until all is there. */
  readonly seconds: number;
}

/** Where the objects are that get and list ask for, how many there are, and where others are created. */
export const PLACE = { namespace: 'bench', pods: 2000, scratch: 'scratch' };

/** Pods of one namespace have names that follow from their number. */
export function podName(index: number): string {
  return `web-7d9f8b6c54-${(index + 46_656).toString(36)}`;
}
