import type { Webhook } from '../webhook/webhook.ts';
import {
  UNKNOWN_PATH,
  type WebhookServerOptions,
  webhookOutcomes,
} from '../webhook/webhook-server.ts';
import type { Metrics } from './create-metrics.ts';
import { counter, secondsHistogram } from './instruments.ts';

const REVIEW_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30];

/**
 * Counts reviews by path and outcome; for `meter` of the webhook server. The series of all webhooks are there from the
 * start, so that the first failure is seen as a rise from zero.
 */
export function createWebhookMeter(
  { registry }: Pick<Metrics, 'registry'>,
  webhooks: readonly Pick<Webhook, 'path'>[],
): NonNullable<WebhookServerOptions['meter']> {
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
  const countOf = (path: string, outcome: string) =>
    found(counters, `${path} ${outcome}`, () => total({ path, outcome }));
  const timeOf = (path: string) => found(timers, path, () => time({ path }));
  for (const path of [...webhooks.map((each) => each.path), UNKNOWN_PATH]) {
    for (const outcome of webhookOutcomes) countOf(path, outcome);
    timeOf(path);
  }
  return (path, outcome, durationMs) => {
    countOf(path, outcome)();
    timeOf(path)(durationMs);
  };
}

function found<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}
