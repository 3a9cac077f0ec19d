import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDiscovery } from '@flotilla/client';
import {
  defineKind,
  isMethodNotSupported,
  isNotFound,
  type KubeObject,
  systemClock,
} from '@flotilla/machinery';
import { startServer } from '../start-server.ts';
import { connectClient } from '../testing/connect-client.ts';
import { mountMetrics } from './mount-metrics.ts';

interface PodMetrics extends KubeObject {
  containers: { name: string; usage: Record<string, string> }[];
}

const api = { group: 'metrics.k8s.io', version: 'v1beta1' };
const PodMetricses = defineKind<PodMetrics>({
  ...api,
  kind: 'PodMetrics',
  plural: 'pods',
  namespaced: true,
});
const NodeMetricses = defineKind({
  ...api,
  kind: 'NodeMetrics',
  plural: 'nodes',
  namespaced: false,
});

test('usage is listed by namespace and labels, got by name, and changed by nobody', async () => {
  const usage = { cpu: '12m', memory: '3Mi' };
  const mounts = [
    mountMetrics({
      pods: [
        { name: 'a', labels: { app: 'web' }, containers: { main: usage } },
        { name: 'b', containers: { main: usage } },
        { name: 'a', namespace: 'shop', containers: { main: usage } },
      ],
      nodes: [{ name: 'n1', usage }],
    }),
  ];
  await using server = await startServer({ mounts });
  await using client = connectClient(server.access);
  const names = async (selection: object) =>
    (await client.list(PodMetricses, selection)).items.map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    );

  const pod = await client.get(PodMetricses, { namespace: 'default', name: 'a' });

  assert.deepEqual(pod.containers, [{ name: 'main', usage }]);
  assert.deepEqual(await names({}), ['default/a', 'default/b', 'shop/a']);
  assert.deepEqual(await names({ namespace: 'shop' }), ['shop/a']);
  assert.deepEqual(await names({ labelSelector: 'app=web' }), ['default/a']);
  assert.deepEqual(await names({ fieldSelector: 'metadata.name=b' }), ['default/b']);
  await assert.rejects(
    client.get(PodMetricses, { namespace: 'shop', name: 'b' }),
    (error: Error) =>
      isNotFound(error) && error.message === 'podmetrics.metrics.k8s.io "shop/b" not found',
  );
  await assert.rejects(client.delete(NodeMetricses, { name: 'n1' }), isMethodNotSupported);
  const discovery = createDiscovery(client.transport, { clock: systemClock });
  assert.equal((await discovery.find('nodes.metrics.k8s.io'))?.kind, 'NodeMetrics');
});
