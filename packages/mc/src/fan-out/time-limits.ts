import type { Settings } from '../settings/settings.ts';
import type { FanOutOptions } from './fleet.ts';

/** How many are asked at once, and how long each and all of them may take; 0 is for ever. */
export interface Limits {
  readonly concurrency: number;
  readonly clusterMs: number;
  readonly runMs: number;
}

const LEAST_RUN_MS = 60_000;
const RUN_MS_PER_CLUSTER = 5_000;

/** The settings' limits for a run over so many clusters, as far as the verb does not have its own. */
export function limitsOf(
  execution: Settings['execution'],
  options: Pick<FanOutOptions<unknown>, 'timeoutMs' | 'concurrency'>,
  count: number,
): Limits {
  const { timeoutMs = execution.timeoutMs, concurrency = execution.maxConcurrency } = options;
  const slots = concurrency === 'all' ? Math.max(1, count) : Math.max(1, concurrency);
  if (timeoutMs === 'none') return { concurrency: slots, clusterMs: 0, runMs: 0 };
  const turnsMs = Math.ceil(count / slots) * timeoutMs;
  const usualMs = Math.max(LEAST_RUN_MS, RUN_MS_PER_CLUSTER * count, turnsMs);
  // Who lets a cluster take as long as it likes means the run, too.
  const runMs = execution.deadlineMs ?? (timeoutMs === 0 ? 0 : usualMs);
  return { concurrency: slots, clusterMs: timeoutMs, runMs };
}
