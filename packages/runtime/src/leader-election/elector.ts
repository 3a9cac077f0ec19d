import type { Clock } from '@flotilla/machinery';
import type { EventRecorder } from '../events/recorder.ts';
import type { Logger } from '../observer.ts';
import { LeaseLock, type LeaseLockOptions } from './lease-lock.ts';

/** Which process of several works: a Lease that client-go's electors understand, and the same times as theirs. */
export interface LeaderElection extends Pick<LeaseLockOptions, 'namespace' | 'name' | 'identity'> {
  /** How long others leave a silent leader in office. @default 15,000 */
  readonly leaseMs?: number;
  /** After how long without a renewal a leader resigns. @default 10,000 */
  readonly renewDeadlineMs?: number;
  /** Between two attempts. @default 2,000 */
  readonly retryMs?: number;
}

/** What an elector is made of. */
export interface ElectorOptions extends LeaderElection {
  readonly client: LeaseLockOptions['client'];
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  /** Tells of changes of office on the Lease, as client-go does. @default nobody is told */
  readonly record?: EventRecorder['record'];
}

/** Time in office. */
export interface Term {
  /** Aborted when the office is lost, with the reason. */
  readonly lost: AbortSignal;
  /** Whether others must still take us for the leader; asked before every write, since a paused process hears no signal. */
  readonly isInOffice: () => boolean;
}

/** Stands for an office until it is won, holds it until it is lost or laid down. */
export interface Elector {
  /** Waits for the office, runs `lead`, and gives the office back when that ends. True when it was lost meanwhile. */
  readonly serve: (signal: AbortSignal, lead: (term: Term) => Promise<void>) => Promise<boolean>;
  readonly isLeading: boolean;
  /** Who leads as far as is known; '' for nobody. */
  readonly leader: string;
}

/** Candidates that began together must not ask together. */
const JITTER = 1.2;

/** Makes an elector; throws when the times do not fit together. */
export function createElector(options: ElectorOptions): Elector {
  const { clock, random, logger } = options;
  const { leaseMs = 15_000, renewDeadlineMs = 10_000, retryMs = 2_000 } = options;
  if (leaseMs <= renewDeadlineMs || renewDeadlineMs <= retryMs * JITTER || retryMs <= 0) {
    throw new Error(
      `Cannot elect with a lease of ${leaseMs} ms, a deadline of ${renewDeadlineMs} ms and attempts every ${retryMs} ms: each must be longer than the next`,
    );
  }
  const lock = new LeaseLock({ ...options, leaseMs });
  let isLeading = false;
  let knownLeader = '';

  /** One attempt; failures are ordinary here. One request may not use up the time that is left for others. */
  async function attempt(signal: AbortSignal): Promise<boolean> {
    try {
      return await lock.acquireOrRenew(signal, Math.max(1000, renewDeadlineMs / 2));
    } catch (err) {
      if (!signal.aborted) logger.warn('Cannot acquire or renew the lease', { err });
      return false;
    } finally {
      if (lock.holder !== knownLeader) {
        knownLeader = lock.holder;
        logger.info('The leader has changed', { leader: knownLeader });
      }
    }
  }

  /** The texts are client-go's: people look for them. */
  function tell(action: 'BecameLeader' | 'StoppedLeading', what: string): void {
    const { lease } = lock;
    if (lease === undefined) return;
    const note = `${options.identity} ${what}`;
    options.record?.(lease, { reason: 'LeaderElection', action, note });
  }

  async function acquire(signal: AbortSignal): Promise<number> {
    for (;;) {
      signal.throwIfAborted();
      const triedAt = clock.elapsed();
      if (await attempt(signal)) return triedAt;
      await clock.wait(retryMs * (1 + random() * (JITTER - 1)), signal);
    }
  }

  /** Renews until it cannot; resolves only when the office is lost, and throws when it was told to stop. */
  async function hold(office: { renewedAt: number }, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.wait(retryMs, signal);
      const triedAt = clock.elapsed();
      const deadline = office.renewedAt + renewDeadlineMs;
      if (triedAt >= deadline) return;
      const isRenewed = await within(deadline - triedAt, signal, attempt);
      signal.throwIfAborted();
      if (isRenewed) office.renewedAt = triedAt;
      else if (!lock.isOurs || clock.elapsed() >= deadline) return;
    }
  }

  /** Gives `ask` so much time and no more. */
  async function within(
    ms: number,
    signal: AbortSignal,
    ask: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    const limit = new AbortController();
    const timer = clock.later(ms, () => limit.abort(new Error('The time to renew is over')));
    const overdue = new Promise<boolean>((resolve) => {
      limit.signal.addEventListener('abort', () => resolve(false), { once: true });
    });
    try {
      // A request that does not even hear its abort must not keep us in office.
      return await Promise.race([ask(AbortSignal.any([signal, limit.signal])), overdue]);
    } finally {
      timer[Symbol.dispose]();
    }
  }

  async function serve(signal: AbortSignal, lead: (term: Term) => Promise<void>): Promise<boolean> {
    const office = { renewedAt: await acquire(signal) };
    isLeading = true;
    logger.info('Became the leader', { lease: `${options.namespace}/${options.name}` });
    tell('BecameLeader', 'became leader');
    const lost = new AbortController();
    const resigned = new AbortController();
    const isInOffice = () => !lost.signal.aborted && clock.elapsed() < office.renewedAt + leaseMs;
    const holding = hold(office, resigned.signal).then(
      () => {
        isLeading = false;
        logger.error('Lost the lease', { leader: lock.holder });
        lost.abort(new Error('Cannot go on: the lease was lost'));
      },
      () => {},
    );
    try {
      await lead({ lost: lost.signal, isInOffice });
    } finally {
      isLeading = false;
      // Before the release: a renewal that is under way would take the office back.
      resigned.abort();
      await holding;
      tell('StoppedLeading', 'stopped leading');
      if (!lost.signal.aborted) await release();
    }
    return lost.signal.aborted;
  }

  async function release(): Promise<void> {
    try {
      await lock.release(new AbortController().signal, renewDeadlineMs);
    } catch (err) {
      logger.warn('Cannot release the lease: the next leader waits until it expires', { err });
    }
  }

  return {
    serve,
    get isLeading() {
      return isLeading;
    },
    get leader() {
      return lock.holder;
    },
  };
}
