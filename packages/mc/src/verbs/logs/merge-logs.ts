import type { WireStream } from '@flotilla/client';
import { PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import type { FleetCluster } from '../../fleet/cluster.ts';
import { ClusterGate, untilAborted } from './cluster-gate.ts';
import { namespacesOf } from './find-logs.ts';
import { requestOf } from './list-logs.ts';
import { Heap } from './log-heap.ts';
import type { LogPrinter } from './log-printer.ts';
import { findInTime, type LogOutcome, type LogRun } from './log-run.ts';
import type { LogSource } from './log-source.ts';
import { LogStreams } from './log-streams.ts';
import { MergedLog } from './merged-log.ts';
import { logFailure, openLog } from './read-log.ts';

/** A log that takes part, and where its failure goes. */
interface Part {
  readonly log: MergedLog;
  readonly printer: LogPrinter;
  readonly source: LogSource;
  readonly failed: (error: unknown) => void;
}

/**
 * Prints the lines of all logs in the order of their times. All logs are open at once and read as far as their next
 * line, so that no more than a chunk of each is kept.
 */
export async function mergeLogs(run: LogRun): Promise<Outcome<LogOutcome>[]> {
  const { session, fleet, plan } = run;
  const streams = new LogStreams(plan);
  const parts: Part[] = [];
  const gate = new ClusterGate(fleet.clusters.length);
  const merged = gate.opened.then(() => merge(parts, run));
  const ask = async (member: Member): Promise<LogOutcome> => {
    const namespaces = namespacesOf(member, plan).flatMap((each) => each ?? []);
    const sources = await findInTime(run, member);
    streams.count(sources.length);
    streams.checkTotal('merge');
    let failure: { readonly error: unknown } | undefined;
    const failed = (error: unknown) => {
      failure ??= { error };
    };
    for (const opened of await openAll(run, member, { sources, failed })) {
      parts.push({ ...opened, log: new MergedLog(parts.length, opened), failed });
    }
    gate.arrive(member.cluster);
    await untilAborted(merged, member.signal);
    const outcome = { logs: sources.length, namespaces };
    if (failure !== undefined) throw new PartialAnswer(outcome, failure.error);
    return outcome;
  };
  const outcomes = await session.fanOut(fleet, ask, {
    concurrency: 'all',
    timeoutMs: 0,
    isEmpty: ({ logs }) => logs === 0,
    onOutcome: ({ cluster }: { cluster: FleetCluster }) => gate.arrive(cluster),
  });
  await run.flush();
  return outcomes;
}

type Opened = Pick<Part, 'printer' | 'source'> & { readonly stream: WireStream };

async function openAll(
  run: LogRun,
  member: Member,
  { sources, failed }: { readonly sources: readonly LogSource[] } & Pick<Part, 'failed'>,
): Promise<Opened[]> {
  const request = requestOf(run, member.signal);
  const opening = sources.map(async (source): Promise<Opened[]> => {
    const printer = run.printer(member, source);
    try {
      return [{ source, printer, stream: await openLog(member, source, request) }];
    } catch (error) {
      await tellFailure(run, { printer, source, failed }, error);
      return [];
    }
  });
  return (await Promise.all(opening)).flat();
}

async function merge(parts: readonly Part[], run: LogRun): Promise<void> {
  const byLog = new Map(parts.map((part) => [part.log, part]));
  const heap = new Heap<MergedLog>((a, b) => MergedLog.compare(a, b));
  const go = async (log: MergedLog, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
      if (await log.fill()) heap.push(log);
    } catch (error) {
      const part = byLog.get(log);
      if (part !== undefined) await tellFailure(run, part, error);
    }
  };
  await Promise.all(parts.map(({ log }) => go(log, async () => {})));
  for (let log = heap.pop(); log !== undefined; log = heap.pop()) {
    const next = heap.first;
    const current = log;
    await go(current, () => current.print(next));
  }
}

async function tellFailure(
  { plan }: LogRun,
  { printer, source, failed }: Pick<Part, 'printer' | 'source' | 'failed'>,
  error: unknown,
): Promise<void> {
  if (plan.ignoreErrors) await printer.fail(error instanceof Error ? error.message : String(error));
  else failed(logFailure(error, source));
}
