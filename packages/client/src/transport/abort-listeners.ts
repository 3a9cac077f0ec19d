/**
 * Listens to each signal once, for all requests that were given it. A controller's signal may be
 * that of a hundred requests at a time, which Node would take for a leak and warn of.
 */
export class AbortListeners {
  readonly #bySignal = new Map<AbortSignal, { runs: Set<() => void>; listener: () => void }>();

  /** Has `run` called when the signal is aborted. */
  add(signal: AbortSignal, run: () => void): void {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) {
      known.runs.add(run);
      return;
    }
    const runs = new Set([run]);
    const listener = () => {
      this.#bySignal.delete(signal);
      for (const each of [...runs]) each();
    };
    this.#bySignal.set(signal, { runs, listener });
    signal.addEventListener('abort', listener, { once: true });
  }

  /** Undoes it. */
  remove(signal: AbortSignal, run: () => void): void {
    const known = this.#bySignal.get(signal);
    if (known === undefined) return;
    known.runs.delete(run);
    if (known.runs.size > 0) return;
    this.#bySignal.delete(signal);
    signal.removeEventListener('abort', known.listener);
  }
}
