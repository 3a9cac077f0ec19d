import type { Transport, WireRequest } from '@flotilla/client';
import type { Clock } from '@flotilla/machinery';
import { Counter, Histogram } from 'prom-client';
import type { Metrics } from './create-metrics.ts';

/** Counts requests to API servers. */
export interface ClientMeter {
  /** The same transport, counted; `server` names it in the series. */
  readonly meter: (transport: Transport, server: string) => Transport;
}

const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Instruments for requests: how many with which answer, and how long until it began. */
export function createClientMeter(
  { registry }: Pick<Metrics, 'registry'>,
  { clock, compatibleNames = true }: { readonly clock: Clock; readonly compatibleNames?: boolean },
): ClientMeter {
  const registers = [registry];
  const total = new Counter({
    name: 'flotilla_client_requests_total',
    help: 'Requests to API servers; the code is 0 where none answered',
    labelNames: ['server', 'method', 'code'],
    registers,
  });
  const duration = new Histogram({
    name: 'flotilla_client_request_duration_seconds',
    help: 'How long API servers took to answer; of streams, to begin',
    labelNames: ['server', 'method'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const compatible = compatibleNames
    ? new Counter({
        name: 'rest_client_requests_total',
        help: 'Number of HTTP requests, partitioned by status code, method, and host',
        labelNames: ['code', 'method', 'host'],
        registers,
      })
    : undefined;

  return {
    meter: (transport, server) => {
      const counted = async <T extends { readonly status: number }>(
        request: WireRequest,
        send: (request: WireRequest) => Promise<T>,
      ): Promise<T> => {
        const { method } = request;
        const begun = clock.elapsed();
        let code = '0';
        try {
          const answer = await send(request);
          code = String(answer.status);
          return answer;
        } finally {
          duration.observe({ server, method }, (clock.elapsed() - begun) / 1000);
          total.inc({ server, method, code });
          compatible?.inc({ code: code === '0' ? '<error>' : code, method, host: server });
        }
      };
      return {
        send: (request) => counted(request, (each) => transport.send(each)),
        stream: (request) => counted(request, (each) => transport.stream(each)),
        upgrade: (request) => counted(request, (each) => transport.upgrade(each)),
        [Symbol.asyncDispose]: () => transport[Symbol.asyncDispose](),
      };
    },
  };
}
