import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import {
  ClusterRegistrations,
  clusterRegistration,
  clusterRegistrationConditions,
  conditionSetOf,
  crdOf,
  draftOf,
} from '@flotilla/api';
import {
  type Client,
  CustomResourceDefinitions,
  createClient,
  createTransport,
} from '@flotilla/client';
import { isNotFound, type KubeObject, systemClock } from '@flotilla/machinery';
import {
  type Controller,
  createClientMeter,
  createHealth,
  createLogger,
  createManager,
  createMetrics,
  defineController,
  SecretValue,
  serveRoutes,
  untilChanged,
} from '@flotilla/runtime';
import { eventually } from '../eventually.ts';
import { startServer } from '../start-server.ts';

describe('a controller in operation', () => {
  test('is seen in metrics, health and logs, and its secrets in none of them', async () => {
    await using server = await startServer();
    const metrics = createMetrics();
    const meter = createClientMeter(metrics, { clock: systemClock });
    const access = { access: server.access, clock: systemClock, random: () => 0.5 };
    await using client = createClient(meter.meter(createTransport(access), 'hub'));
    await install(client);
    const texts: string[] = [];
    const logger = createLogger({
      sink: { write: (line) => texts.push(line) },
      clock: systemClock,
      level: 'debug',
    });
    const manager = createManager({
      client,
      controllers: [registrations()],
      clock: systemClock,
      random: () => 0.5,
      logger,
      observer: metrics.observer,
    });
    const health = createHealth({ checks: manager.checks, clock: systemClock, logger });
    await using ops = await serveRoutes({ routes: [health, metrics.route], port: 0, logger });
    const unready = await ask(ops.port, '/readyz');
    const stop = new AbortController();
    const running = manager.run(stop.signal);

    await client.create(
      ClusterRegistrations,
      draftOf(
        clusterRegistration,
        { name: 'west', namespace: 'default' },
        { credentialSource: { existingSecret: {} } },
      ),
    );
    const seen = await eventually(
      () => client.get(ClusterRegistrations, { namespace: 'default', name: 'west' }),
      ({ status }) => status?.conditions?.some(({ type }) => type === 'Ready') === true,
    );
    const ready = await eventually(
      () => ask(ops.port, '/readyz?verbose'),
      ({ code }) => code === 200,
    );
    const scraped = await eventually(
      () => ask(ops.port, '/metrics'),
      ({ body }) => /passes_total\{controller="registrations",outcome="stalled"\} [1-9]/.test(body),
    );
    stop.abort();
    await running;

    assert.equal(unready.code, 500);
    assert.match(ready.body, /\[\+\]caches ok/);
    assert.match(
      scraped.body,
      /^flotilla_controller_passes_total\{controller="registrations",outcome="failed"\} 0$/m,
    );
    assert.match(
      scraped.body,
      /^workqueue_depth\{name="registrations",controller="registrations",priority="0"\} 0$/m,
    );
    assert.match(
      scraped.body,
      /^flotilla_client_requests_total\{server="hub",method="POST",code="201"\} [1-9]/m,
    );
    const condition = seen.status?.conditions?.find(({ type }) => type === 'SourceResolved');
    assert.equal(condition?.reason, 'NoCredential');
    assert.equal(condition?.message, 'Cannot use [redacted] with token=[redacted]');
    const lines = texts.map((text) => JSON.parse(text) as Record<string, unknown>);
    const tried = lines.find(({ msg }) => msg === 'Tried the credential');
    assert.equal(tried?.['credential'], '[redacted]');
    assert.equal(typeof tried?.['controller'], 'string');
    const everything = `${texts.join('')}${scraped.body}${ready.body}${JSON.stringify(seen.status)}`;
    assert.doesNotMatch(everything, /hunter22/);
  });
});

/** Stalls on a credential that it must not show. */
function registrations(): Controller {
  return defineController({
    name: 'registrations',
    for: ClusterRegistrations,
    conditions: conditionSetOf(clusterRegistrationConditions),
    reconcile: (pass) => {
      const credential = new SecretValue('hunter22');
      pass.logger.info('Tried the credential', { credential });
      if (pass.object.spec.credentialSource.existingSecret === undefined) return untilChanged;
      throw pass.stalled(
        'SourceResolved',
        'NoCredential',
        `Cannot use ${credential} with token=hunter22`,
      );
    },
  });
}

async function install(client: Client): Promise<void> {
  const crd = crdOf(clusterRegistration) as KubeObject;
  await client.create(CustomResourceDefinitions, crd as never);
  await eventually(() => client.list(ClusterRegistrations), undefined, { tolerates: isNotFound });
}

async function ask(port: number, path: string): Promise<{ code: number; body: string }> {
  const sent = request({ host: '127.0.0.1', port, path, agent: false }).end();
  const [response] = await once(sent, 'response');
  let body = '';
  for await (const chunk of response) body += chunk;
  return { code: response.statusCode as number, body };
}
