import type { Readable } from 'node:stream';
import { badRequest } from '@flotilla/machinery';
import type { Connection } from './connections.ts';
import type { Deadlines, Expiring } from './deadlines.ts';
import type { ApiRequest, ApiResponse, Handle, Peer, Sink, StreamBody } from './exchange.ts';
import type { Limits } from './limits.ts';
import { ClientGone } from './request-body.ts';
import { pathProblem, type Target } from './request-path.ts';
import { isStream } from './response-body.ts';
import { failureAnswer, outOfTime, statusAnswer } from './status-answer.ts';

/** What is going on right now; tests watch these return to zero. */
export interface Counts {
  /** Requests whose exchange is not over, streaming ones included. */
  requests: number;
  /** Requests that are long-running by nature. */
  longRunning: number;
}

/** What all requests of one listener share. */
export interface CallContext {
  readonly handle: Handle;
  readonly limits: Limits;
  readonly deadlines: Deadlines;
  readonly counts: Counts;
  readonly isLongRunning: (request: ApiRequest) => boolean;
  readonly newAuditId: () => string;
  readonly report: (error: unknown) => void;
  /** Whether clients are being asked to leave. */
  readonly isDraining: () => boolean;
  /** Called when the last request under way is over. */
  readonly onQuiet: () => void;
}

/** The parts of a request every protocol has. */
export interface CallParts {
  readonly method: string;
  readonly target: Target;
  readonly headers: Record<string, string | undefined>;
}

/** The part of a connection a call uses; `inject` has no socket behind it. */
export type CallPeer = Pick<Connection, 'peer' | 'enter' | 'leave'>;

/**
 * One request and its answer, whatever the protocol: checks the path, keeps the time, turns failures
 * into Status answers, and knows when it is over.
 *
 * It is itself the request that handlers see. That, and making the rest only when asked, is what
 * keeps the transport's share of a small read close to nothing.
 */
export abstract class Call implements ApiRequest, Expiring {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | undefined>;
  expiresAt = 0;
  protected readonly context: CallContext;
  protected readonly search: string;
  protected auditId = '';
  private readonly connection: CallPeer;
  private longRunning = false;
  private answered = false;
  private over = false;
  private params: URLSearchParams | undefined;
  private controller: AbortController | undefined;
  private reading: Promise<Buffer> | undefined;

  constructor(context: CallContext, connection: CallPeer, parts: CallParts) {
    this.context = context;
    this.connection = connection;
    this.method = parts.method;
    this.path = parts.target.path;
    this.search = parts.target.search;
    this.headers = parts.headers;
  }

  get query(): URLSearchParams {
    this.params ??= new URLSearchParams(this.search);
    return this.params;
  }

  get peer(): Peer {
    return this.connection.peer;
  }

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    if (this.over && !this.controller.signal.aborted) this.controller.abort(new ClientGone());
    return this.controller.signal;
  }

  abstract get rawHeaders(): readonly string[] | undefined;
  abstract incoming(): Readable | undefined;

  readonly body = (limit: number): Promise<Buffer> => {
    this.reading ??= this.read(limit);
    return this.reading;
  };

  /** Starts the exchange. The transport calls `finish` exactly once after this. */
  begin(): void {
    const { context, headers } = this;
    context.counts.requests += 1;
    this.connection.enter();
    // A client may bring its own; whoever writes the audit log finds it in the headers either way.
    this.auditId = headers['audit-id'] || context.newAuditId();
    headers['audit-id'] = this.auditId;

    const problem = pathProblem(this.path);
    if (problem !== undefined) {
      this.answer(statusAnswer(problem));
      return;
    }
    this.longRunning = context.isLongRunning(this);
    if (this.longRunning) {
      context.counts.longRunning += 1;
    } else {
      const timeoutMs = this.timeoutMs();
      if (timeoutMs === undefined) return;
      context.deadlines.add(this, timeoutMs);
    }
    void this.run();
  }

  /** The transport is done with this exchange, well or badly. */
  finish(complete: boolean): void {
    if (this.over) return;
    this.over = true;
    const { context } = this;
    context.deadlines.delete(this);
    if (!complete) this.controller?.abort(new ClientGone());
    this.connection.leave();
    if (this.longRunning) context.counts.longRunning -= 1;
    context.counts.requests -= 1;
    if (context.counts.requests === 0) context.onQuiet();
  }

  expire(): void {
    if (this.over) return;
    const timeout = outOfTime();
    if (this.answered) this.cut();
    else this.answer(statusAnswer(timeout));
    this.controller?.abort(timeout);
  }

  /** Sends the answer. Called at most once, and never after the exchange is over. */
  protected abstract send(response: ApiResponse): void;
  /** Reads the body; called at most once. */
  protected abstract read(limit: number): Promise<Buffer>;
  /** Breaks the exchange off. */
  protected abstract cut(): void;

  private async run(): Promise<void> {
    let response: ApiResponse;
    try {
      response = await this.context.handle(this);
    } catch (error) {
      if (this.over || this.answered || error instanceof ClientGone) return;
      response = failureAnswer(error, this.context.report);
    }
    this.answer(response);
  }

  private answer(response: ApiResponse): void {
    if (this.over || this.answered) {
      if (isStream(response.body)) release(response.body);
      return;
    }
    this.answered = true;
    try {
      this.send(response);
    } catch (error) {
      this.context.report(error);
      this.cut();
    }
  }

  /** The server's limit, or the client's `timeout` when that is shorter; undefined once refused. */
  private timeoutMs(): number | undefined {
    const most = this.context.limits.requestTimeoutMs;
    const wanted = this.search.includes('timeout') ? this.query.get('timeout') : null;
    if (wanted === null || wanted === '') return most;
    const ms = goDurationMs(wanted);
    if (ms === undefined) {
      const message = `invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(wanted)}`;
      this.answer(statusAnswer(badRequest(message)));
      return undefined;
    }
    return ms > 0 && ms < most ? ms : most;
  }
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

function goDurationMs(text: string): number | undefined {
  if (/^[+-]?0$/.test(text)) return 0;
  if (!/^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|\u00b5s|ms|s|m|h))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|\u00b5s|ms|s|m|h)/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return text.startsWith('-') ? -total : total;
}

/**
 * Lets a stream that can no longer be sent give back what it holds: it is started and learns at once
 * that its client is gone.
 */
export function release(body: StreamBody): void {
  body.start(closedSink);
}

const closedSink: Sink = {
  write: () => false,
  end: () => {},
  buffered: 0,
  destroy: () => {},
  onDrain: () => {},
  onClose: (listener) => queueMicrotask(listener),
};
