import type { Session } from '../session.ts';
import type { Progress } from '../text/progress.ts';
import { FanOutRun, type RunDeps } from './fan-out-run.ts';

/** What asking a fleet needs. */
export interface FanOutDeps extends RunDeps {
  /** Where a terminal is told how far it is. */
  readonly progress?: Pick<Progress, 'start'> | undefined;
}

/**
 * Asks the clusters of a fleet, a few at a time. The outcomes are in the fleet's order; what one cluster does is its
 * outcome, and only a UsageError of `ask`, which all clusters would throw, ends everything.
 */
export function createFanOut(deps: FanOutDeps): Session['fanOut'] {
  return async (fleet, ask, options = {}) => {
    // What goes on until its user ends it has no progress, and a terminal to write on.
    const isEndless = options.timeoutMs === 'none';
    using progress = isEndless ? undefined : deps.progress?.start(fleet.clusters.length);
    const run = new FanOutRun(deps, ask, {
      ...options,
      onOutcome: (outcome) => {
        progress?.done(() => run.waiting());
        options.onOutcome?.(outcome);
      },
    });
    return await run.over(fleet);
  };
}
