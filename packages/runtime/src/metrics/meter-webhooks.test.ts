import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { webhookOutcomes } from '../webhook/webhook-server.ts';
import { createMetrics } from './create-metrics.ts';
import { createWebhookMeter } from './meter-webhooks.ts';

describe('the meter of webhooks', () => {
  test('has the series of every webhook at zero from the start, and those of paths nobody serves', async () => {
    const { registry } = createMetrics();
    createWebhookMeter({ registry }, [{ path: '/validate' }, { path: '/convert' }]);

    const lines = (await registry.metrics()).split('\n');

    for (const path of ['/validate', '/convert', 'unknown']) {
      for (const outcome of webhookOutcomes) {
        const series = `flotilla_webhook_requests_total{path="${path}",outcome="${outcome}"} 0`;
        assert.ok(lines.includes(series), series);
      }
      const timed = `flotilla_webhook_request_duration_seconds_count{path="${path}"} 0`;
      assert.ok(lines.includes(timed), timed);
    }
  });

  test('counts by path and outcome', async () => {
    const { registry } = createMetrics();
    const meter = createWebhookMeter({ registry }, [{ path: '/validate' }]);

    meter('/validate', 'answered', 20);
    meter('/validate', 'failed', 20);
    meter('/validate', 'answered', 20);

    const text = await registry.metrics();
    assert.match(text, /requests_total{path="\/validate",outcome="answered"} 2\n/);
    assert.match(text, /requests_total{path="\/validate",outcome="failed"} 1\n/);
    assert.match(text, /duration_seconds_count{path="\/validate"} 3\n/);
  });
});
