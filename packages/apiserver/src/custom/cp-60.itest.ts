import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROOT_TENANT } from '../storage/store.ts';
import { startInMemory } from '../testing/start-in-memory.ts';
import { CRDS, make } from './widgets.cases.ts';

const V1 = '/apis/shop.example.com/v1/namespaces/default/orders';
const V2 = '/apis/shop.example.com/v2/namespaces/default/orders';
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };

const spec = (more: object = {}) => ({
  type: 'object',
  required: ['item'],
  'x-kubernetes-validations': [
    { rule: 'self.count <= self.limit', message: 'no more than the limit' },
    { rule: 'self.item == oldSelf.item', message: 'the item stays' },
  ],
  properties: {
    item: { type: 'string' },
    count: { type: 'integer', default: 1 },
    limit: { type: 'integer', default: 10 },
    ...more,
  },
});

const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: spec(more) } } },
  ...(name === 'v1' ? { selectableFields: [{ jsonPath: '.spec.item' }] } : {}),
  additionalPrinterColumns: [
    { name: 'Item', type: 'string', jsonPath: '.spec.item' },
    { name: 'Count', type: 'integer', jsonPath: '.spec.count' },
  ],
});

const ORDERS = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'orders.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'orders', singular: 'order', kind: 'Order' },
    versions: [version('v1'), version('v2', { note: { type: 'string' } })],
  },
};

test('CP-60 a CRD with CEL, defaults, two versions, columns and selectable fields serves all of it, and takes its objects along', async () => {
  await using server = await startInMemory();
  const begun = performance.now();
  await make(server, CRDS, ORDERS);
  await server.api.settled();

  assert.equal((await server.send('GET /apis/shop.example.com/v2')).status, 200);
  assert.equal((await server.send('GET /openapi/v3/apis/shop.example.com/v1')).status, 200);
  assert.ok(performance.now() - begun < 1000, 'in discovery and OpenAPI within a second');

  const order = (name: string, content: object, apiVersion = 'v1') => ({
    apiVersion: `shop.example.com/${apiVersion}`,
    kind: 'Order',
    metadata: { name },
    spec: content,
  });
  const made = await make(server, V1, order('a', { item: 'tea', color: 'green' }));
  assert.deepEqual(made.spec, { item: 'tea', count: 1, limit: 10 }, 'pruned, and with defaults');
  await make(server, V2, order('b', { item: 'milk', note: 'cold' }, 'v2'));

  const refused = await server.send(`POST ${V1}`, { body: order('c', { item: 'tea', count: 11 }) });
  assert.equal(refused.status, 422);
  assert.match(refused.json().message, /spec: Invalid value: .*: no more than the limit$/);
  const headers = { 'content-type': 'application/merge-patch+json' };
  const changed = await server.send(`PATCH ${V1}/a`, { body: { spec: { item: 'rum' } }, headers });
  assert.equal(changed.status, 422);
  assert.match(changed.json().message, /the item stays$/);

  const converted = (await server.send(`GET ${V2}/a`)).json();
  assert.equal(converted.apiVersion, 'shop.example.com/v2');
  const selected = (await server.send(`GET ${V1}?fieldSelector=spec.item%3Dmilk`)).json();
  assert.deepEqual(
    selected.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name),
    ['b'],
  );
  const table = (await server.send(`GET ${V1}`, { headers: TABLE })).json();
  assert.deepEqual(
    table.columnDefinitions.map(({ name }: { name: string }) => name),
    ['Name', 'Item', 'Count'],
  );
  assert.deepEqual(table.rows[0].cells, ['a', 'tea', 1]);

  await server.send(`DELETE ${CRDS}/orders.shop.example.com`);
  await server.api.settled();
  assert.equal((await server.send(`GET ${CRDS}/orders.shop.example.com`)).status, 404);
  using snapshot = server.store.snapshot(ROOT_TENANT);
  assert.deepEqual(snapshot.range('shop.example.com/', { limit: 1 }), []);
});
