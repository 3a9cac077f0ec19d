import type { Target } from '../api-server/target.ts';

/** What one process of a controller is told. */
export interface Job {
  readonly target: Target;
  /** Written into every status: one that is there already leaves nothing to write. */
  readonly round: number;
  readonly count: number;
  readonly concurrency: number;
}

/** What it says when every object was reconciled once. */
export interface Report {
  /** From the beginning of the first pass to the end of the last. */
  readonly perSecond: number;
  /** Processor time of the process for each, its start and its list included. */
  readonly cpuMs: number;
  readonly peakMb: number;
  readonly writes: number;
}

/** Where the objects are; each names one of the settings. */
export const PLACE = { namespace: 'bench', settings: 100 };
