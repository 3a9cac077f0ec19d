import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Transport, WireRequest } from '@flotilla/client';
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  type SpanOptions,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { silentObserver } from '../observer.ts';
import { spanNameOf } from './span-name.ts';
import { createTracing } from './tracing.ts';

interface Recorded {
  readonly name: string;
  readonly kind: SpanKind | undefined;
  readonly attributes: Record<string, unknown>;
  status?: SpanStatus;
  isEnded: boolean;
}

const PASS = { controller: 'registration', id: 'r1', namespace: 'ns', name: 'west' };

describe('tracing that is off', () => {
  test('leaves the observer and the transport as they are', async () => {
    const tracing = await createTracing({ isOn: false });
    const transport = transportOf(200);

    assert.equal(tracing.observe(silentObserver), silentObserver);
    assert.equal(tracing.trace(transport), transport);
  });
});

describe('tracing that is on', () => {
  const spans: Recorded[] = [];
  before(() => register(spans));
  after(() => {
    trace.disable();
    propagation.disable();
    context.disable();
  });

  test('has a span around each pass, and wraps what wrapped before', async () => {
    spans.length = 0;
    const tracing = await createTracing({ isOn: true });
    const told: string[] = [];
    const { around } = tracing.observe({
      ...silentObserver,
      around: (pass, body) => {
        told.push(pass.id);
        return body();
      },
    });

    const result = await around?.(PASS, async () => 42);

    assert.equal(result, 42);
    assert.deepEqual(told, ['r1']);
    assert.deepEqual(spans, [
      {
        name: 'reconcile registration',
        kind: SpanKind.INTERNAL,
        attributes: {
          'flotilla.controller': 'registration',
          'flotilla.reconcile.id': 'r1',
          'k8s.object.name': 'west',
          'k8s.namespace.name': 'ns',
        },
        isEnded: true,
      },
    ]);
  });

  test('tells of a failed pass, without credentials, and lets it fail', async () => {
    spans.length = 0;
    const { around } = (await createTracing({ isOn: true })).observe(silentObserver);
    const failure = new TypeError('sent Bearer abcdefghi');

    await assert.rejects(
      around?.(PASS, () => Promise.reject(failure)) ?? Promise.resolve(),
      failure,
    );

    assert.deepEqual(spans[0]?.status, { code: 2, message: 'sent Bearer [redacted]' });
    assert.equal(spans[0]?.attributes['error.type'], 'TypeError');
    assert.equal(spans[0]?.isEnded, true);
  });

  test('has a span around each request, hands the context on, and keeps queries to itself', async () => {
    spans.length = 0;
    const sent: WireRequest[] = [];
    const transport = (await createTracing({ isOn: true })).trace(transportOf(404, sent));

    await transport.send({
      method: 'GET',
      path: '/api/v1/namespaces/ns/pods/a?token=abc',
      headers: { accept: 'x' },
    });

    assert.deepEqual(sent[0]?.headers, { accept: 'x', traceparent: 'the context' });
    assert.equal(spans[0]?.name, 'GET pods');
    assert.equal(spans[0]?.kind, SpanKind.CLIENT);
    assert.deepEqual(spans[0]?.attributes, {
      'http.request.method': 'GET',
      'url.path': '/api/v1/namespaces/ns/pods/a',
      'http.response.status_code': 404,
    });
    assert.equal(spans[0]?.status?.code, 2);
  });
});

for (const [path, name] of [
  ['/api/v1/pods', 'GET pods'],
  ['/api/v1/namespaces', 'GET namespaces'],
  ['/api/v1/namespaces/a', 'GET namespaces'],
  ['/api/v1/namespaces/a/status', 'GET namespaces/status'],
  ['/api/v1/namespaces/a/pods/b/log?follow=true', 'GET pods/log'],
  ['/apis/apps/v1/namespaces/a/deployments', 'GET deployments'],
  [
    '/apis/multicluster.oam.dev/v1alpha1/clusterregistrations/b/status',
    'GET clusterregistrations/status',
  ],
  ['/apis', 'GET /apis'],
  ['/version', 'GET /version'],
  ['/', 'GET /'],
] as const) {
  test(`the span of ${path} is called ${name}`, () => {
    assert.equal(spanNameOf({ method: 'GET', path }), name);
  });
}

function transportOf(status: number, sent: WireRequest[] = []): Transport {
  const unused = () => Promise.reject(new Error('not used here'));
  return {
    send: async (request) => {
      sent.push(request);
      return { status, headers: {}, warnings: [], body: Buffer.alloc(0) };
    },
    stream: unused,
    upgrade: unused,
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The least that @opentelemetry/api takes for an SDK. */
function register(spans: Recorded[]): void {
  const startSpan = (name: string, options: SpanOptions = {}): Span => {
    const span: Recorded = {
      name,
      kind: options.kind,
      attributes: { ...options.attributes },
      isEnded: false,
    };
    spans.push(span);
    return {
      setAttribute: (key: string, value: unknown) => {
        span.attributes[key] = value;
      },
      setStatus: (status: SpanStatus) => {
        span.status = status;
      },
      end: () => {
        span.isEnded = true;
      },
    } as unknown as Span;
  };
  trace.setGlobalTracerProvider({
    getTracer: () => ({
      startSpan,
      startActiveSpan: (name: string, options: SpanOptions, body: (span: Span) => unknown) =>
        body(startSpan(name, options)),
    }),
  } as unknown as Parameters<typeof trace.setGlobalTracerProvider>[0]);
  propagation.setGlobalPropagator({
    inject: (_context: Context, carrier: unknown) => {
      (carrier as Record<string, string>)['traceparent'] = 'the context';
    },
    extract: (given) => given,
    fields: () => ['traceparent'],
  });
}
