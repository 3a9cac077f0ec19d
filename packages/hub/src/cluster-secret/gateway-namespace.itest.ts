import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient, createTransport } from '@flotilla/client';
import { systemClock } from '@flotilla/machinery';
import { startServer } from '@flotilla/testkit';
import { ApiServices, findGateway, GATEWAY_API_SERVICE } from './gateway-namespace.ts';

test('the gateway is where its service is, and as available as its APIService says', async () => {
  await using server = await startServer();
  await using client = createClient(
    createTransport({ access: server.access, clock: systemClock, random: () => 0.5 }),
  );
  assert.deepEqual(await findGateway(client.get, 'vela-system'), {
    namespace: 'vela-system',
    state: 'absent',
  });

  await client.create(ApiServices, {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: GATEWAY_API_SERVICE },
    spec: {
      group: 'cluster.core.oam.dev',
      version: 'v1alpha1',
      groupPriorityMinimum: 2000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'gateways', name: 'gateway', port: 443 },
    },
  });
  const { namespace, state } = await findGateway(client.get, 'vela-system');
  assert.deepEqual([namespace, state === 'absent'], ['gateways', false]);
});

test('a hub that cannot answer is not a hub without a gateway', async () => {
  const failing = () => Promise.reject(new Error('no answer'));

  await assert.rejects(findGateway(failing, 'vela-system'), { message: 'no answer' });
});

test('a gateway that the hub serves itself has its Secrets where it is told', async () => {
  const served = (status: string) =>
    findGateway(
      <T>() =>
        Promise.resolve({
          spec: { service: null },
          status: { conditions: [{ type: 'Available', status }] },
        } as T),
      'fleet',
    );

  assert.deepEqual(await served('True'), { namespace: 'fleet', state: 'available' });
  assert.deepEqual(await served('False'), { namespace: 'fleet', state: 'unavailable' });
});
