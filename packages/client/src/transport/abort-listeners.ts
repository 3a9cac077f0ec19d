import { type Enrolled, Roster } from '@flotilla/machinery';

/** One request's interest in a signal. */
export interface AbortListener extends Enrolled {
  readonly signal: AbortSignal;
  readonly run: () => void;
}

/**
 * Listens to each signal once, for all requests that were given it. A controller's signal may be
 * that of a hundred requests at a time, which Node would take for a leak and warn of.
 */
export class AbortListeners {
  readonly #bySignal = new Map<
    AbortSignal,
    { readonly all: Roster<AbortListener>; readonly tell: () => void }
  >();

  /** Has `run` called when the signal is aborted. */
  add(signal: AbortSignal, run: () => void): AbortListener {
    const listener: AbortListener = { signal, run, place: -1 };
    const known = this.#bySignal.get(signal);
    if (known !== undefined) {
      known.all.add(listener);
      return listener;
    }
    const all = new Roster<AbortListener>();
    all.add(listener);
    const tell = () => {
      this.#bySignal.delete(signal);
      for (const each of all.list()) each.run();
    };
    this.#bySignal.set(signal, { all, tell });
    signal.addEventListener('abort', tell, { once: true });
    return listener;
  }

  /** Undoes it. */
  remove(listener: AbortListener): void {
    const { signal } = listener;
    const known = this.#bySignal.get(signal);
    if (known === undefined) return;
    known.all.delete(listener);
    if (known.all.size > 0) return;
    this.#bySignal.delete(signal);
    signal.removeEventListener('abort', known.tell);
  }
}
