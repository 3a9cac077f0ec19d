import type { Fleet } from '../../fan-out/fleet.ts';
import type { Outcome } from '../../fan-out/outcome.ts';

/** Outcomes that come in any order and are written in that of the fleet, each as soon as those before it are. */
export interface OrderedOutcomes<T> {
  readonly add: (outcome: Outcome<T>) => void;
  /** Resolves when all that came has been written; throws what writing threw. */
  readonly done: () => Promise<void>;
}

/** Writes one outcome after the other. What an outcome holds may be let go of once it is written. */
export function orderedOutcomes<T>(
  fleet: Fleet,
  write: (outcome: Outcome<T>) => Promise<void>,
): OrderedOutcomes<T> {
  const order = fleet.clusters.map(({ cluster }) => cluster);
  const waiting = new Map<unknown, Outcome<T>>();
  let next = 0;
  let writing = Promise.resolve();
  return {
    add: (outcome) => {
      waiting.set(outcome.cluster, outcome);
      for (;;) {
        const cluster = order[next];
        const ready = cluster === undefined ? undefined : waiting.get(cluster);
        if (cluster === undefined || ready === undefined) return;
        waiting.delete(cluster);
        next += 1;
        writing = writing.then(() => write(ready));
        // Told by `done`; nobody listens before.
        writing.catch(() => {});
      }
    },
    done: () => writing,
  };
}
