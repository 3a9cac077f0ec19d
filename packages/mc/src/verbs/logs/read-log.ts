import { podLogs, type WireStream } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import type { Member } from '../../fan-out/member.ts';
import type { LinePiece } from '../../lines/line-cutter.ts';
import type { LogPlan, LogWindow } from './log-plan.ts';
import type { LogSource } from './log-source.ts';
import { type LogTime, readLogTime } from './log-time.ts';

/** Which part of a log is asked for, and how long that may take. */
export interface LogRequest {
  readonly window: LogWindow;
  readonly isPrevious: boolean;
  /** True asks for what comes, too. Kubelets answer with nothing at all before there is a line. */
  readonly isFollowed: boolean;
  readonly hasTimestamps: boolean;
  readonly limitBytes?: number | undefined;
  readonly signal: AbortSignal;
  /** Of silence, before and within the answer; 0 is for ever. */
  readonly silenceMs: number;
}

/** A piece of a line with what it begins with. */
export interface TimedPiece extends LinePiece {
  /** Undefined where no times were asked for, and for what goes on with a line. */
  readonly time?: LogTime | undefined;
}

/** Asks for the log of a container. */
export async function openLog(
  { client }: Pick<Member, 'client'>,
  { namespace, pod, container }: LogSource,
  request: LogRequest & Pick<LogPlan, 'skipsBackendTls'>,
): Promise<WireStream> {
  const { window, silenceMs, limitBytes } = request;
  const { tailLines, sinceSeconds, sinceTime } = window;
  return await podLogs(
    client,
    { namespace, name: pod },
    {
      container,
      follow: request.isFollowed,
      previous: request.isPrevious,
      timestamps: request.hasTimestamps,
      insecureSkipTLSVerifyBackend: request.skipsBackendTls,
      ...(tailLines === undefined ? {} : { tailLines }),
      ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
      ...(sinceTime === undefined ? {} : { sinceTime }),
      ...(limitBytes === undefined ? {} : { limitBytes }),
      signal: request.signal,
      timeoutMs: silenceMs,
      idleMs: silenceMs,
    },
  );
}

/** Reads the times that lines begin with. */
export function timedPieces(pieces: readonly LinePiece[]): TimedPiece[] {
  return pieces.map((piece) =>
    piece.isStart ? { ...piece, time: readLogTime(piece.bytes) } : piece,
  );
}

/** A log that is not there although its pod is: a failure, whatever the server calls it. */
export function logFailure(error: unknown, { pod }: LogSource): unknown {
  return isNotFound(error) && error instanceof Error
    ? new Error(`Cannot read the log of pod "${pod}": ${error.message}`)
    : error;
}
