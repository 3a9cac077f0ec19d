import type { WebhookServerOptions } from '../webhook/webhook-server.ts';
import type { Metrics } from './create-metrics.ts';
import { counter, secondsHistogram } from './instruments.ts';

const REVIEW_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/** Counts reviews by path and outcome; for `meter` of the webhook server. */
export function createWebhookMeter({
  registry,
}: Pick<Metrics, 'registry'>): NonNullable<WebhookServerOptions['meter']> {
  const total = counter(registry, {
    name: 'flotilla_webhook_requests_total',
    help: 'Requests to webhooks by how they ended',
    labels: ['path', 'outcome'],
  });
  const time = secondsHistogram(registry, {
    name: 'flotilla_webhook_request_duration_seconds',
    help: 'How long webhooks took to answer',
    labels: ['path'],
    buckets: REVIEW_SECONDS,
  });
  const counters = new Map<string, () => void>();
  const timers = new Map<string, (ms: number) => void>();
  return (path, outcome, durationMs) => {
    found(counters, `${path} ${outcome}`, () => total({ path, outcome }))();
    found(timers, path, () => time({ path }))(durationMs);
  };
}

function found<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
