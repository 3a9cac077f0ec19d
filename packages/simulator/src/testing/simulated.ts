import { type Client, createClient, createTransport } from '@flotilla/client';
import {
  type Clock,
  isNotFound,
  type Kind,
  type KubeObject,
  systemClock,
} from '@flotilla/machinery';
import type { LogFields, Logger } from '@flotilla/runtime';
import { eventually, startServer, type TestApiServer } from '@flotilla/testkit';
import { type Simulator, type SimulatorOptions, startSimulator } from '../start-simulator.ts';

/** A server in memory with a simulator on it. */
export interface Simulated extends AsyncDisposable {
  readonly server: TestApiServer;
  readonly client: Client;
  readonly simulator: Simulator;
  /** What the simulator warned of. */
  readonly warnings: readonly string[];
  /** Waits until an object is as wanted. */
  readonly until: <T extends KubeObject>(
    kind: Kind<T>,
    name: string,
    isAsWanted: (object: T) => boolean,
  ) => Promise<T>;
}

/** More than requests under way are given. */
const STOPPED_WITHIN_MS = 60_000;

const random = (): number => 0.5;

/** Starts both; everything is gone when it is disposed of. */
export async function startSimulated(
  options: Partial<SimulatorOptions> & { readonly clock?: Clock } = {},
): Promise<Simulated> {
  const server = await startServer();
  const client = createClient(
    createTransport({ access: server.access, clock: systemClock, random }),
  );
  const warnings: string[] = [];
  const simulator = await startSimulator({
    client,
    clock: systemClock,
    random,
    logger: warningLogger(warnings),
    ...options,
  });
  return {
    server,
    client,
    simulator,
    warnings,
    until: (kind, name, isAsWanted) =>
      eventually(() => client.get(kind, { namespace: 'default', name }), isAsWanted, {
        withinMs: 60_000,
        tolerates: isNotFound,
      }),
    [Symbol.asyncDispose]: async () => {
      // Timers of the server keep no process alive; while it stops, they may be all there is.
      const hold = setTimeout(() => {}, STOPPED_WITHIN_MS);
      await simulator[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      clearTimeout(hold);
    },
  };
}

function warningLogger(warnings: string[]): Logger {
  const warn = (message: string, fields: LogFields = {}): void => {
    warnings.push(`${message}: ${JSON.stringify(fields, plainError)}`);
  };
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn,
    error: warn,
    child: () => logger,
  };
  return logger;
}

function plainError(_key: string, value: unknown): unknown {
  return value instanceof Error ? String(value) : value;
}

/** A pod template of one container. */
export function template(
  name: string,
  annotations: Record<string, string> = {},
  spec: Record<string, unknown> = {},
): {
  metadata: { labels: Record<string, string>; annotations: Record<string, string> };
  spec: { containers: { name: string; image: string }[]; [field: string]: unknown };
} {
  return {
    metadata: {
      labels: { app: name },
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulator.flotilla.dev/${key}`, value]),
      ),
    },
    spec: { containers: [{ name: 'main', image: 'registry.invalid/app:1' }], ...spec },
  };
}

/** A Deployment of that template. */
export function deployment(
  name: string,
  replicas: number,
  annotations: Record<string, string> = {},
): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: template(name, annotations),
    },
  };
}
