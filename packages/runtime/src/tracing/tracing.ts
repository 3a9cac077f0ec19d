import type { Transport, WireRequest } from '@flotilla/client';
import type { Attributes, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import { redact } from '../conditions/redact.ts';
import type { ControllerObserver } from '../observer.ts';
import { spanNameOf } from './span-name.ts';

/** Spans for passes and for requests, or nothing at all. */
export interface Tracing {
  readonly isOn: boolean;
  /** The observer with a span around each pass. */
  readonly observe: (observer: ControllerObserver) => ControllerObserver;
  /** The transport with a span around each request, and the trace's context in its headers. */
  readonly trace: (transport: Transport) => Transport;
}

/** Who traces. */
export interface TracingOptions {
  /** The flag; nothing of OpenTelemetry is loaded without it. */
  readonly isOn: boolean;
  /** @default flotilla */
  readonly name?: string;
  readonly version?: string;
}

const OFF: Tracing = {
  isOn: false,
  observe: (observer) => observer,
  trace: (transport) => transport,
};

/**
 * Sets up traces. Spans go wherever the SDK that the program registered with @opentelemetry/api sends them; without
 * one they cost nearly nothing, and without the flag the observer and the transport stay what they were.
 */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  if (!options.isOn) return OFF;
  const api = await import('@opentelemetry/api');
  const tracer = api.trace.getTracer(options.name ?? 'flotilla', options.version);
  const inSpan = spanRunner(tracer, api.SpanStatusCode.ERROR);
  const { INTERNAL, CLIENT } = api.SpanKind;

  const withContext = (request: WireRequest): WireRequest => {
    const headers: Record<string, string> = {};
    api.propagation.inject(api.context.active(), headers);
    return { ...request, headers: { ...request.headers, ...headers } };
  };
  const asked = <T extends { readonly status: number }>(
    request: WireRequest,
    send: (request: WireRequest) => Promise<T>,
  ): Promise<T> =>
    inSpan(
      spanNameOf(request),
      { kind: CLIENT, attributes: requestAttributes(request) },
      async (span) => {
        const answer = await send(withContext(request));
        span.setAttribute('http.response.status_code', answer.status);
        if (answer.status >= 400) span.setStatus({ code: api.SpanStatusCode.ERROR });
        return answer;
      },
    );

  return {
    isOn: true,
    observe: ({ around, ...observer }) => ({
      ...observer,
      around: (pass, body) => {
        const attributes: Attributes = {
          'flotilla.controller': pass.controller,
          'flotilla.reconcile.id': pass.id,
          'k8s.object.name': pass.name,
          ...(pass.namespace === undefined ? {} : { 'k8s.namespace.name': pass.namespace }),
        };
        return inSpan(`reconcile ${pass.controller}`, { kind: INTERNAL, attributes }, () =>
          around === undefined ? body() : around(pass, body),
        );
      },
    }),
    trace: (transport) => ({
      send: (request) => asked(request, (each) => transport.send(each)),
      stream: (request) => asked(request, (each) => transport.stream(each)),
      upgrade: (request) => asked(request, (each) => transport.upgrade(each)),
      [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
    }),
  };
}

type InSpan = <T>(
  name: string,
  options: SpanOptions,
  body: (span: Span) => Promise<T>,
) => Promise<T>;

function spanRunner(tracer: Tracer, failed: number): InSpan {
  return (name, options, body) =>
    tracer.startActiveSpan(name, options, async (span) => {
      try {
        return await body(span);
      } catch (error) {
        const message = redact(error instanceof Error ? error.message : String(error));
        // Not recordException: the stack repeats the message as it was.
        span.setStatus({ code: failed, message });
        if (error instanceof Error) span.setAttribute('error.type', error.name);
        throw error;
      } finally {
        span.end();
      }
    });
}

/** Paths without their queries: those may hold what nobody else is to see. */
function requestAttributes({ method, path }: WireRequest): Attributes {
  return { 'http.request.method': method, 'url.path': path.split('?')[0] ?? path };
}
