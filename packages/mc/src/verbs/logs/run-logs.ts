import type { Outcome } from '../../fan-out/outcome.ts';
import { Interrupted } from '../../io.ts';
import type { Session } from '../../session.ts';
import { printableLine } from '../../text/printable.ts';
import type { Call } from '../../verb.ts';
import { createLogRun, type LogOutcome, type LogRun } from './log-run.ts';
import { makeLogPlan } from './make-plan.ts';

/** Runs a `logs` to its exit code. */
export async function runLogs(call: Call, session: Session): Promise<number> {
  const plan = makeLogPlan(call, session);
  const fleet = await session.fleet(plan.clusters);
  const run = createLogRun(plan, session, fleet);
  const outcomes = await readLogs(run);
  const { reason } = session.io.signal as { reason: unknown };
  // Following ends so, and whoever ends it knows.
  if (plan.isFollowed && reason instanceof Interrupted) return reason.exitCode;
  tellEmpty(run, outcomes);
  return session.conclude(outcomes);
}

async function readLogs(run: LogRun): Promise<Outcome<LogOutcome>[]> {
  const { isFollowed, isPrevious, isMerged } = run.plan;
  if (isMerged) {
    const { mergeLogs } = await import('./merge-logs.ts');
    return await mergeLogs(run);
  }
  // What a container said in its last run is all there will ever be of it.
  if (isFollowed && !isPrevious) {
    const { followLogs } = await import('./follow/follow-logs.ts');
    return await followLogs(run);
  }
  const { listLogs } = await import('./list-logs.ts');
  return await listLogs(run);
}

/** kubectl's words when a selector finds nothing anywhere. */
function tellEmpty({ session }: LogRun, outcomes: readonly Outcome<LogOutcome>[]): void {
  const answers = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (answers.length === 0 || answers.some(({ logs }) => logs > 0)) return;
  const places = [...new Set(answers.map(({ namespaces }) => namespaces.join(', ')))];
  const [only = '', ...others] = places;
  session.io.err(
    only === '' || others.length > 0
      ? 'No resources found\n'
      : `No resources found in ${printableLine(only)} namespace.\n`,
  );
}
