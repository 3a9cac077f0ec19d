import type { WireStream } from '@flotilla/client';
import { PartialAnswer } from '../../fan-out/answer-errors.ts';
import type { Member } from '../../fan-out/member.ts';
import type { Outcome } from '../../fan-out/outcome.ts';
import { LineCutter } from '../../lines/line-cutter.ts';
import { namespacesOf } from './find-logs.ts';
import type { LogPlan } from './log-plan.ts';
import type { LogPrinter } from './log-printer.ts';
import { findInTime, type LogOutcome, type LogRun } from './log-run.ts';
import type { LogSource } from './log-source.ts';
import { type LogRequest, logFailure, openLog, timedPieces } from './read-log.ts';

/** So many logs of a cluster are asked for before it is their turn. */
const AHEAD = 4;

/**
 * Prints the logs there are: those of a cluster together, clusters in the order they answer. A log may be as long as it
 * likes, so that only silence is limited.
 */
export async function listLogs(run: LogRun): Promise<Outcome<LogOutcome>[]> {
  const { session, fleet, plan } = run;
  return await session.fanOut(
    fleet,
    async (member) => {
      const namespaces = namespacesOf(member, plan).flatMap((each) => each ?? []);
      const sources = await findInTime(run, member);
      const outcome = { logs: sources.length, namespaces };
      try {
        await printLogs(run, member, sources);
      } catch (error) {
        throw new PartialAnswer(outcome, error);
      }
      return outcome;
    },
    { timeoutMs: 0, isEmpty: ({ logs }) => logs === 0 },
  );
}

/** How the logs of a member are asked for once. */
export function requestOf(
  { plan, session }: Pick<LogRun, 'plan' | 'session'>,
  signal: AbortSignal,
): LogRequest & Pick<LogPlan, 'skipsBackendTls'> {
  const { window, isPrevious, limitBytes, skipsBackendTls } = plan;
  return {
    window,
    isPrevious,
    isFollowed: false,
    hasTimestamps: plan.hasTimestamps || plan.isJson || plan.isMerged,
    limitBytes,
    skipsBackendTls,
    signal,
    silenceMs: session.settings.execution.timeoutMs,
  };
}

async function printLogs(
  run: LogRun,
  member: Member,
  sources: readonly LogSource[],
): Promise<void> {
  const { plan, output, printer } = run;
  const request = requestOf(run, member.signal);
  const openings: Promise<WireStream>[] = [];
  const openTo = (end: number) => {
    for (const source of sources.slice(openings.length, end)) {
      const opening = openLog(member, source, request);
      // Told when it is its turn.
      opening.catch(() => {});
      openings.push(opening);
    }
  };
  const owner = {};
  try {
    for (const [index, source] of sources.entries()) {
      openTo(index + 1 + AHEAD);
      const log = printer(member, source, owner);
      try {
        const stream = await openings[index];
        await output.hold(owner);
        if (stream !== undefined) await copyLog(stream, log, request.hasTimestamps);
      } catch (error) {
        const failure = logFailure(error, source);
        if (!plan.ignoreErrors || member.signal.aborted) throw failure;
        await output.hold(owner);
        await log.fail(error instanceof Error ? error.message : String(error));
      }
    }
  } finally {
    output.release(owner);
    for (const opening of openings) {
      void opening.then(
        (stream) => stream.close(),
        () => {},
      );
    }
  }
}

async function copyLog(stream: WireStream, log: LogPrinter, hasTimestamps: boolean): Promise<void> {
  if (log.isPlain) {
    for await (const chunk of stream) await log.printRaw(chunk);
    return;
  }
  const cutter = new LineCutter();
  for await (const chunk of stream) {
    const pieces = cutter.push(chunk);
    await log.print(hasTimestamps ? timedPieces(pieces) : pieces);
  }
  const rest = cutter.rest();
  if (rest === undefined) return;
  const [last] = hasTimestamps ? timedPieces([rest]) : [rest];
  await log.end(last);
}
