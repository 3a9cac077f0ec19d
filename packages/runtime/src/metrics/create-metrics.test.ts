import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ControllerFacts,
  type ControllerObserver,
  passOutcomes,
  type QueueReading,
} from '../observer.ts';
import { combineObservers } from './combine-observers.ts';
import { createMetrics, type Metrics } from './create-metrics.ts';

const EMPTY: QueueReading = {
  ready: { change: 0, other: 0, resync: 0 },
  delayed: 0,
  running: 0,
  unfinishedMs: 0,
  longestRunningMs: 0,
};

describe('metrics', () => {
  test('has every series of a controller at zero before its first pass', async () => {
    const metrics = createMetrics();
    metrics.observer.controller(facts());
    metrics.observer.leading('hub', false);

    const series = await read(metrics);

    for (const outcome of passOutcomes) {
      const name = `flotilla_controller_passes_total{controller="registration",outcome="${outcome}"}`;
      assert.equal(series.get(name), 0, name);
    }
    for (const [name, value] of Object.entries({
      'flotilla_controller_workers{controller="registration"}': 4,
      'flotilla_controller_pass_duration_seconds_count{controller="registration"}': 0,
      'flotilla_controller_pass_duration_seconds_bucket{le="+Inf",controller="registration"}': 0,
      'flotilla_controller_write_duration_seconds_count{controller="registration",target="status"}': 0,
      'flotilla_controller_dropped_events_total{controller="registration"}': 0,
      'flotilla_queue_ready_keys{controller="registration",priority="resync"}': 0,
      'flotilla_queue_added_keys_total{controller="registration",priority="change"}': 0,
      'flotilla_queue_retried_keys_total{controller="registration"}': 0,
      'flotilla_queue_wait_duration_seconds_count{controller="registration"}': 0,
      'flotilla_leader_election_leading{lease="hub"}': 0,
      'controller_runtime_reconcile_total{controller="registration",result="requeue_after"}': 0,
      'controller_runtime_reconcile_errors_total{controller="registration"}': 0,
      'controller_runtime_max_concurrent_reconciles{controller="registration"}': 4,
      'controller_runtime_active_workers{controller="registration"}': 0,
      'workqueue_depth{name="registration",controller="registration",priority="0"}': 0,
      'workqueue_adds_total{name="registration",controller="registration"}': 0,
      'leader_election_master_status{name="hub"}': 0,
    })) {
      assert.equal(series.get(name), value, name);
    }
  });

  test('counts what a controller tells, under both sets of names', async () => {
    const metrics = createMetrics();
    const meter = metrics.observer.controller(facts());

    meter.added('change');
    meter.added('resync');
    meter.taken(2_000);
    meter.passed('done', 100);
    meter.passed('failed', 300);
    meter.passed('waiting', 0);
    meter.retried();
    meter.wrote('status', 50);
    meter.eventDropped();
    metrics.observer.leading('hub', true);

    const series = await read(metrics);
    for (const [name, value] of Object.entries({
      'flotilla_controller_passes_total{controller="registration",outcome="failed"}': 1,
      'flotilla_controller_pass_duration_seconds_sum{controller="registration"}': 0.4,
      'flotilla_controller_write_duration_seconds_sum{controller="registration",target="status"}': 0.05,
      'flotilla_controller_dropped_events_total{controller="registration"}': 1,
      'flotilla_queue_added_keys_total{controller="registration",priority="resync"}': 1,
      'flotilla_queue_retried_keys_total{controller="registration"}': 1,
      'flotilla_queue_wait_duration_seconds_sum{controller="registration"}': 2,
      'flotilla_leader_election_leading{lease="hub"}': 1,
      'controller_runtime_reconcile_total{controller="registration",result="success"}': 1,
      'controller_runtime_reconcile_total{controller="registration",result="error"}': 1,
      'controller_runtime_reconcile_total{controller="registration",result="requeue_after"}': 1,
      'controller_runtime_reconcile_errors_total{controller="registration"}': 1,
      'controller_runtime_reconcile_time_seconds_count{controller="registration"}': 3,
      'workqueue_adds_total{name="registration",controller="registration"}': 2,
      'workqueue_retries_total{name="registration",controller="registration"}': 1,
      'workqueue_queue_duration_seconds_sum{name="registration",controller="registration"}': 2,
      'workqueue_work_duration_seconds_count{name="registration",controller="registration"}': 3,
      'leader_election_master_status{name="hub"}': 1,
    })) {
      assert.equal(series.get(name), value, name);
    }
  });

  test('reads the queue at each scrape', async () => {
    const metrics = createMetrics();
    let reading = EMPTY;
    metrics.observer.controller(facts(() => reading));
    await read(metrics);

    reading = {
      ready: { change: 1, other: 2, resync: 3 },
      delayed: 4,
      running: 5,
      unfinishedMs: 6_000,
      longestRunningMs: 7_000,
    };

    const series = await read(metrics);
    const of = (name: string) => series.get(`${name}{controller="registration"}`);
    assert.equal(of('flotilla_queue_delayed_keys'), 4);
    assert.equal(of('flotilla_queue_running_keys'), 5);
    assert.equal(of('flotilla_queue_unfinished_seconds'), 6);
    assert.equal(of('flotilla_queue_longest_running_seconds'), 7);
    const depth = 'workqueue_depth{name="registration",controller="registration",priority="-100"}';
    assert.equal(series.get(depth), 3);
  });

  test('gives its own instruments names of our form, and only those without the compatible ones', async () => {
    const metrics = createMetrics({ compatibleNames: false });

    const names = metrics.registry.getMetricsAsArray().map(({ name }) => name);

    assert.ok(names.length > 10);
    assert.deepEqual(
      names.filter((name) => !/^flotilla_[a-z]+(_[a-z]+)*_[a-z]+$/.test(name)),
      [],
    );
  });

  test('has numbers of the process only where they are asked for', async () => {
    const without = await read(createMetrics());
    const withThem = await read(createMetrics({ processMetrics: true }));

    assert.equal(without.has('process_cpu_seconds_total'), false);
    assert.ok((withThem.get('process_resident_memory_bytes') ?? 0) > 0);
    assert.ok(withThem.has('nodejs_eventloop_lag_seconds'));
  });

  test('is served at its path as the text format that Prometheus reads, and nowhere else', async () => {
    const { route } = createMetrics();
    const ask = (path: string) =>
      route({ path, query: new URLSearchParams(), signal: new AbortController().signal });

    const answer = await ask('/metrics');

    assert.equal(answer?.type, 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(answer?.body ?? '', /^# HELP flotilla_controller_passes_total /m);
    assert.equal(await ask('/metrics/x'), undefined);
  });

  test('keeps two programs in one process apart', async () => {
    const [one, two] = [createMetrics(), createMetrics()];

    one.observer.leading('hub', true);

    assert.equal((await read(two)).has('flotilla_leader_election_leading{lease="hub"}'), false);
  });
});

test('observers that wrap passes wrap each other, the first outermost', async () => {
  const told: string[] = [];
  const wrapping = (name: string): ControllerObserver => ({
    ...createMetrics().observer,
    around: async (_pass, body) => {
      told.push(`${name} begins`);
      const result = await body();
      told.push(`${name} ends`);
      return result;
    },
  });
  const { around } = combineObservers([wrapping('a'), createMetrics().observer, wrapping('b')]);

  const result = await around?.({ controller: 'c', id: '1', name: 'n' }, async () => 42);

  assert.equal(result, 42);
  assert.deepEqual(told, ['a begins', 'b begins', 'b ends', 'a ends']);
  assert.equal(combineObservers([createMetrics().observer]).around, undefined);
});

function facts(queue = () => EMPTY): ControllerFacts {
  return {
    name: 'registration',
    kind: 'ClusterRegistration.multicluster.oam.dev',
    concurrency: 4,
    queue,
  };
}

/** Series by their name with labels. */
async function read({ registry }: Metrics): Promise<Map<string, number>> {
  const text = await registry.metrics();
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const space = line.lastIndexOf(' ');
        return [line.slice(0, space), Number(line.slice(space + 1))];
      }),
  );
}
