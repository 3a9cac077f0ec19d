import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InjectedResponse } from '../http/inject.ts';
import { startInMemory, type TestServer } from '../testing/start-in-memory.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const MERGE = { 'content-type': 'application/merge-patch+json' };
/** What a /24 has, without the network's own address, the broadcast address and that of `kubernetes`. */
const FREE = 253;

describe('cluster IPs and node ports', () => {
  test('are never given twice, however many ask at once', async () => {
    await using server = await startInMemory();

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => create(server, `s${i}`, { type: 'NodePort' })),
    );

    const specs = answers.map((answer) => answer.json().spec);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    assert.equal(new Set(specs.map(({ clusterIP }) => clusterIP)).size, 60);
    assert.equal(new Set(specs.map(({ ports }) => ports[0].nodePort)).size, 60);
  });

  test('that are wanted go to one of those who want them', async () => {
    await using server = await startInMemory();

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create(server, `s${i}`, { clusterIP: '10.0.0.50' })),
    );

    assert.equal(answers.filter(({ status }) => status === 201).length, 1);
    const refused = answers.find(({ status }) => status !== 201);
    assert.equal(refused?.status, 422);
    assert.match(refused?.json().message, /provided IP is already allocated/);
  });

  test('run out, and come back with the services that held them', async () => {
    await using server = await startInMemory();
    const answers = await Promise.all(
      Array.from({ length: FREE + 3 }, (_, i) => create(server, `s${i}`, {})),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, FREE);
    const refused = answers.find(({ status }) => status !== 201);
    assert.match(refused?.json().message, /range is full/);

    const { clusterIP } = answers[7]?.json().spec ?? {};
    await server.send(`DELETE ${SERVICES}/s7`);

    const next = await create(server, 'next', {});
    assert.equal(next.json().spec.clusterIP, clusterIP);
  });

  test('come back when the write fails or is a dry run', async () => {
    await using server = await startInMemory();
    const wanted = { type: 'NodePort', clusterIP: '10.0.0.60', nodePort: 31000 };
    await create(server, 'taken', {});

    assert.equal((await create(server, 'taken', wanted)).status, 409);
    assert.equal((await create(server, 'INVALID', wanted)).status, 422);
    assert.equal((await create(server, 's', wanted, '?dryRun=All')).status, 201);
    assert.equal((await create(server, 's', { ...wanted, nodePort: 80 })).status, 422);
    const patched = await server.send(`PATCH ${SERVICES}/taken`, {
      body: { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 31000 }], clusterIP: 'x' } },
      headers: MERGE,
    });
    assert.equal(patched.status, 422);

    const created = await create(server, 's', wanted);
    assert.equal(created.status, 201, created.text());
  });

  test('stay with a service through updates and come back when its type needs none', async () => {
    await using server = await startInMemory();
    const first = (await create(server, 'a', { type: 'NodePort' })).json();
    const [{ nodePort }] = first.spec.ports;
    const labelled = await patch(server, 'a', { metadata: { labels: { k: 'v' } } });
    assert.equal(labelled.json().spec.clusterIP, first.spec.clusterIP);
    assert.equal(labelled.json().spec.ports[0].nodePort, nodePort);
    assert.equal((await create(server, 'b', { type: 'NodePort', nodePort })).status, 422);

    const plain = await patch(server, 'a', { spec: { type: 'ClusterIP' } });
    assert.equal(plain.status, 200, plain.text());
    assert.equal(plain.json().spec.ports[0].nodePort, undefined);

    assert.equal((await create(server, 'b', { type: 'NodePort', nodePort })).status, 201);
  });

  test('are not needed by a headless service', async () => {
    await using server = await startInMemory();

    const headless = await create(server, 'h', { clusterIP: 'None' });

    assert.equal(headless.json().spec.clusterIP, 'None');
    assert.equal((await create(server, 'h2', { clusterIP: 'None' })).status, 201);
  });

  test('must be of the server’s own ranges', async () => {
    await using server = await startInMemory();

    assert.equal((await create(server, 'a', { clusterIP: '10.1.0.5' })).status, 422);
    assert.equal((await create(server, 'a', { clusterIP: '10.0.0.1' })).status, 422, 'kubernetes');
    const port = await create(server, 'a', { type: 'NodePort', nodePort: 29999 });
    assert.match(port.json().message, /The range of valid ports is 30000-32767/);
  });
});

function create(
  server: TestServer,
  name: string,
  ...[spec, query = '']: [
    spec: { type?: string; clusterIP?: string; nodePort?: number },
    query?: string,
  ]
): Promise<InjectedResponse> {
  const { nodePort, ...rest } = spec;
  const port = { port: 80, ...(nodePort === undefined ? {} : { nodePort }) };
  return server.send(`POST ${SERVICES}${query}`, {
    body: { metadata: { name }, spec: { ...rest, ports: [port] } },
  });
}

function patch(server: TestServer, name: string, body: object): Promise<InjectedResponse> {
  return server.send(`PATCH ${SERVICES}/${name}`, { body, headers: MERGE });
}
