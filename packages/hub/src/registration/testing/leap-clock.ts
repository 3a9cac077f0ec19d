import { type Clock, systemClock } from '@flotilla/machinery';

interface Alarm {
  readonly at: number;
  readonly ring: () => void;
  timer: Disposable;
}

/** The machine's clock, which a test can set forth: what is due by then rings at once, everything else goes on as usual. */
export class LeapClock implements Clock {
  #leapt = 0;
  readonly #alarms = new Set<Alarm>();

  readonly now = (): number => systemClock.now() + this.#leapt;

  readonly elapsed = (): number => systemClock.elapsed() + this.#leapt;

  readonly later = (ms: number, run: () => void): Disposable => {
    const ring = () => {
      this.#alarms.delete(alarm);
      run();
    };
    const alarm: Alarm = { at: this.elapsed() + ms, ring, timer: systemClock.later(ms, ring) };
    this.#alarms.add(alarm);
    return {
      [Symbol.dispose]: () => {
        this.#alarms.delete(alarm);
        alarm.timer[Symbol.dispose]();
      },
    };
  };

  readonly wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = () => {
        alarm[Symbol.dispose]();
        reject(signal?.reason as Error);
      };
      const alarm = this.later(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });

  /** Sets the clock forth. */
  leap(ms: number): void {
    this.#leapt += ms;
    const now = this.elapsed();
    for (const alarm of [...this.#alarms].sort((a, b) => a.at - b.at)) {
      // One that rang may have called off another.
      if (!this.#alarms.has(alarm)) continue;
      alarm.timer[Symbol.dispose]();
      if (alarm.at <= now) alarm.ring();
      else alarm.timer = systemClock.later(alarm.at - now, alarm.ring);
    }
  }
}
