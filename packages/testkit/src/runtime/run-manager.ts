import { systemClock } from '@flotilla/machinery';
import {
  type ControllerObserver,
  createManager,
  type Logger,
  type Manager,
  type ManagerOptions,
  type PassOutcome,
} from '@flotilla/runtime';

/** A manager that runs until it is disposed of. */
export interface RunningManager extends AsyncDisposable {
  readonly manager: Manager;
  /** How passes have ended so far, in order. */
  readonly outcomes: readonly PassOutcome[];
  /** Log lines of at least `warn` so far. */
  readonly complaints: readonly string[];
  readonly writes: number;
  /** Tells it to stop, and waits until it has. */
  readonly stop: () => Promise<void>;
  /** Settles when the manager has ended by itself. */
  readonly ended: Promise<void>;
}

/** Runs a manager on the machine's clock. */
export function runManager(
  options: Pick<ManagerOptions, 'client' | 'controllers'> & Partial<ManagerOptions>,
): RunningManager {
  const outcomes: PassOutcome[] = [];
  const complaints: string[] = [];
  let writes = 0;
  const nothing = () => {};
  const complain = (message: string, fields: unknown = {}) => {
    complaints.push(`${message} ${String((fields as { err?: unknown }).err ?? '')}`);
  };
  const logger: Logger = {
    debug: nothing,
    info: nothing,
    warn: complain,
    error: complain,
    child: () => logger,
  };
  const observer: ControllerObserver = {
    controller: () => ({
      added: nothing,
      retried: nothing,
      taken: nothing,
      passed: (outcome) => outcomes.push(outcome),
      wrote: () => writes++,
      eventDropped: nothing,
    }),
    leading: nothing,
  };
  const manager = createManager({
    clock: systemClock,
    random: () => 0.5,
    logger,
    observer,
    ...options,
  });
  const ending = new AbortController();
  const ended = manager.run(ending.signal);
  // Whoever stops it hears of it.
  ended.catch(nothing);
  const stop = () => {
    ending.abort(new Error('The test is over'));
    return ended;
  };
  return {
    manager,
    outcomes,
    complaints,
    get writes() {
      return writes;
    },
    stop,
    ended,
    [Symbol.asyncDispose]: stop,
  };
}
