/** What a log line says beside its message. An `err` is an Error; values of type Secret are never shown. */
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured logging; messages are constant sentences, whatever varies is a field. */
export interface Logger {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
  /** The same logger with these fields on every line. */
  readonly child: (fields: LogFields) => Logger;
}

/** Why a key was put into a queue; also its priority, the first one most urgent. */
export type WorkPriority = 'change' | 'other' | 'resync';

/**
 * How a pass ended. `failed` is the only one that counts as an error: a conflict is repeated at once, and what waits,
 * is stalled or suspended says so in its conditions. `requeued` wrote metadata and has its status still to write, `gone`
 * found no object, and `aborted` was cut short by the end of the process or of the leadership.
 */
export const passOutcomes = [
  'done',
  'waiting',
  'stalled',
  'suspended',
  'requeued',
  'gone',
  'conflict',
  'failed',
  'aborted',
] as const;

/** One of {@link passOutcomes}. */
export type PassOutcome = (typeof passOutcomes)[number];

/** What a pass may write. */
export type WriteTarget = 'metadata' | 'status';

/** A queue as it is when somebody asks; meant for gauges that are read at each scrape. */
export interface QueueReading {
  /** Keys that a worker could take now, by why they were added. */
  readonly ready: Readonly<Record<WorkPriority, number>>;
  /** Keys whose time has not come. */
  readonly delayed: number;
  /** Keys that a worker has. */
  readonly running: number;
  /** How long the running passes have taken so far, together. */
  readonly unfinishedMs: number;
  readonly longestRunningMs: number;
}

/** What is known of a controller before its first pass, so that its series exist at zero. */
export interface ControllerFacts {
  readonly name: string;
  /** `kind.group` of the objects it reconciles. */
  readonly kind: string;
  readonly concurrency: number;
  /** Reads the queue; cheap enough for every scrape. */
  readonly queue: () => QueueReading;
}

/** What one controller tells while it runs. Every method is called on the hot path: count, do not wait. */
export interface ControllerMeter {
  /** A key was put into the queue, or one that was there already was asked for again. */
  readonly added: (priority: WorkPriority) => void;
  /** A key was put back after a failure, with a delay. */
  readonly retried: () => void;
  /** A worker took a key that had been ready for so long. */
  readonly taken: (waitedMs: number) => void;
  readonly passed: (outcome: PassOutcome, durationMs: number) => void;
  readonly wrote: (target: WriteTarget, durationMs: number) => void;
  /** An event was not sent, because its object has had too many or the queue of events is full. */
  readonly eventDropped: () => void;
}

/** Which pass is meant: enough for a span. */
export interface PassFacts {
  readonly controller: string;
  readonly id: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Where the runtime's numbers go. */
export interface ControllerObserver {
  /** Called once for each controller, before it starts. */
  readonly controller: (facts: ControllerFacts) => ControllerMeter;
  /** Told whenever this process wins or loses the lease, and once with false at the start. */
  readonly leading: (lease: string, isLeader: boolean) => void;
  /** Wraps each pass, for traces. Absent means that nobody looks, and costs nothing. */
  readonly around?: <T>(pass: PassFacts, body: () => Promise<T>) => Promise<T>;
}

const nothing = (): void => {};

/** Discards what it is told. */
export const silentLogger: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  child: () => silentLogger,
};

/** Counts nothing. */
export const silentObserver: ControllerObserver = {
  controller: () => ({
    added: nothing,
    retried: nothing,
    taken: nothing,
    passed: nothing,
    wrote: nothing,
    eventDropped: nothing,
  }),
  leading: nothing,
};
