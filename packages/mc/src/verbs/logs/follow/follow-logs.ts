import { isFailure } from '../../../fan-out/is-failure.ts';
import type { Outcome } from '../../../fan-out/outcome.ts';
import { printableLine } from '../../../text/printable.ts';
import { ClusterGate } from '../cluster-gate.ts';
import { isSearch } from '../log-plan.ts';
import type { LogOutcome, LogRun } from '../log-run.ts';
import { LogStreams } from '../log-streams.ts';
import { followNamed } from './follow-named.ts';
import { followPods } from './follow-pods.ts';
import type { FollowRun } from './follow-run.ts';

/** Follows logs on all clusters at once. */
export async function followLogs(run: LogRun): Promise<Outcome<LogOutcome>[]> {
  const { session, fleet, plan } = run;
  const count = fleet.clusters.length;
  const streams = new LogStreams(plan);
  const gate = new ClusterGate(count);
  const following: FollowRun = {
    ...run,
    streams,
    gate,
    isCounted: count * Math.max(1, plan.maxPerCluster) > plan.maxTotal,
  };
  const isOpenEnded = isSearch(plan);
  void gate.opened.then(() => {
    if (isOpenEnded && streams.counted === 0 && !session.io.signal.aborted) {
      session.io.err('No pods found yet; waiting for them\n');
    }
  });
  return await session.fanOut(
    fleet,
    (member) => (isOpenEnded ? followPods(following, member) : followNamed(following, member)),
    {
      concurrency: 'all',
      timeoutMs: 'none',
      isEmpty: ({ logs }) => logs === 0,
      onOutcome: (outcome) => {
        gate.arrive(outcome.cluster);
        tellFailure(run, outcome);
      },
    },
  );
}

/** The others may go on for hours: who fails is told of at once. */
function tellFailure({ session, fleet }: LogRun, { cluster, status, failure }: Outcome<unknown>) {
  const { requireAll } = session.settings.execution;
  if (fleet.clusters.length === 1 || !isFailure(status, requireAll)) return;
  session.io.err(`${printableLine(`${cluster.name}: ${status}: ${failure?.message ?? ''}`)}\n`);
}
