import { readBehaviour } from '../annotations.ts';
import type { ContainerStatus, Pod } from '../kinds.ts';

/** One line of a log. */
export interface LogLine {
  readonly atMs: number;
  readonly text: string;
  /** The container ended with it. Its time is known to the second, so that it may seem older than lines before it. */
  readonly isLast?: true;
}

/** Which lines to show, as `kubectl logs` asks for them. */
export interface LogQuery {
  readonly isPrevious: boolean;
  readonly isFollowed: boolean;
  readonly hasTimestamps: boolean;
  readonly tailLines: number | undefined;
  readonly sinceMs: number | undefined;
  readonly limitBytes: number | undefined;
}

/** A log is rotated before it is longer. */
const MOST_LINES = 10_000;

interface Run {
  readonly startedAt: number;
  readonly endedAt: number | undefined;
  readonly exitCode: number | undefined;
}

/** Reads the query of a kubelet's `containerLogs`. */
export function readLogQuery(query: URLSearchParams, nowMs: number): LogQuery {
  const number = (name: string): number | undefined => {
    const text = query.get(name);
    return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
  };
  const sinceSeconds = number('sinceSeconds');
  const sinceTime = Date.parse(query.get('sinceTime') ?? '');
  return {
    isPrevious: query.get('previous') === 'true',
    isFollowed: query.get('follow') === 'true',
    hasTimestamps: query.get('timestamps') === 'true',
    tailLines: number('tailLines'),
    sinceMs:
      sinceSeconds === undefined
        ? Number.isNaN(sinceTime)
          ? undefined
          : sinceTime
        : nowMs - sinceSeconds * 1000,
    limitBytes: number('limitBytes'),
  };
}

/**
 * What a container has written by now. No line is kept anywhere: which there are follows from when the container started,
 * so that logs cost nothing until somebody reads them.
 */
export function logLines(
  pod: Pod,
  status: ContainerStatus,
  { isPrevious, nowMs }: { isPrevious: boolean; nowMs: number },
): LogLine[] | undefined {
  const run = runOf(status, isPrevious);
  if (run === undefined) return undefined;
  const { logLines: atStart, logEverySeconds } = readBehaviour(pod).behaviour;
  const until = Math.min(run.endedAt ?? nowMs, nowMs);
  const lines: LogLine[] = [];
  for (let line = 1; line <= atStart; line++) {
    const text =
      line === 1 ? `starting ${status.name} from ${status.image}` : `${status.name}: line ${line}`;
    lines.push({ atMs: run.startedAt, text });
  }
  if (logEverySeconds !== undefined) {
    const everyMs = logEverySeconds * 1000;
    const last = Math.floor((until - run.startedAt) / everyMs);
    for (let beat = Math.max(1, last - MOST_LINES + 1); beat <= last; beat++) {
      const text = `${status.name}: line ${atStart + beat}`;
      lines.push({ atMs: run.startedAt + beat * everyMs, text });
    }
  }
  if (run.endedAt !== undefined && run.exitCode !== undefined && atStart > 0) {
    lines.push({ atMs: run.endedAt, text: `exiting with code ${run.exitCode}`, isLast: true });
  }
  return lines.slice(-MOST_LINES);
}

/** Whether a container may still write. */
export function isWriting(status: ContainerStatus | undefined): boolean {
  return status?.state?.running !== undefined;
}

/** The lines that are asked for, as text. */
export function formatLines(lines: readonly LogLine[], query: LogQuery): string {
  const { sinceMs, tailLines, hasTimestamps, limitBytes } = query;
  const recent = sinceMs === undefined ? lines : lines.filter(({ atMs }) => atMs >= sinceMs);
  const tail =
    tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
  const text = tail
    .map(({ atMs, text: line }) => `${hasTimestamps ? `${nanoTime(atMs)} ` : ''}${line}\n`)
    .join('');
  return limitBytes === undefined ? text : Buffer.from(text).subarray(0, limitBytes).toString();
}

/** As container runtimes write it. */
function nanoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000000Z');
}

function runOf({ state, lastState }: ContainerStatus, isPrevious: boolean): Run | undefined {
  const { running, terminated } = state ?? {};
  if (!isPrevious && running !== undefined) {
    const startedAt = Date.parse(running.startedAt ?? '');
    return { startedAt, endedAt: undefined, exitCode: undefined };
  }
  // While it waits to be started again, the last run is the present one.
  const ended = isPrevious ? lastState?.terminated : (terminated ?? lastState?.terminated);
  if (ended === undefined) return undefined;
  return {
    startedAt: Date.parse(ended.startedAt ?? ''),
    endedAt: Date.parse(ended.finishedAt ?? ''),
    exitCode: ended.exitCode,
  };
}
