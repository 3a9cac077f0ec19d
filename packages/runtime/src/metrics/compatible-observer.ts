import type { Registry } from 'prom-client';
import type {
  ControllerFacts,
  ControllerObserver,
  PassOutcome,
  WorkPriority,
} from '../observer.ts';
import { counter, gauge, readGauge, secondsHistogram } from './instruments.ts';

/** controller-runtime's buckets, without which its dashboards' quantiles would differ. */
const RECONCILE_SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const QUEUE_SECONDS = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** Its words for how a reconcile ended. */
const RESULT = {
  done: 'success',
  waiting: 'requeue_after',
  stalled: 'success',
  suspended: 'success',
  gone: 'success',
  requeued: 'requeue',
  conflict: 'requeue',
  failed: 'error',
  aborted: 'requeue',
} as const satisfies Record<PassOutcome, string>;

/** Its numbers for priorities: resyncs have its LowPriority. */
const PRIORITY = { change: '0', other: '-50', resync: '-100' } as const satisfies Record<
  WorkPriority,
  string
>;

/** Counts under the names of controller-runtime and client-go, for dashboards and alerts that exist. */
export function compatibleObserver(registry: Registry): ControllerObserver {
  const known: ControllerFacts[] = [];
  const labels = ['controller'] as const;
  const queueLabels = ['name', 'controller'] as const;
  const total = counter(registry, {
    name: 'controller_runtime_reconcile_total',
    help: 'Total number of reconciliations per controller',
    labels: ['controller', 'result'],
  });
  const errors = counter(registry, {
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Total number of reconciliation errors per controller',
    labels,
  });
  const time = secondsHistogram(registry, {
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Length of time per reconciliation per controller',
    labels,
    buckets: RECONCILE_SECONDS,
  });
  const adds = counter(registry, {
    name: 'workqueue_adds_total',
    help: 'Total number of adds handled by workqueue',
    labels: queueLabels,
  });
  const retries = counter(registry, {
    name: 'workqueue_retries_total',
    help: 'Total number of retries handled by workqueue',
    labels: queueLabels,
  });
  const queueTime = secondsHistogram(registry, {
    name: 'workqueue_queue_duration_seconds',
    help: 'How long in seconds an item stays in workqueue before being requested',
    labels: queueLabels,
    buckets: QUEUE_SECONDS,
  });
  const workTime = secondsHistogram(registry, {
    name: 'workqueue_work_duration_seconds',
    help: 'How long in seconds processing an item from workqueue takes',
    labels: queueLabels,
    buckets: QUEUE_SECONDS,
  });
  const master = gauge(registry, {
    name: 'leader_election_master_status',
    help: 'Whether the reporting system holds the lease: 1 for the master, 0 for a backup',
    labels: ['name'],
  });
  readGauges(registry, known);

  return {
    controller: (facts) => {
      known.push(facts);
      const controller = facts.name;
      const queue = { name: controller, controller };
      const results = {
        success: total({ controller, result: 'success' }),
        error: total({ controller, result: 'error' }),
        requeue: total({ controller, result: 'requeue' }),
        requeue_after: total({ controller, result: 'requeue_after' }),
      };
      const failed = errors({ controller });
      const took = time({ controller });
      const worked = workTime(queue);
      return {
        added: adds(queue),
        retried: retries(queue),
        taken: queueTime(queue),
        passed: (outcome, durationMs) => {
          results[RESULT[outcome]]();
          if (outcome === 'failed') failed();
          took(durationMs);
          worked(durationMs);
        },
        wrote: () => {},
        eventDropped: () => {},
      };
    },
    leading: (name, isLeader) => master({ name }, isLeader ? 1 : 0),
  };
}

function readGauges(registry: Registry, known: readonly ControllerFacts[]): void {
  const queueLabels = ['name', 'controller'] as const;
  const each = (read: (facts: ControllerFacts) => number) => () =>
    known.map((facts) => [{ name: facts.name, controller: facts.name }, read(facts)] as const);
  readGauge(
    registry,
    {
      name: 'controller_runtime_max_concurrent_reconciles',
      help: 'Maximum number of concurrent reconciles per controller',
      labels: ['controller'],
    },
    () => known.map(({ name, concurrency }) => [{ controller: name }, concurrency]),
  );
  readGauge(
    registry,
    {
      name: 'controller_runtime_active_workers',
      help: 'Number of currently used workers per controller',
      labels: ['controller'],
    },
    () => known.map(({ name, queue }) => [{ controller: name }, queue().running]),
  );
  readGauge(
    registry,
    {
      name: 'workqueue_depth',
      help: 'Current depth of workqueue by workqueue and priority',
      labels: ['name', 'controller', 'priority'],
    },
    () =>
      known.flatMap(({ name, queue }) => {
        const { ready } = queue();
        return (Object.keys(PRIORITY) as WorkPriority[]).map(
          (why) => [{ name, controller: name, priority: PRIORITY[why] }, ready[why]] as const,
        );
      }),
  );
  readGauge(
    registry,
    {
      name: 'workqueue_unfinished_work_seconds',
      help: 'How many seconds of work has been done that is in progress and has not been observed by work_duration',
      labels: queueLabels,
    },
    each(({ queue }) => queue().unfinishedMs / 1000),
  );
  readGauge(
    registry,
    {
      name: 'workqueue_longest_running_processor_seconds',
      help: 'How many seconds the longest running processor has been running',
      labels: queueLabels,
    },
    each(({ queue }) => queue().longestRunningMs / 1000),
  );
}
