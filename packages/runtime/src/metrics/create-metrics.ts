import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Answer, Route } from '../http/answer.ts';
import type { ControllerObserver } from '../observer.ts';
import { combineObservers } from './combine-observers.ts';
import { compatibleObserver } from './compatible-observer.ts';
import { ownObserver } from './own-observer.ts';

/** What to count. */
export interface MetricsOptions {
  /** Also under the names of controller-runtime and client-go. @default true */
  readonly compatibleNames?: boolean;
  /** CPU, memory, garbage collection and event loop of the process (`process_…`, `nodejs_…`). @default false */
  readonly processMetrics?: boolean;
}

/** Numbers of one program, in a registry of their own. */
export interface Metrics {
  /** For instruments of features; names are `flotilla_<component>_<noun>_<unit>`. */
  readonly registry: Registry;
  /** For the manager. */
  readonly observer: ControllerObserver;
  /** What Prometheus reads at `/metrics`. */
  readonly route: Route;
}

/**
 * Makes the metrics of a program.
 *
 * @example
 * const metrics = createMetrics();
 * const manager = createManager({ …, observer: metrics.observer });
 * await using server = await serveRoutes({ port: 8080, routes: [metrics.route] });
 */
export function createMetrics(options: MetricsOptions = {}): Metrics {
  const { compatibleNames = true, processMetrics = false } = options;
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const own = ownObserver(registry);
  return {
    registry,
    observer: compatibleNames ? combineObservers([own, compatibleObserver(registry)]) : own,
    route: async ({ path }): Promise<Answer | undefined> => {
      if (path !== '/metrics') return undefined;
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    },
  };
}
