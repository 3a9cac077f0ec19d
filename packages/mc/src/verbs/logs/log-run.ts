import { TimeLimit } from '../../fan-out/endings.ts';
import type { Fleet } from '../../fan-out/fleet.ts';
import type { Member } from '../../fan-out/member.ts';
import { ByteChunks } from '../../lines/byte-chunks.ts';
import { LineOutput } from '../../lines/line-output.ts';
import type { Session } from '../../session.ts';
import { chooseColours } from '../../text/colour.ts';
import { printableLine } from '../../text/printable.ts';
import { findLogs } from './find-logs.ts';
import { type LogPlan, mayBeSeveral } from './log-plan.ts';
import { LogPrinter, type LogStyle } from './log-printer.ts';
import type { LogSource } from './log-source.ts';

/** One `logs` over a fleet: what its ways of reading share. */
export interface LogRun {
  readonly plan: LogPlan;
  readonly session: Session;
  readonly fleet: Fleet;
  readonly output: LineOutput;
  /** Writes what is kept to be written together. */
  readonly flush: () => Promise<void>;
  readonly printer: (member: Member, source: LogSource, owner?: object) => LogPrinter;
  /** Says what kubectl would about a choice: once where clusters say the same, by name where it is one cluster's. */
  readonly tell: (member: Member, notes: readonly string[], isOwn?: boolean) => void;
}

/** What came of a cluster. */
export interface LogOutcome {
  /** How many logs it had. */
  readonly logs: number;
  /** Where they were looked for; empty for everywhere. */
  readonly namespaces: readonly string[];
}

/** Prepares a run. */
export function createLogRun(plan: LogPlan, session: Session, fleet: Fleet): LogRun {
  const { io } = session;
  const style = styleOf(plan, session, fleet);
  const outBytes = io.outBytes ?? ((bytes: Uint8Array) => io.out(Buffer.from(bytes).toString()));
  const chunks = new ByteChunks(outBytes);
  // Merged lines come one by one; whoever follows wants each as it comes.
  const write = plan.isMerged ? chunks.add : outBytes;
  const output = new LineOutput({ write, clock: io.clock });
  const isAlone = fleet.clusters.length === 1;
  const told = new Set<string>();
  return {
    plan,
    session,
    fleet,
    output,
    flush: chunks.flush,
    printer: ({ cluster }, source, owner) =>
      new LogPrinter({ cluster: cluster.name, source, owner }, style, output),
    tell: ({ cluster }, notes, isOwn = false) => {
      for (const note of notes) {
        const text = isOwn && !isAlone ? `${cluster.name}: ${note}` : note;
        if (!isAlone && told.has(text)) continue;
        told.add(text);
        io.err(`${printableLine(text)}\n`);
      }
    },
  };
}

/** Finds the logs of a cluster within its time limit, and says what there is to say about the choice. */
export async function findInTime(run: LogRun, member: Member): Promise<readonly LogSource[]> {
  const { plan, tell } = run;
  const found = await withinLimit(run, member, (signal) =>
    findLogs(member, plan, { signal, clock: run.session.io.clock }),
  );
  tell(member, found.ownNotes, true);
  tell(member, found.notes);
  return found.sources;
}

/** Does something that must be over within the time limit of a cluster, though the run itself has none. */
export async function withinLimit<T>(
  { session }: Pick<LogRun, 'session'>,
  member: Pick<Member, 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { timeoutMs } = session.settings.execution;
  const ending = new AbortController();
  const abort = () => ending.abort(member.signal.reason);
  if (member.signal.aborted) abort();
  member.signal.addEventListener('abort', abort, { once: true });
  const timer =
    timeoutMs === 0
      ? undefined
      : session.io.clock.later(timeoutMs, () => ending.abort(new TimeLimit('cluster', timeoutMs)));
  try {
    return await work(ending.signal);
  } catch (error) {
    // Whatever else it says: this is why.
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    timer?.[Symbol.dispose]();
    member.signal.removeEventListener('abort', abort);
  }
}

function styleOf(plan: LogPlan, { settings, io }: Session, { clusters }: Fleet): LogStyle {
  const hasPrefix = plan.hasPrefix ?? (clusters.length > 1 || mayBeSeveral(plan));
  const showsCluster = settings.output.clusterColumn !== 'none';
  const showsNamespace = plan.allNamespaces || plan.namespaces.length > 1;
  const colours = chooseColours(settings.output.color, io).out;
  return {
    isJson: plan.isJson,
    hasTimestamps: plan.hasTimestamps,
    isForTerminal: io.terminal.out && !plan.isJson,
    prefixOf: (cluster, { namespace, pod, container }) => {
      if (!hasPrefix) return '';
      const parts = [
        ...(showsCluster ? [cluster] : []),
        ...(showsNamespace ? [namespace] : []),
        'pod',
        pod,
        container,
      ];
      const text = `[${printableLine(parts.join('/'))}]`;
      return `${colours.cluster(cluster, text)} `;
    },
  };
}
