import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InjectedResponse } from '../http/inject.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const PODS = '/api/v1/namespaces/default/pods';

describe('a binding', () => {
  test('assigns the pod to a node and says that it is scheduled', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const bound = await bind(server, 'p', { metadata: { annotations: { why: 'fits' } } });

    assert.equal(bound.status, 201);
    const { spec, status, metadata } = (await server.send(`GET ${PODS}/p`)).json();
    assert.equal(spec.nodeName, 'node-1');
    assert.deepEqual(metadata.annotations, { why: 'fits' });
    assert.equal(status.conditions[0].type, 'PodScheduled');
    assert.equal(status.conditions[0].status, 'True');
  });

  test('brings no labels: to bind a pod gives no right to have other things select it', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const bound = await bind(server, 'p', { metadata: { labels: { app: 'db', 'no label': '!' } } });

    assert.equal(bound.status, 201);
    assert.equal((await server.send(`GET ${PODS}/p`)).json().metadata.labels, undefined);
  });

  test('can be posted to bindings as well', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const bound = await server.send('POST /api/v1/namespaces/default/bindings', {
      body: { metadata: { name: 'p' }, target: { kind: 'Node', name: 'node-2' } },
    });

    assert.equal(bound.status, 201);
    assert.equal((await server.send(`GET ${PODS}/p`)).json().spec.nodeName, 'node-2');
  });

  test('happens once: of two schedulers one is refused', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const answers = await Promise.all([bind(server, 'p'), bind(server, 'p')]);

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409],
    );
    const refused = answers.find(({ status }) => status === 409);
    assert.equal(
      refused?.json().message,
      'Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "node-1"',
    );
  });

  test('is refused for a pod that is going or gated', async () => {
    await using server = await startInMemory();
    await pod(server, 'going', { finalizers: ['example.com/wait'] });
    await server.send(`DELETE ${PODS}/going`);
    await pod(server, 'gated', {}, { schedulingGates: [{ name: 'example.com/later' }] });

    const going = await bind(server, 'going');
    assert.equal(going.status, 409);
    assert.match(going.json().message, /is being deleted, cannot be assigned to a host$/);
    const gated = await bind(server, 'gated');
    assert.equal(gated.status, 409);
    assert.match(gated.json().message, /has non-empty \.spec\.schedulingGates$/);
  });

  test('must mean this very pod', async () => {
    await using server = await startInMemory();
    const uid = await pod(server, 'p');

    assert.equal((await bind(server, 'p', { metadata: { uid: 'other' } })).status, 409);
    assert.equal((await bind(server, 'p', { metadata: { resourceVersion: '1' } })).status, 409);
    assert.equal((await bind(server, 'none')).status, 404);
    const misnamed = await server.send(`POST ${PODS}/p/binding`, {
      body: { metadata: { name: 'q' }, target: { name: 'node-1' } },
    });
    assert.equal(misnamed.status, 400);
    assert.equal((await bind(server, 'p', { metadata: { uid } })).status, 201);
  });

  test('must name a node', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const nowhere = await bind(server, 'p', { target: {} });
    assert.equal(nowhere.json().message, 'target.name: Required value');
    const elsewhere = await bind(server, 'p', { target: { kind: 'Pod', name: 'x' } });
    assert.match(elsewhere.json().message, /^target\.kind: Unsupported value: "Pod"/);
  });

  test('as a dry run checks all that and assigns nothing', async () => {
    await using server = await startInMemory();
    await pod(server, 'p');

    const dry = await server.send(`POST ${PODS}/p/binding?dryRun=All`, {
      body: { metadata: { name: 'p' }, target: { name: 'node-1' } },
    });

    assert.equal(dry.status, 201);
    assert.equal((await server.send(`GET ${PODS}/p`)).json().spec.nodeName, undefined);
  });
});

function bind(
  server: TestServer,
  name: string,
  { metadata = {}, target = { kind: 'Node', name: 'node-1' } } = {} as {
    metadata?: object;
    target?: object;
  },
): Promise<InjectedResponse> {
  return server.send(`POST ${PODS}/${name}/binding`, {
    body: { metadata: { name, ...metadata }, target },
  });
}

async function pod(
  server: TestServer,
  name: string,
  ...[metadata = {}, spec = {}]: [metadata?: object, spec?: object]
): Promise<string> {
  const created = await server.send(`POST ${PODS}`, {
    body: {
      metadata: { name, ...metadata },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
  });
  assert.equal(created.status, 201, created.text());
  return created.json().metadata.uid;
}
