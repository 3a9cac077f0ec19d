import { setMaxListeners } from 'node:events';
import type { Member } from '../../../fan-out/member.ts';
import type { ClusterGate } from '../cluster-gate.ts';
import { namespacesOf } from '../find-logs.ts';
import type { LogWindow } from '../log-plan.ts';
import type { LogOutcome, LogRun } from '../log-run.ts';
import type { LogSource } from '../log-source.ts';
import type { LogStreams } from '../log-streams.ts';
import { logFailure } from '../read-log.ts';
import { followLog } from './follow-log.ts';
import type { LossNotes } from './loss-notes.ts';
import { Retry } from './retry.ts';

/** What following shares between clusters. */
export interface FollowRun extends LogRun {
  readonly streams: LogStreams;
  /** Where clusters wait for each other until it is known how many logs there are. */
  readonly gate: ClusterGate;
  /** Whether there can be too many in all, so that nothing is shown before they are counted. */
  readonly isCounted: boolean;
}

/** Counts the logs of a cluster, and waits for the others where all together may be too many. */
export async function countLogs(run: FollowRun, member: Member, logs: number): Promise<void> {
  const { streams, gate, fleet } = run;
  streams.count(logs);
  streams.checkCluster(logs, fleet.clusters.length === 1 ? undefined : member.cluster.name);
  streams.checkTotal('follow');
  gate.arrive(member.cluster);
  if (run.isCounted) await gate.passed(member.signal);
}

/** What came of a cluster. */
export function outcomeOf({ plan }: FollowRun, member: Member, logs: number): LogOutcome {
  return { logs, namespaces: namespacesOf(member, plan).flatMap((each) => each ?? []) };
}

/** A signal that ends with the member's, or when one of its logs ends the others. */
export function childSignal({ signal }: Pick<Member, 'signal'>): AbortController & Disposable {
  const child = new AbortController();
  // As many listen as there are logs.
  setMaxListeners(0, child.signal);
  const abort = () => child.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Object.assign(child, {
    [Symbol.dispose]: () => signal.removeEventListener('abort', abort),
  });
}

/** A log of a cluster that is to be followed. */
export interface FollowedSource {
  readonly source: LogSource;
  readonly window: LogWindow;
  readonly signal: AbortSignal;
  readonly notes: LossNotes;
}

/** Follows a log to its end. */
export async function followSource(
  run: FollowRun,
  member: Member,
  { source, window, signal, notes }: FollowedSource,
): Promise<void> {
  const { clock, random } = run.session.io;
  const log = `${source.namespace}/${source.pod}/${source.container}`;
  const retry = new Retry({
    clock,
    random,
    lost: (error) => notes.lost(log, error),
    back: () => notes.back(log),
  });
  await followLog(run, { member, source, signal, window, retry });
}

/** Shows what went wrong with a log in its place, where the user wants that; throws it otherwise. */
export async function tellLogFailure(
  run: FollowRun,
  member: Member,
  { source, error }: { readonly source: LogSource; readonly error: unknown },
): Promise<void> {
  if (member.signal.aborted || !run.plan.ignoreErrors) throw logFailure(error, source);
  const printer = run.printer(member, source);
  await printer.fail(error instanceof Error ? error.message : String(error));
}
