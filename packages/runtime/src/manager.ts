import { setMaxListeners } from 'node:events';
import { type Client, createInformers, type Informers } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import type { Controller, PreparedController, RunBounds } from './controller/definition.ts';
import { createRecorder } from './events/recorder.ts';
import type { HealthCheck } from './health/create-health.ts';
import { createElector, type Elector, type LeaderElection } from './leader-election/elector.ts';
import { type ControllerObserver, type Logger, silentLogger, silentObserver } from './observer.ts';

/** What a manager is made of. */
export interface ManagerOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  readonly clock: Clock;
  readonly random: () => number;
  /** The program, as events name it: `flotilla.dev/hub`. @default 'flotilla' */
  readonly name?: string;
  /** The process, such as its pod: as events name it. @default the identity of the leader election, or the name */
  readonly instance?: string;
  /** @default says nothing */
  readonly logger?: Logger;
  /** @default counts nothing */
  readonly observer?: ControllerObserver;
  /** Without, this process takes itself for the only one. */
  readonly leaderElection?: LeaderElection;
  /** Shares caches with others of the same client; whoever gives them starts them. @default its own */
  readonly informers?: Informers;
  /** How long running passes may go on when the manager is told to stop. @default 30,000 */
  readonly graceMs?: number;
}

/** Runs controllers. */
export interface Manager {
  /**
   * Runs once, until the signal is aborted and everything has ended: no new passes, the running ones finished or, after the
   * grace time, aborted, the lease given back. Throws when it cannot go on; the process should end then.
   */
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** For the health endpoints. */
  readonly checks: readonly HealthCheck[];
  readonly isLeading: boolean;
}

const GRACE_MS = 30_000;
/** For the last events. */
const FLUSH_MS = 2_000;

/**
 * Makes a manager, which does nothing until it is run.
 *
 * @example
 * ```ts
 * const manager = createManager({ client, controllers: [greeter], clock: systemClock, random: Math.random });
 * await manager.run(signal);
 * ```
 */
export function createManager(options: ManagerOptions): Manager {
  const { client, clock, random, leaderElection, graceMs = GRACE_MS } = options;
  const { logger = silentLogger, observer = silentObserver, name = 'flotilla' } = options;
  const informers =
    options.informers ??
    createInformers({
      client,
      clock,
      random,
      report: (err) => logger.warn('An informer met a failure', { err }),
    });
  const recorder = createRecorder({
    client,
    clock,
    random,
    logger,
    controller: name,
    instance: options.instance ?? leaderElection?.identity ?? name,
  });
  const context = { client, informers, clock, random, logger, observer, recorder };
  const prepared = options.controllers.map((controller) => controller.prepare(context));
  const elector =
    leaderElection === undefined
      ? undefined
      : createElector({
          ...leaderElection,
          client,
          clock,
          random,
          logger,
          record: recorder.record,
        });
  const lease = leaderElection && `${leaderElection.namespace}/${leaderElection.name}`;
  if (lease !== undefined) observer.leading(lease, false);
  let hasRun = false;
  let hasSynced = false;
  let isRunning = false;

  async function run(asked: AbortSignal): Promise<void> {
    if (hasRun) throw new Error('Cannot run a manager twice: make another one');
    hasRun = true;
    const signal = unbounded(AbortSignal.any([asked]));
    const caches = new AbortController();
    unbounded(caches.signal);
    const informing = options.informers === undefined ? informers.start(caches.signal) : undefined;
    try {
      await runUntil(signal);
      // Once everything has ended, and so that the last word of a leader is told as well.
      await flush();
    } finally {
      // The caches outlive the passes that read them.
      caches.abort();
      await recorder[Symbol.asyncDispose]();
      await informing;
    }
  }

  async function runUntil(signal: AbortSignal): Promise<void> {
    try {
      await informers.synced(signal);
      hasSynced = true;
      if (elector === undefined) await lead(signal, { abort: never(), mayWrite: () => true });
      else await campaign(elector, signal);
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
    }
  }

  /** Stands for office again after it is lost: the caches are warm, so a successor is at work at once. */
  async function campaign(standing: Elector, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await standing.serve(signal, async ({ lost, isInOffice }) => {
        observer.leading(lease ?? '', true);
        try {
          await lead(signal, { abort: lost, mayWrite: isInOffice });
        } finally {
          observer.leading(lease ?? '', false);
        }
      });
    }
  }

  /** Runs all controllers until `signal` ends them gently or `term.abort` at once. */
  async function lead(
    signal: AbortSignal,
    term: Pick<RunBounds, 'abort' | 'mayWrite'>,
  ): Promise<void> {
    const stop = unbounded(AbortSignal.any([signal, term.abort]));
    const late = new AbortController();
    const bounds: RunBounds = {
      stop,
      abort: unbounded(AbortSignal.any([term.abort, late.signal])),
      mayWrite: term.mayWrite,
    };
    let timer: Disposable | undefined;
    const startGrace = () => {
      timer = clock.later(graceMs, () => {
        late.abort(new Error('Cannot go on: the process is about to end'));
      });
    };
    if (signal.aborted) startGrace();
    else signal.addEventListener('abort', startGrace, { once: true });
    isRunning = true;
    try {
      await Promise.all(prepared.map((controller) => controller.run(bounds)));
    } finally {
      isRunning = false;
      signal.removeEventListener('abort', startGrace);
      timer?.[Symbol.dispose]();
    }
    requireEnded(prepared);
  }

  async function flush(): Promise<void> {
    const done = new AbortController();
    const limit = clock.wait(FLUSH_MS, done.signal).catch(() => {});
    await Promise.race([recorder.flushed(), limit]);
    done.abort();
  }

  return {
    run,
    checks: [
      { name: 'caches', on: ['readyz'], check: () => requireThat(hasSynced, 'Caches not synced') },
      { name: 'passes', on: ['livez'], check: () => requireEnded(prepared) },
      {
        name: 'leader-election',
        on: ['livez'],
        check: () =>
          requireThat(
            elector === undefined || !isRunning || elector.isLeading,
            'Controllers run without the lease',
          ),
      },
    ],
    get isLeading() {
      return elector === undefined ? isRunning : elector.isLeading;
    },
  };
}

/** A pass that cannot be ended could act beside the next leader: only the end of the process ends it. */
function requireEnded(controllers: readonly PreparedController[]): void {
  const stuck = controllers.filter(({ abandoned }) => abandoned > 0);
  if (stuck.length === 0) return;
  const names = stuck.map(({ name }) => name).join(', ');
  throw new Error(`Cannot end passes of "${names}": they take no notice of their signal`);
}

function requireThat(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

/** As many listen as there are controllers and requests; Node would take eleven for a leak. */
function unbounded(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}

function never(): AbortSignal {
  return new AbortController().signal;
}
