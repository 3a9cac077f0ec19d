import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transport } from '@flotilla/client';
import { ManualClock } from '@flotilla/machinery/testing';
import { createMetrics } from './create-metrics.ts';
import { createClientMeter } from './meter-transport.ts';

test('requests are counted by their answer, and those without one, too', async () => {
  const clock = new ManualClock();
  const metrics = createMetrics();
  const failure = new Error('refused');
  const transport = createClientMeter(metrics, { clock }).meter(
    {
      send: async () => {
        await clock.advance(2_000);
        return { status: 404, headers: {}, warnings: [], body: Buffer.alloc(0) };
      },
      stream: () => Promise.reject(failure),
      upgrade: () => Promise.reject(failure),
      [Symbol.asyncDispose]: async () => {},
    } satisfies Transport,
    'member.example.com:6443',
  );

  await transport.send({ method: 'GET', path: '/api/v1/pods' });
  await assert.rejects(transport.stream({ method: 'GET', path: '/api/v1/pods' }), failure);

  const text = await metrics.registry.metrics();
  for (const line of [
    'flotilla_client_requests_total{server="member.example.com:6443",method="GET",code="404"} 1',
    'flotilla_client_requests_total{server="member.example.com:6443",method="GET",code="0"} 1',
    'flotilla_client_request_duration_seconds_sum{server="member.example.com:6443",method="GET"} 2',
    'rest_client_requests_total{code="404",method="GET",host="member.example.com:6443"} 1',
    'rest_client_requests_total{code="<error>",method="GET",host="member.example.com:6443"} 1',
  ]) {
    assert.ok(text.includes(`${line}\n`), line);
  }
});
