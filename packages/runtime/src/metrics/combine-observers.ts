import type { ControllerMeter, ControllerObserver, PassFacts } from '../observer.ts';

/** Tells several what one is told; passes are wrapped by each that wraps, the first outermost. */
export function combineObservers(observers: readonly ControllerObserver[]): ControllerObserver {
  const wrapping = observers.flatMap(({ around }) => around ?? []);
  return {
    controller: (facts) => combineMeters(observers.map((each) => each.controller(facts))),
    leading: (lease, isLeader) => {
      for (const each of observers) each.leading(lease, isLeader);
    },
    ...(wrapping.length === 0
      ? {}
      : {
          around: <T>(pass: PassFacts, body: () => Promise<T>): Promise<T> =>
            wrapping.reduceRight<() => Promise<T>>(
              (inner, around) => () => around(pass, inner),
              body,
            )(),
        }),
  };
}

function combineMeters(meters: readonly ControllerMeter[]): ControllerMeter {
  const [only] = meters;
  if (only !== undefined && meters.length === 1) return only;
  return {
    added: (priority) => {
      for (const each of meters) each.added(priority);
    },
    retried: () => {
      for (const each of meters) each.retried();
    },
    taken: (waitedMs) => {
      for (const each of meters) each.taken(waitedMs);
    },
    passed: (outcome, durationMs) => {
      for (const each of meters) each.passed(outcome, durationMs);
    },
    wrote: (target, durationMs) => {
      for (const each of meters) each.wrote(target, durationMs);
    },
    eventDropped: () => {
      for (const each of meters) each.eventDropped();
    },
  };
}
