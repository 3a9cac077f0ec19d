import { type Clock, systemClock } from '@flotilla/machinery';

/** A signal that many requests share, and how many of them listen to it. */
export function countedSignal() {
  const { signal } = new AbortController();
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  const counted = { signal, listeners: 0, most: 0 };
  Object.assign(signal, {
    addEventListener: (...args: Parameters<typeof add>) => {
      counted.listeners += 1;
      counted.most = Math.max(counted.most, counted.listeners);
      add(...args);
    },
    removeEventListener: (...args: Parameters<typeof remove>) => {
      counted.listeners -= 1;
      remove(...args);
    },
  });
  return counted;
}

/** The machine's time, with every timer that is neither over nor disposed of. */
export function countedTimers(timers: Set<Disposable>): Clock {
  return {
    ...systemClock,
    later: (ms, run) => {
      const timer = systemClock.later(ms, () => {
        timers.delete(timer);
        run();
      });
      timers.add(timer);
      return {
        [Symbol.dispose]: () => {
          timers.delete(timer);
          timer[Symbol.dispose]();
        },
      };
    },
  };
}

/** Connections that this process has open, by what Node calls them. */
export function openSockets(): string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => name === 'TCPSocketWrap' || name === 'TLSWrap');
}
