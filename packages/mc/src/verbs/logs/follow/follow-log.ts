import { Pods } from '@flotilla/client';
import { isNotFound } from '@flotilla/machinery';
import type { Member } from '../../../fan-out/member.ts';
import { LineCutter, type LinePiece } from '../../../lines/line-cutter.ts';
import type { LogWindow } from '../log-plan.ts';
import { LogPosition } from '../log-position.ts';
import type { LogPrinter } from '../log-printer.ts';
import type { LogRun } from '../log-run.ts';
import type { LogSource } from '../log-source.ts';
import { type ContainerState, containerState } from '../pod-facts.ts';
import { openLog, timedPieces } from '../read-log.ts';
import { ByteLimit } from './byte-limit.ts';
import { FreshLines } from './fresh-lines.ts';
import { isPassing } from './is-passing.ts';
import type { Retry } from './retry.ts';
import { SilenceWatch } from './silence-watch.ts';

/** How one log is followed. */
export interface FollowOptions {
  readonly member: Member;
  readonly source: LogSource;
  readonly signal: AbortSignal;
  /** Where it begins: where the user said, or at its beginning for a log that began after us. */
  readonly window: LogWindow;
  readonly retry: Retry;
}

type Run = Pick<LogRun, 'plan' | 'session' | 'printer'>;

/**
 * Follows the log of one run of a container to its end: first what is there, then what comes. A connection that breaks
 * is made again, and one that is silent for long, too; the position tells which lines are known. The log has ended when
 * all of it was read after the container's end, or when its pod is gone.
 */
export async function followLog(run: Run, options: FollowOptions): Promise<void> {
  await new FollowedLog(run, options).run();
}

class FollowedLog {
  readonly #run: Run;
  readonly #options: FollowOptions;
  readonly #printer: LogPrinter;
  readonly #fresh: FreshLines;
  readonly #limit: ByteLimit;
  /** When all that was there had been read: what was not there by then is new. */
  #caughtUpAt: number | undefined;
  /** Whether the container, or at least this run of it, is known to be over. */
  #isEnded: boolean;
  /** Whether another run has begun, so that this one is the previous. */
  #isPrevious = false;
  /** What followed the last newline. */
  #rest: LinePiece | undefined;

  constructor(run: Run, options: FollowOptions) {
    const { window, member, source } = options;
    const { tailLines, sinceSeconds, sinceTime } = window;
    const isWhole = tailLines === undefined && (sinceSeconds ?? sinceTime) === undefined;
    this.#run = run;
    this.#options = options;
    this.#printer = run.printer(member, source);
    this.#fresh = new FreshLines(new LogPosition({ isWhole }));
    this.#limit = new ByteLimit(run.plan.limitBytes, run.plan);
    this.#isEnded = source.state.state === 'ended';
  }

  async run(): Promise<void> {
    try {
      while (!(await this.#isOver()) && !this.#limit.isReached) {
        if (await this.#isThere()) continue;
        if (this.#rest !== undefined) await this.#take([this.#rest]);
        return;
      }
    } finally {
      await this.#printer.end();
    }
  }

  /** Reads until the answer ends; true when there is no more to come. */
  async #isOver(): Promise<boolean> {
    const { signal, retry } = this.#options;
    const wasEnded = this.#isEnded;
    const isFirst = this.#caughtUpAt === undefined;
    try {
      const { hadLines, isSilent } = await this.#read(!wasEnded && !isFirst);
      retry.worked(hadLines || isFirst);
      if (wasEnded) return true;
      this.#caughtUpAt ??= this.#clock.elapsed();
      if (isFirst) return await this.#isOver();
      // While the end of a container is not known, each request about it ends at once.
      if (!hadLines && !isSilent) await retry.pause(signal);
    } catch (error) {
      signal.throwIfAborted();
      // It has been seen, so that it is gone; of runs before this one kubelets keep what they like.
      if (!isFirst && (isNotFound(error) || this.#isPrevious)) return !isPassing(error);
      if (!isPassing(error)) throw error;
      await retry.failed(error, signal);
    }
    return false;
  }

  /** Finds out how the container is, for as long as that takes; false when its pod is gone. */
  async #isThere(): Promise<boolean> {
    const { signal, retry, source } = this.#options;
    for (;;) {
      try {
        const state = await this.#containerState();
        if (state === undefined) return false;
        this.#isPrevious = state.restarts > source.state.restarts;
        this.#isEnded = this.#isPrevious || state.state === 'ended';
        return true;
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error)) throw error;
        await retry.failed(error, signal);
      }
    }
  }

  /** Undefined when the pod is gone, or another one has its name. */
  async #containerState(): Promise<ContainerState | undefined> {
    const { member, source, signal } = this.#options;
    const { namespace, pod: name, uid, container } = source;
    try {
      const timeoutMs = this.#limitMs;
      const pod = await member.client.get(Pods, { namespace, name }, { signal, timeoutMs });
      return uid === '' || pod.metadata.uid === uid ? containerState(pod, container) : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #read(isFollowed: boolean): Promise<{ hadLines: boolean; isSilent: boolean }> {
    const { member, source, signal } = this.#options;
    const { skipsBackendTls } = this.#run.plan;
    this.#rest = undefined;
    using silence = new SilenceWatch(this.#clock, signal);
    const sinceTime = this.#fresh.resume();
    let hadLines = false;
    try {
      const stream = await silence.during(
        openLog(member, source, {
          window: sinceTime === undefined ? this.#window() : { sinceTime },
          isFollowed,
          isPrevious: this.#isPrevious,
          hasTimestamps: true,
          skipsBackendTls,
          signal: silence.signal,
          // Kubelets do not begin to answer before there is a line to follow.
          silenceMs: isFollowed ? 0 : this.#limitMs,
        }),
      );
      const chunks = stream[Symbol.asyncIterator]();
      const cutter = new LineCutter();
      try {
        while (!this.#limit.isReached) {
          const { done, value } = await silence.during(chunks.next());
          if (done === true) break;
          if (await this.#take(cutter.push(value))) hadLines = true;
        }
      } finally {
        stream.close();
      }
      const rest = cutter.rest();
      // Of a log that goes on it comes again, with its end.
      if (isFollowed || !this.#isEnded) this.#rest = rest;
      else if (rest !== undefined && (await this.#take([rest]))) hadLines = true;
    } catch (error) {
      if (!silence.isSilent) throw error;
    }
    return { hadLines, isSilent: silence.isSilent };
  }

  /** Prints what is new; false when nothing is. */
  async #take(pieces: readonly LinePiece[]): Promise<boolean> {
    const fresh = this.#fresh.take(timedPieces(pieces));
    if (fresh.length === 0) return false;
    // Where the end of a log is, its last line tells, which nobody wants to see.
    const isHidden = this.#caughtUpAt === undefined && this.#options.window.tailLines === 0;
    if (!isHidden) await this.#printer.print(this.#limit.take(fresh));
    return true;
  }

  /** What is asked for while there is no line to go on from. */
  #window(): LogWindow {
    const { window } = this.#options;
    const { tailLines, sinceSeconds, sinceTime } = window;
    if (this.#caughtUpAt === undefined)
      return tailLines === 0 ? { ...window, tailLines: 1 } : window;
    // There was nothing, so that all there is by now is new; relative to the present, it is further back.
    const passedMs = this.#clock.elapsed() - this.#caughtUpAt;
    return sinceSeconds === undefined
      ? { sinceTime }
      : { sinceSeconds: sinceSeconds + Math.ceil(passedMs / 1_000) };
  }

  get #clock() {
    return this.#run.session.io.clock;
  }

  get #limitMs(): number {
    return this.#run.session.settings.execution.timeoutMs;
  }
}
