import type { Registry } from 'prom-client';
import {
  type ControllerFacts,
  type ControllerObserver,
  passOutcomes,
  type WorkPriority,
  type WriteTarget,
} from '../observer.ts';
import { counter, gauge, readGauge, secondsHistogram } from './instruments.ts';

const PRIORITIES: readonly WorkPriority[] = ['change', 'other', 'resync'];
const TARGETS: readonly WriteTarget[] = ['metadata', 'status'];

/** From a pass that reads a cache and writes nothing to one that waits for a member far away. */
const PASS_SECONDS = [
  0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
/** From a queue that is empty to one that is minutes behind. */
const WAIT_SECONDS = [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

/** Counts under our own names: `flotilla_<component>_<noun>_<unit>`. */
export function ownObserver(registry: Registry): ControllerObserver {
  const known: ControllerFacts[] = [];
  const labels = ['controller'] as const;
  const passes = counter(registry, {
    name: 'flotilla_controller_passes_total',
    help: 'Passes of a controller by how they ended',
    labels: ['controller', 'outcome'],
  });
  const passTime = secondsHistogram(registry, {
    name: 'flotilla_controller_pass_duration_seconds',
    help: 'How long passes took',
    labels,
    buckets: PASS_SECONDS,
  });
  const writeTime = secondsHistogram(registry, {
    name: 'flotilla_controller_write_duration_seconds',
    help: 'How long the writes at the end of passes took',
    labels: ['controller', 'target'],
    buckets: PASS_SECONDS,
  });
  const droppedEvents = counter(registry, {
    name: 'flotilla_controller_dropped_events_total',
    help: 'Events that were not sent because there were too many',
    labels,
  });
  const added = counter(registry, {
    name: 'flotilla_queue_added_keys_total',
    help: 'Keys put into the queue, by why',
    labels: ['controller', 'priority'],
  });
  const retried = counter(registry, {
    name: 'flotilla_queue_retried_keys_total',
    help: 'Keys put back after a failure',
    labels,
  });
  const waitTime = secondsHistogram(registry, {
    name: 'flotilla_queue_wait_duration_seconds',
    help: 'How long keys were ready before a worker took them',
    labels,
    buckets: WAIT_SECONDS,
  });
  const leading = gauge(registry, {
    name: 'flotilla_leader_election_leading',
    help: 'Whether this process holds the lease',
    labels: ['lease'],
  });
  readGauge(
    registry,
    {
      name: 'flotilla_controller_workers',
      help: 'Passes that may run at once',
      labels,
    },
    () => known.map(({ name, concurrency }) => [{ controller: name }, concurrency]),
  );
  readGauge(
    registry,
    {
      name: 'flotilla_queue_ready_keys',
      help: 'Keys that a worker could take now, by why they were added',
      labels: ['controller', 'priority'],
    },
    () =>
      known.flatMap(({ name, queue }) => {
        const { ready } = queue();
        return PRIORITIES.map(
          (priority) => [{ controller: name, priority }, ready[priority]] as const,
        );
      }),
  );
  for (const [name, help, read] of [
    ['flotilla_queue_delayed_keys', 'Keys whose time has not come', 'delayed'],
    ['flotilla_queue_running_keys', 'Keys that a worker has', 'running'],
  ] as const) {
    readGauge(registry, { name, help, labels }, () =>
      known.map(({ name: controller, queue }) => [{ controller }, queue()[read]]),
    );
  }
  for (const [name, help, read] of [
    [
      'flotilla_queue_unfinished_seconds',
      'How long the running passes have taken so far, together',
      'unfinishedMs',
    ],
    [
      'flotilla_queue_longest_running_seconds',
      'How long the longest running pass has taken so far',
      'longestRunningMs',
    ],
  ] as const) {
    readGauge(registry, { name, help, labels }, () =>
      known.map(({ name: controller, queue }) => [{ controller }, queue()[read] / 1000]),
    );
  }

  return {
    controller: (facts) => {
      known.push(facts);
      const controller = facts.name;
      const outcomes = byName(passOutcomes, (outcome) => passes({ controller, outcome }));
      const writes = byName(TARGETS, (target) => writeTime({ controller, target }));
      const adds = byName(PRIORITIES, (priority) => added({ controller, priority }));
      const took = passTime({ controller });
      return {
        added: (priority) => adds[priority](),
        retried: retried({ controller }),
        taken: waitTime({ controller }),
        passed: (outcome, durationMs) => {
          outcomes[outcome]();
          took(durationMs);
        },
        wrote: (target, durationMs) => writes[target](durationMs),
        eventDropped: droppedEvents({ controller }),
      };
    },
    leading: (lease, isLeader) => leading({ lease }, isLeader ? 1 : 0),
  };
}

function byName<const N extends string, T>(
  names: readonly N[],
  make: (name: N) => T,
): Readonly<Record<N, T>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>;
}
